import Jobs
import Recordings
import TestSupport
import Testing

@Suite struct VanishedTests {
    private let folder = FolderID(0)

    private func entry(_ name: Pathname, _ digest: String?, bytes: Int64 = 10) -> ManifestEntry {
        var entry = ManifestEntry(
            name: name, status: .sourceMissing,
            source: FileStamp(bytes: bytes, modifiedNanoseconds: 1))
        entry.sourceSHA256 = digest
        return entry
    }

    @Test func knowsOfWhatIsGoneOnce() {
        var vanished = Vanished()
        vanished.note(entry("a", "A"), in: folder)
        vanished.note(entry("a", "A"), in: folder)
        vanished.note(entry("b", "B"), in: folder)
        #expect(vanished.mayHold(bytes: 10) && !vanished.mayHold(bytes: 11))
        #expect(vanished.take("A")?.name == "a")
        #expect(vanished.take("A") == nil)
        #expect(vanished.mayHold(bytes: 10))
        #expect(vanished.take("B")?.name == "b")
        #expect(!vanished.mayHold(bytes: 10))
    }

    @Test func ofTwinsTheLastIsKnown() {
        var vanished = Vanished()
        vanished.note(entry("a", "A"), in: folder)
        vanished.note(entry("b", "A"), in: FolderID(1))
        vanished.forget(entry("a", "A"), in: folder)
        #expect(vanished.take("A")?.name == "b")
        #expect(!vanished.mayHold(bytes: 10))
    }

    @Test func whatHasNoDigestOrFailedIsNotKnown() {
        var vanished = Vanished()
        vanished.note(entry("a", nil), in: folder)
        var failed = entry("b", "B")
        failed.failure = Example.failure()
        vanished.note(failed, in: folder)
        #expect(!vanished.mayHold(bytes: 10))
    }

    @Test func ofVeryManyTheFirstAreForgotten() {
        var vanished = Vanished()
        for number in 0...Vanished.mostKnown {
            vanished.note(entry("a", "\(number)", bytes: Int64(number)), in: folder)
        }
        #expect(!vanished.mayHold(bytes: 0))
        #expect(vanished.mayHold(bytes: 1))
        #expect(vanished.take("\(Vanished.mostKnown)") != nil)
    }
}
