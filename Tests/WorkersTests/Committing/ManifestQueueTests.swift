import Dispatch
import Foundation
import Jobs
import Recordings
import ReducerKit
import Synchronization
import TestSupport
import Testing

@testable import Workers

@Suite struct ManifestQueueTests {
    private let world = TestWorld()

    /// What each order was answered, however often.
    private final class Answers: Sendable {
        private let answers = Mutex<[Pathname: [RecordingFailure?]]>([:])
        private let arrival = DispatchSemaphore(value: 0)

        func note(_ folder: Pathname, _ error: RecordingFailure?) {
            answers.withLock { $0[folder, default: []].append(error) }
            arrival.signal()
        }

        /// All answers, once so many have come.
        func first(_ count: Int) -> [Pathname: [RecordingFailure?]] {
            for _ in 0..<count {
                #expect(arrival.wait(timeout: .now() + 60) == .success, "an answer is missing")
            }
            return answers.withLock { $0 }
        }
    }

    private func order(_ folder: Pathname) -> ManifestOrder {
        do {
            try world.settle([Example.doneEntry("b.wav")], in: folder)
        } catch {
            preconditionFailure("nothing can be recorded: \(error)")
        }
        return ManifestOrder(folder: folder, recipe: Boxed(Recipe()))
    }

    /// Records that a file of `b.wav` is to be deleted, of which nothing else is known.
    private func expire(_ names: Pathname..., in folder: Pathname) throws {
        var entry = Example.doneEntry("b.wav")
        entry.recipe = Recipe()
        try world.record.add([JournalFact(folder: folder, entry: entry, obsolete: names)])
    }

    /// Records that a copy of `b.wav` with these bytes is to be deleted.
    private func expireCopy(_ bytes: [UInt8], in folder: Pathname) throws {
        var before = Example.doneEntry("b.wav")
        before.trimmed = TrimmedFile(
            path: "b.wav.flac", durationSeconds: 1, bytes: Int64(bytes.count),
            sha256: SHA256.hexadecimal(of: bytes), edits: [])
        try world.settle([before], in: folder)
        try world.settle([Example.doneEntry("b.wav")], in: folder)
    }

    /// As every waveform begins.
    private static let waveform: [UInt8] =
        [2, 0, 0, 0, 1, 0, 0, 0] + [UInt8](repeating: 7, count: 30)

    private func queue() -> ManifestQueue {
        ManifestQueue(
            world.ownership, world.record, on: DispatchQueue(label: "tapedeck.test.manifests"))
    }

    /// Orders these manifests at once and waits for all answers.
    private func write(_ orders: [ManifestOrder]) -> [Pathname: [RecordingFailure?]] {
        let answers = Answers()
        let queue = self.queue()
        for order in orders {
            queue.write(order) { answers.note(order.folder, $0.failure) }
        }
        // Behind all others, so that a second answer to one of them would have come before.
        queue.write(self.order("last")) { answers.note("last", $0.failure) }
        return answers.first(orders.count + 1)
    }

    @Test func eachOrderIsWrittenAndAnsweredOnce() {
        let folders = (0..<50).map { Pathname("f\($0)") }
        let answers = write(folders.map { order($0) })
        #expect(answers.count == 51)
        #expect(answers.values.allSatisfy { $0 == [nil] })
        for folder in folders {
            let manifest = try? ManifestFile.read(in: world.output.appending(folder))
            #expect(manifest?.recordings.map(\.name) == ["b.wav"], "\(folder)")
        }
        #expect(!TestWorld.tree(world.output).contains { $0.lastComponent.isHidden })
    }

