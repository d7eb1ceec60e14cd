import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// What a server gives of an output, and what it tells open pages.
@Suite struct ServedOutputTests {
    private let world = TestWorld()
    private let root: Pathname
    private let served: ServedOutput
    private var output: Pathname { root.appending("tapedeck") }

    init() throws {
        root = try FileSystem.resolve(world.root)
        OutputFolder.makeMarked(root.appending("tapedeck"))
        served = try ServedOutput(ResultTree(output: root.appending("tapedeck")))
    }

    private func settle(_ names: Pathname..., in folder: Pathname = "A") throws {
        try OutputFolder.settle(names.map { Example.doneEntry($0) }, in: folder, of: output)
    }

    private func refusal(_ target: String) -> ServedRefusal? {
        guard let target = ServedTarget(target) else { return .notFound }
        do throws(ServedRefusal) {
            _ = try served.body(for: target)
            return nil
        } catch {
            return error
        }
    }

    private func text(_ target: String) throws -> String {
        let body = try served.body(for: #require(ServedTarget(target)))
        return String(decoding: body.read(at: 0, count: Int(body.length)), as: UTF8.self)
    }

    // MARK: Bodies

    @Test func onlyWhatTheRecordKnowsIsGiven() throws {
        world.add("A/b.wav")
        world.add("A/private.txt")
        world.add("A/new.wav")
        world.add("tapedeck/A/private.txt")
        try settle("b.wav")
        #expect(refusal("/recordings/A/b.wav") == nil)
        #expect(refusal("/output/") == nil)
        #expect(refusal("/output/A/") == nil)
        #expect(refusal("/output/A/report-rows.js") == nil)
        for target in [
            "/recordings/A/private.txt", "/recordings/A/new.wav", "/recordings/A",
            "/output/A/private.txt", "/output/.tapedeck", "/output/B/", "/output/A/b.wav",
            "/output/A/c.wav.report.json",
        ] {
            #expect(refusal(target) == .notFound, "\(target)")
        }
    }

    @Test func linksThatLeadOutAreRefused() throws {
        let other = TestWorld()
        other.add("b.wav")
        world.add("A/inside.wav")
        world.add("A/b.wav")
        try settle("b.wav", "link.wav", "near.wav")
        try settle("b.wav", in: "L")
        TestWorld.link(root.appending("A/link.wav"), to: other.root.appending("b.wav"))
        TestWorld.link(root.appending("A/near.wav"), to: "inside.wav")
        TestWorld.link(root.appending("L"), to: other.root)
        #expect(refusal("/recordings/A/link.wav") == .outside)
        #expect(refusal("/recordings/L/b.wav") == .outside)
        #expect(refusal("/output/A/link.wav.report.js") == .outside)
        #expect(refusal("/recordings/A/near.wav") == nil)
    }

    @Test func recordingThatHasChangedIsNotSentAsWAV() throws {
        world.add("A/b.wav")
        try settle("b.wav", "gone.wav")
        #expect(refusal("/recordings/A/b.wav?wav") == .changed)
        #expect(refusal("/output/A/b.wav.report.js") == .changed)
        #expect(refusal("/recordings/A/gone.wav") == .notFound)
    }

    @Test func rowsLeadToServedRecordings() throws {
        try settle("b c.wav", in: "A/B")
        let rows = try text("/output/A/B/report-rows.js")
        #expect(rows.contains(#""file":"../../../recordings/A/B/b%20c.wav""#))
        #expect(rows.contains(#""drawing":"b%20c.wav.report.json""#))
        #expect(try text("/output/A/B/b%20c.wav.report.json").contains(#""silences":[]"#))
        #expect(try text("/output/report-folders.js").contains(#""path":"A/B","recordings":1"#))
    }

    @Test func folderCountsEveryRecordingOnce() throws {
        var failed = Example.doneEntry("failed.wav")
        failed.status = .failed
        failed.format = nil
        var silent = Example.doneEntry("silent.wav")
        silent.silence?.silent = true
        silent.warnings = [RecordingWarning(.damaged)]
        var missing = Example.doneEntry("missing.wav")
        missing.status = .sourceMissing
        try OutputFolder.settle(
            [Example.doneEntry("done.wav"), failed, silent, missing], in: "A", of: output)
        let folders = try served.opened().record.reportFolders()
        #expect(folders.count == 2 && folders[0].isTop && folders[0].recordings == 0)
        let folder = folders[1]
        #expect(folder.recordings == 4 && folder.failed == 1 && folder.silent == 1)
        #expect(folder.warned == 1 && folder.missing == 1)
        #expect(folder.seconds == 3 * Example.format().durationSeconds)
    }

    // MARK: Changes

    @Test func pagesAreToldOfEachChangeOnce() throws {
        try settle("b.wav")
        let feed = ServedFeed(served)
        let welcome = feed.welcome(to: "A", since: 0)
        #expect(welcome.contains(#""name":"b.wav""#))
        _ = feed.news(for: ["A"])
        #expect(feed.news(for: ["A"]) == [:])
        try settle("c.wav")
        let news = try #require(feed.news(for: ["A"])["A"])
        #expect(news.contains(#""name":"c.wav""#) && !news.contains(#""name":"b.wav""#))
        #expect(feed.news(for: ["A"]) == [:])
        // A row that changes in the same second is told again.
        var failed = Example.doneEntry("c.wav")
        failed.levels = nil
        try OutputFolder.settle([failed], in: "A", of: output)
        #expect(feed.news(for: ["A"])["A"]?.contains(#""name":"c.wav""#) == true)
        // Another folder's change has no rows here.
        try settle("d.wav", in: "B")
        #expect(feed.news(for: ["A"])["A"]?.contains(#""rows":[]"#) != false)
    }

    @Test func foldersAreToldOnceForEachChange() throws {
        try settle("b.wav")
        let feed = ServedFeed(served)
        #expect(feed.folders()?.contains(#""path":"A","recordings":1"#) == true)
        #expect(feed.folders() == nil)
        #expect(feed.news(for: ["A"], nil, "\"folders\":[]")["A"]?.contains("folders") == true)
    }

    /// A page whose clock, or whose server's, was ahead hides nothing from others.
    @Test func timeThatIsAheadHidesNothing() throws {
        try settle("b.wav")
        let feed = ServedFeed(served)
        _ = feed.welcome(to: "A", since: .max)
        _ = feed.news(for: ["A"])
        try settle("c.wav")
        #expect(feed.news(for: ["A"])["A"]?.contains(#""name":"c.wav""#) == true)
    }

    /// On a share, the connection of the run itself is asked, and left open.
    @Test func runOnAShareIsFollowedByItsOwnConnection() throws {
        let folder = try OutputFolder(output, root: root)
        let places = RunPlaces(root: root, output: output, targets: [.folder(.empty)])
        for isRemote in [false, true] {
            let served = try ServedOutput(places, folder.record, isRemote: isRemote)
            let feed = ServedFeed(served)
            _ = feed.news(for: ["A"])
            let name = Pathname("remote \(isRemote).wav")
            try folder.record.put([Example.doneEntry(name)], in: "A")
            let news = feed.news(for: ["A"])["A"]
            #expect(news?.contains("\"name\":\"\(name)\"") == true)
            served.close()
        }
        #expect(try folder.record.folders() == ["A"])
        _ = folder.closeRecord()
        folder.release()
    }

    @Test func outputThatIsGoneIsSaidAndFoundAgain() throws {
        try settle("b.wav")
        let feed = ServedFeed(served)
        _ = feed.news(for: ["A"])
        let (place, aside) = (output.appending(".tapedeck").text, output.appending("aside").text)
        rename(place, aside)
        #expect(refusal("/output/A/report-rows.js") == .gone)
        #expect(feed.news(for: ["A"])["A"] == #"{"line":"The output is gone."}"#)
        rename(aside, place)
        try settle("c.wav")
        #expect(feed.news(for: ["A"])["A"]?.contains(#""name":"c.wav""#) == true)
        // One that is made anew, with other folders.
        try FileManager.default.removeItem(atPath: output.text)
        #expect(refusal("/output/A/report-rows.js") == .gone)
        OutputFolder.makeMarked(output)
        try settle("d.wav")
        world.add("tapedeck/A/manifest.json")
        #expect(feed.news(for: ["A"])["A"]?.contains(#""name":"d.wav""#) == true)
        #expect(refusal("/output/A/manifest.json") == nil)
    }

    @Test func writtenDetailsAreOfAKindThatBrowsersRun() throws {
        world.add("A/b.wav")
        try settle("b.wav")
        let file = try ServedFile("A/b.wav", below: DirectoryHandle(root))
        #expect(file.type == "audio/wav")
        world.add("tapedeck/A/b.wav.report.js")
        let script = try ServedFile("A/b.wav.report.js", below: DirectoryHandle(output))
        #expect(script.type == "text/javascript")
    }

    @Test func sumOfTimesTellsOfDeletions() throws {
        try settle("b.wav", "c.wav")
        let before = try served.opened().record.changes(in: "A", since: 0)
        #expect(before.sum == before.seconds * 2)
        try OutputFolder.change(output) {
            try $0.update([
                ManifestOrder(
                    folder: "A", recipe: .init(Recipe()), changes: ["b.wav": .forgotten])
            ])
        }
        let after = try served.opened().record.changes(
            in: "A", since: before.seconds, without: before.latest)
        #expect(after.sum == before.seconds && after.entries.isEmpty)
    }

    @Test func recordThatWasReplacedIsOpenedAgain() throws {
        try settle("b.wav")
        #expect(try text("/output/A/report-rows.js").contains("b.wav"))
        let other = TestWorld()
        let place = other.root.appending("tapedeck")
        OutputFolder.makeMarked(place)
        try OutputFolder.settle([Example.doneEntry("z.wav")], in: "A", of: place)
        for name in ["-wal", "-shm"] { unlink(output.appending(".tapedeck").text + name) }
        rename(place.appending(".tapedeck").text, output.appending(".tapedeck").text)
        // A run has it open, with a log that must stay when the earlier one is closed.
        let folder = try OutputFolder(output, root: root)
        try folder.record.setMeta("something", [1])
        #expect(try text("/output/A/report-rows.js").contains("z.wav"))
        #expect(access(output.appending(".tapedeck-wal").text, F_OK) == 0)
        _ = folder.closeRecord()
        folder.release()
    }

    @Test func tokenIsOneLineOfLettersAndDigits() throws {
        let folder = TestFolder()
        func token(_ text: String) throws -> String? {
            try ServerToken.read(folder.write(Array(text.utf8), to: "t"))
        }
        #expect(try token("abcdefgh01234567\nrest") == "abcdefgh01234567")
        #expect(try token("abcdefgh-._~0123") == "abcdefgh-._~0123")
        for text in ["", "short", "abcdefgh 01234567", "abcdefgh0123456;", "abcdefghé01234567"] {
            #expect(try token(text) == nil, "\(text)")
        }
        #expect(try token(String(repeating: "a", count: 129)) == nil)
        #expect(throws: FileSystemError.self) { try ServerToken.read(folder.path("none")) }
    }
}
