import Recordings
import TestSupport
import Testing

@testable import Jobs

@Suite struct RecordChangesTests {
    private let done = Example.doneEntry("a.wav")
    private let failure = Example.failure(.permissionDenied, in: .scan)

    private func entry(
        after changes: RecordChange..., of earlier: ManifestEntry?
    ) -> ManifestEntry? {
        var all = RecordChanges()
        for change in changes { all.add(change, to: "a.wav") }
        return all.changes["a.wav"]?.applied(to: earlier, named: "a.wav")
    }

    @Test func goneRecordingKeepsTheRestOfItsEntry() {
        var gone = done
        gone.status = .sourceMissing
        #expect(entry(after: .updated(.sourceMissing), of: done) == gone)
        #expect(entry(after: .updated(.sourceMissing), .updated(.done), of: done) == done)
        #expect(entry(after: .updated(.sourceMissing), of: nil) == nil)
    }

    @Test func failedRecordingRetainsEarlierOutputsOnce() {
        let once = entry(after: .failed(failure), of: done)
        #expect(once?.status == .failed && once?.failure == failure && once?.source == nil)
        #expect(once?.leftBehind == ["a.wav.dat"] && once?.earlier?.map(\.names) == [["a.wav.dat"]])
        #expect(entry(after: .failed(failure), of: once) == once)
        #expect(entry(after: .failed(failure), .failed(failure), of: done) == once)
        #expect(entry(after: .failed(failure), of: nil)?.leftBehind == nil)
    }

    @Test func forgottenRecordingHasNoEntry() {
        #expect(entry(after: .updated(.done), .forgotten, of: done) == nil)
        // What fails after it has nothing to retain.
        let failed = entry(after: .forgotten, .failed(failure), of: done)
        #expect(failed?.failure == failure && failed?.leftBehind == nil)
    }

    @Test func failureOverridesEarlierStatusAndPrecedesLaterOne() {
        let change = entry(after: .updated(.sourceMissing), .failed(failure), of: done)
        #expect(change?.status == .failed)
        let later = entry(after: .failed(failure), .updated(.sourceMissing), of: done)
        #expect(later?.status == .sourceMissing && later?.failure == failure)
    }

    @Test func earlierChangesAreMergedBeforeLaterOnes() {
        var earlier = RecordChanges()
        var later = RecordChanges()
        earlier.add(.failed(failure), to: "a.wav")
        earlier.add(.forgotten, to: "b.wav")
        later.add(.updated(.sourceMissing), to: "a.wav")
        later.merge(earlier)
        let merged = later.changes["a.wav"]?.applied(to: done, named: "a.wav")
        #expect(merged?.status == .sourceMissing && merged?.failure == failure)
        #expect(later.changes["b.wav"] == .forgotten)
    }
}
