import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@Suite struct FolderScanTests {
    typealias Request = FolderScan.Request

    /// What happens to a scan.
    private enum Event {
        case began([FolderScan.Target])
        case stopped
        case told(FolderScan.Action)

        static func listed(_ id: FolderID, _ listing: FolderListing) -> Event {
            .told(.listed(id, listing))
        }

        static func failed(_ id: FolderID, _ failure: RecordingFailure) -> Event {
            .told(.failed(id, failure))
        }
    }

    private static let reducer = Reducer<FolderScan.State, Event, FolderScan.Command> {
        state, event, order in
        switch event {
        case .began(let targets): state.begin(targets, order)
        case .stopped: state.isStopped = true
        case .told(let action): _ = state.handle(action, order)
        }
    }

    private func store() -> TestStore<FolderScan.State, Event, FolderScan.Command> {
        TestStore(
            initialState: FolderScan.State(), reducer: Self.reducer,
            awaitsAnswer: { command in
                switch command {
                case .list(let id, _): id
                case .forget: nil
                }
            },
            answers: { event in
                switch event {
                case .told(.listed(let id, _)), .told(.failed(let id, _)): id
                case .began, .stopped, .told: nil
                }
            })
    }

    /// The requests in the order in which they are ordered, each folder having the given
    /// subfolders.
    private func walk(
        _ targets: [FolderScan.Target], _ subfolders: [Pathname: [Pathname]] = [:],
        failing: Set<Pathname> = []
    ) -> [Request] {
        let store = store()
        var requests: [Request] = []
        var commands = store.skip(.began(targets))
        while let command = commands.first {
            #expect(commands.count == 1, "one listing at a time")
            guard case .list(let id, var request) = command else { break }
            request.top = nil
            requests.append(request)
            if failing.contains(request.path) {
                commands = store.skip(.failed(id, Example.failure(.permissionDenied, in: .scan)))
            } else {
                let names = request.only == nil ? subfolders[request.path] ?? [] : []
                commands = store.skip(.listed(id, FolderListing(subfolders: names)))
            }
        }
        #expect(store.state.isFinished)
        store.finish()
        return requests
    }

    private let tree: [Pathname: [Pathname]] = [
        "": ["a", "b", "c"], "a": ["x", "y"], "a/x": ["deep"], "b": ["z"],
    ]

    @Test func foldersAreListedDepthFirstInNameOrder() {
        #expect(
            walk([.folder("")], tree).map(\.path)
                == ["", "a", "a/x", "a/x/deep", "a/y", "b", "b/z", "c"])
    }

    @Test func scanContinuesAfterAListingFailure() {
        #expect(
            walk([.folder("")], tree, failing: ["a", "c"]).map(\.path)
                == ["", "a", "b", "b/z", "c"])
    }

    @Test func targetFolderAbsorbsTargetsInsideIt() {
        let targets: [FolderScan.Target] = [
            .recording(folder: "a/x", name: "one.wav"), .folder("a/x"), .folder("a"),
            .folder("ab"), .recording(folder: "ab", name: "two.wav"), .folder("a"),
        ]
        #expect(walk(targets).map(\.path) == ["a", "ab"])
        #expect(walk(targets).allSatisfy { $0.only == nil })
    }

    @Test func rootTargetAbsorbsAllOthers() {
        let targets: [FolderScan.Target] = [
            .folder("a"), .folder(""), .recording(folder: "b/c", name: "one.wav"),
        ]
        #expect(walk(targets) == [Request(path: "")])
    }

    @Test func explicitlyNamedRecordingIsAlwaysIncluded() {
        let targets: [FolderScan.Target] = [
            .folder("a"), .recording(folder: "a", name: "take 1"),
            .recording(folder: "a/.hidden", name: "two.wav"),
        ]
        let expected = [
            Request(path: "a", also: ["take 1"]), Request(path: "a/.hidden", only: ["two.wav"]),
        ]
        #expect(walk(targets) == expected)
    }

    @Test func explicitlyNamedHiddenFolderIsListed() {
        let targets: [FolderScan.Target] = [
            .folder("a"), .folder("a/.hidden"), .folder("a/.hidden/x"), .folder("a/b"),
            .folder("a/.hidden/.x"),
        ]
        #expect(walk(targets).map(\.path) == ["a", "a/.hidden", "a/.hidden/.x"])
    }

    @Test func singleRecordingsAreGroupedByFolder() {
        let targets: [FolderScan.Target] = [
            .recording(folder: "b", name: "two"), .recording(folder: "a", name: "z"),
            .recording(folder: "b", name: "one"), .recording(folder: "b", name: "two"),
            .folder("c"),
        ]
        let expected = [
            Request(path: "a", only: ["z"]), Request(path: "b", only: ["one", "two"]),
            Request(path: "c"),
        ]
        #expect(walk(targets) == expected)
    }

    @Test func scanWithoutTargetsFinishesAtOnce() {
        let store = store()
        #expect(!store.state.isFinished)
        store.send(
            .began([]),
            expecting: {
                $0.hasBegun = true
                $0.isThrough = true
            })
        #expect(store.state.isFinished)
    }

    @Test func stoppedScanWaitsForPendingListing() {
        let store = store()
        store.skip(.began([.folder("a"), .folder("b")]))
        store.send(.stopped, expecting: { $0.isStopped = true })
        #expect(!store.state.isFinished)
        store.send(
            .listed(FolderID(0), FolderListing(subfolders: ["x"])),
            expecting: {
                $0.inFlight = nil
                var place = FolderIndex.Place(path: "a/x", top: "a")
                place.isQueued = true
                $0.pending.append($0.folders.add(place))
            })
        #expect(store.state.isFinished)
        store.finish()
    }

    @Test func lateAndDuplicateAnswersAreIgnored() {
        let store = TestStore(initialState: FolderScan.State(), reducer: Self.reducer)
        let first = FolderListing(subfolders: ["x"])
        store.skip(.began([.folder("a"), .folder("b")]))
        store.send(.listed(FolderID(1), first))
        store.skip(.listed(FolderID(0), first))
        store.send(.listed(FolderID(0), first))
        store.send(.failed(FolderID(0), Example.failure()))
        store.send(.listed(FolderID(7), first))
    }

    @Test func subfoldersDifferingInNormalisationStayDistinct() {
        let names: [Pathname] = ["e\u{301}", "\u{e9}"]
        #expect(walk([.folder("")], ["": names]).map(\.path.bytes) == [[]] + names.map(\.bytes))
        #expect(walk(names.map { .folder($0) }).count == 2)
    }
}