    @Test func ordersAreAnsweredAfterWholeBatchIsWritten() {
        let answers = Answers()
        let missing = Mutex<Set<Pathname>>([])
        let queue = self.queue()
        let (held, ordered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // Holds the queue until the others have been ordered, which it then writes together.
        queue.write(order("first")) { _ in
            held.signal()
            ordered.wait()
        }
        held.wait()
        let folders: [Pathname] = ["a", "b", "c"]
        for folder in folders {
            queue.write(order(folder)) { [output = world.output] in
                let gone = folders.filter {
                    (try? ManifestFile.read(in: output.appending($0))) == nil
                }
                missing.withLock { $0.formUnion(gone) }
                answers.note(folder, $0.failure)
            }
        }
        ordered.signal()
        #expect(answers.first(3).values.allSatisfy { $0 == [nil] })
        #expect(missing.withLock { $0 } == [])
    }

    @Test func failedManifestDoesNotFailOthers() {
        world.makeFolder(world.output)
        // A file bears one folder's name, a folder one manifest's.
        world.folder.write([], to: "output/b")
        world.makeFolder(world.output.appending("c/manifest.json/x"))
        let answers = write(["a", "b", "c", "d"].map { order($0) })
        #expect(
            answers.mapValues { $0.map { $0?.reason } } == [
                "a": [nil], "b": [.placeTaken], "c": [.placeTaken], "d": [nil], "last": [nil],
            ])
        #expect(
            TestWorld.tree(world.output) == [
                "a", "a/manifest.json", "b", "c", "c/manifest.json", "c/manifest.json/x", "d",
                "d/manifest.json", "last", "last/manifest.json",
            ])
    }

    /// Many programs give their files that name.
    @Test func foreignManifestIsNotOverwritten() throws {
        let theirs = [UInt8](#"{"utterances": 3}"#.utf8)
        for folder in ["a", "b", "c"] as [Pathname] {
            world.makeFolder(world.output.appending(folder))
            try expire("b.wav.2.dat", in: folder)
        }
        world.folder.write(theirs, to: "output/a/manifest.json")
        world.folder.write([], to: "output/b/manifest.json")
        world.folder.write(Self.waveform, to: "output/a/b.wav.2.dat")
        // That of another folder is one's own all the same.
        try world.print(order("moved"))
        try FileSystem.rename(
            world.output.appending("moved/manifest.json"),
            to: world.output.appending("c/manifest.json"))
        let answers = write(["a", "b", "c", "d"].map { order($0) })
        #expect(
            answers.mapValues { $0.map { $0?.reason } } == [
                "a": [.nameTaken], "b": [nil], "c": [nil], "d": [nil], "last": [nil],
            ])
        #expect(answers["a"]?.first??.detail == "manifest.json")
        #expect(
            try FileSystem.contents(of: world.output.appending("a/manifest.json")) == theirs)
        #expect(
            TestWorld.tree(world.output.appending("a")) == ["b.wav.2.dat", "manifest.json"])
        #expect(try world.record.obsoleteFiles(in: "a").map(\.name) == ["b.wav.2.dat"])
    }

    /// Somebody has a use for it as it is; the next run gives it another name.
    @Test func reformattedManifestIsNotOverwritten() throws {
        #expect(write([order("a")])["a"] == [nil])
        let path = world.output.appending("a/manifest.json")
        let object = try JSONSerialization.jsonObject(
            with: Data(try FileSystem.contents(of: path)))
        let anew = try JSONSerialization.data(
            withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
        world.folder.write(Array(anew), to: "output/a/manifest.json")
        #expect(try !ManifestFile.isThere(for: "a", in: world.output))
        #expect(write([order("a")])["a"]?.first??.reason == .nameTaken)
        #expect(try FileSystem.contents(of: path) == Array(anew))
    }

    @Test func alteredManifestIsOverwritten() throws {
        #expect(write([order("a")])["a"] == [nil])
        let path = world.output.appending("a/manifest.json")
        let spelled = try FileSystem.contents(of: path)
        world.folder.write(spelled + spelled, to: "output/a/manifest.json")
        #expect(try ManifestFile.isThere(for: "a", in: world.output))
        #expect(try !ManifestFile.isThere(for: "b", in: world.output))
        #expect(write([order("a")])["a"] == [nil])
        #expect(try FileSystem.contents(of: path) == spelled)
    }

    /// Without a record that says so, nothing that may be a recording is one's own: an original may
    /// have been moved there since.
    @Test func unrecordedAudioIsSparedAndReported() throws {
        world.makeFolder(world.output.appending("a"))
        world.folder.write([1, 2], to: "output/a/b.wav.flac")
        world.folder.write(Self.waveform, to: "output/a/b.wav.2.dat")
        try expire("b.wav.flac", "b.wav.2.dat", "b.wav.2.flac", in: "a")
        let answered = DispatchSemaphore(value: 0)
        let spared = Mutex<[Pathname]>([])
        queue().write(order("a")) { result in
            spared.withLock { $0 = (try? result.get()) ?? [] }
            answered.signal()
        }
        answered.wait()
        #expect(spared.withLock { $0 } == ["b.wav.flac"])
        #expect(
            TestWorld.tree(world.output.appending("a")) == ["b.wav.flac", "manifest.json"])
        // It is nobody's to delete any more.
        #expect(try world.record.obsoleteFiles(in: "a") == [])
    }

    /// A manifest in between once was the last to be written and told nothing of it.
    @Test func leftBehindCopyIsRemovedWhenObsolete() throws {
        let copy = [UInt8](repeating: 7, count: 2000)
        var before = Example.doneEntry("b.wav")
        before.trimmed = TrimmedFile(
            path: "b.wav.flac", durationSeconds: 1, bytes: 2000,
            sha256: SHA256.hexadecimal(of: copy), edits: [])
        try world.settle([before], in: "a")
        var failed = ManifestEntry(name: "b.wav", status: .failed, source: Example.stamp)
        failed.failure = Example.failure()
        failed.leaveBehind(before.outputs, toldOf: before.generations)
        try world.settle([failed], in: "a")
        let between = ManifestOrder(folder: "a", recipe: Boxed(Recipe()))
        world.makeFolder(world.output.appending("a"))
        world.folder.write(copy, to: "output/a/b.wav.flac")
        #expect(write([between])["a"] == [nil])
        #expect(
            TestWorld.tree(world.output.appending("a")) == ["b.wav.flac", "manifest.json"])
        #expect(write([order("a")])["a"] == [nil])
        #expect(TestWorld.tree(world.output.appending("a")) == ["manifest.json"])
    }

    @Test func obsoleteFileIsDeletedWithNextManifest() throws {
        let copy = [UInt8](repeating: 7, count: 2000)
        try expireCopy(copy, in: "a")
        world.makeFolder(world.output.appending("a"))
        world.folder.write(copy, to: "output/a/b.wav.flac")
        #expect(try world.record.obsoleteFiles(in: "a").map(\.name) == ["b.wav.flac"])
        #expect(write([order("a")])["a"] == [nil])
        #expect(TestWorld.tree(world.output.appending("a")) == ["manifest.json"])
        let contents = try world.record.contents(of: "a")
        #expect(!contents.hasObsolete)
        #expect(
            try contents.printed
                == TestWorld.stamp(of: world.output.appending("a/manifest.json")))
    }

    /// What is obsolete goes when the manifest is there that no longer names it, whatever stays.
    @Test func manifestIsWrittenWhenRemovalOfObsoleteFileFails() throws {
        let folder = world.output.appending("a")
        world.makeFolder(folder)
        for name in ["b.wav.1.dat", "b.wav.3.dat"] {
            world.folder.write(Self.waveform, to: Pathname("output/a/\(name)"))
        }
        // Nobody can remove a name that is too long for the file system.
        let endless = Pathname(String(repeating: "b", count: 300) + ".dat")
        try expire("b.wav.1.dat", endless, "b.wav.3.dat", in: "a")
        let answers = write([order("a")])
        #expect(answers["a"]?.first??.reason == .nameTooLong)
        #expect(TestWorld.tree(folder) == ["manifest.json"])
    }

    @Test func obsoleteFilesStayWhenManifestCannotBeWritten() throws {
        world.makeFolder(world.output.appending("b/manifest.json"))
        world.makeFolder(world.output.appending("a"))
        for folder in ["a", "b"] {
            world.folder.write(Self.waveform, to: Pathname("output/\(folder)/b.wav.2.dat"))
            try expire("b.wav.2.dat", in: Pathname(folder))
        }
        let answers = write(["a", "b"].map { order($0) })
        #expect(answers["b"]?.first??.reason == .placeTaken)
        #expect(TestWorld.tree(world.output.appending("a")) == ["manifest.json"])
        #expect(
            TestWorld.tree(world.output.appending("b")) == ["b.wav.2.dat", "manifest.json"])
        #expect(try world.record.obsoleteFiles(in: "b").map(\.name) == ["b.wav.2.dat"])
    }

    @Test func lastManifestIsDeletedWithItsFolders() throws {
        #expect(write([order("a/b")])["a/b"] == [nil])
        var last = ManifestOrder(folder: "a/b", recipe: Boxed(Recipe()), forgetting: ["b.wav"])
        last.isLast = true
        #expect(write([last])["a/b"] == [nil])
        #expect(TestWorld.tree(world.output) == ["last", "last/manifest.json"])
        #expect(try !world.record.contents(of: "a/b").isKnown)
    }

    @Test func outcomesAreKeptWhenManifestCannotBeWritten() throws {
        world.folder.write([], to: "output/b")
        #expect(write([order("b")])["b"]?.first??.reason == .placeTaken)
        let contents = try world.record.contents(of: "b")
        #expect(contents.works.map(\.entry.name) == ["b.wav"])
        #expect(contents.printed == nil)
    }

    @Test func unchangedManifestIsNotRewritten() throws {
        #expect(write([order("a")])["a"] == [nil])
        let file = world.output.appending("a/manifest.json")
        try FileSystem.setModified(file, nanoseconds: 5)
        #expect(write([order("a")])["a"] == [nil])
        #expect(try TestWorld.stamp(of: file).modifiedNanoseconds == 5)
    }
}

extension Result where Success == [Pathname], Failure == RecordingFailure {
    /// What went wrong.
    fileprivate var failure: RecordingFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
