import Jobs
import Recordings
import TestSupport
import Testing

@Suite struct MissingByDigestTests {
    private let folder = FolderID(0)

    private func entry(_ name: Pathname, _ digest: String?, bytes: Int64 = 10) -> SettledEntry {
        var entry = ManifestEntry(
            name: name, status: .sourceMissing,
            source: FileStamp(bytes: bytes, modifiedNanoseconds: 1))
        entry.sourceSHA256 = digest
        return SettledEntry(entry)
    }

    @Test func missingEntryIsTakenOnlyOnce() {
        var missing = MissingByDigest()
        missing.note(entry("a", "A"), in: folder)
        missing.note(entry("a", "A"), in: folder)
        missing.note(entry("b", "B"), in: folder)
        #expect(missing.mayHold(bytes: 10) && !missing.mayHold(bytes: 11))
        #expect(missing.take("A")?.name == "a")
        #expect(missing.take("A") == nil)
        #expect(missing.mayHold(bytes: 10))
        #expect(missing.take("B")?.name == "b")
        #expect(!missing.mayHold(bytes: 10))
    }

    @Test func lastEntryWithSameDigestWins() {
        var missing = MissingByDigest()
        missing.note(entry("a", "A"), in: folder)
        missing.note(entry("b", "A"), in: FolderID(1))
        missing.forget(entry("a", "A"), in: folder)
        #expect(missing.take("A")?.name == "b")
        #expect(!missing.mayHold(bytes: 10))
    }

    @Test func entryWithoutDigestOrWithFailureIsIgnored() {
        var missing = MissingByDigest()
        missing.note(entry("a", nil), in: folder)
        var failed = entry("b", "B")
        failed.failure = Example.failure()
        missing.note(failed, in: folder)
        #expect(!missing.mayHold(bytes: 10))
    }

    @Test func oldestEntryIsForgottenAboveTheLimit() {
        var missing = MissingByDigest()
        for number in 0...MissingByDigest.mostKnown {
            missing.note(entry("a", "\(number)", bytes: Int64(number)), in: folder)
        }
        #expect(!missing.mayHold(bytes: 0))
        #expect(missing.mayHold(bytes: 1))
        #expect(missing.take("\(MissingByDigest.mostKnown)") != nil)
    }
}
