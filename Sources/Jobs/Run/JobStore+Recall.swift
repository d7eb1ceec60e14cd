import Recordings
import ReducerKit

// Jobs that build on earlier results, which the record has.

extension JobStore.State {
    /// The first step on a recording: if it has an earlier entry, that is read before.
    mutating func withEarlierEntry(_ id: RecordingID, _ stages: Stages) -> Job.Next {
        if let previous = folders[jobs[id].folder].previous[id], previous.whole == nil {
            return jobs[id].recall(for: stages)
        }
        return firstStep(of: id, stages)
    }

    /// Goes on with a job whose earlier entry was read from the record.
    /// - Parameter entry: `nil` if the record has none any more.
    mutating func takeRecalled(
        _ id: RecordingID, _ entry: Boxed<ManifestEntry>?, _ stages: Stages, _ order: Order
    ) {
        folders[jobs[id].folder].previous[id]?.whole = entry
        scheduler.running += 1
        begin(id, firstStep(of: id, stages), order)
    }

    /// The first step on a recording that is new, or whose earlier entry was asked for.
    mutating func firstStep(of id: RecordingID, _ stages: Stages) -> Job.Next {
        let folder = jobs[id].folder
        if jobs[id].mayBeTimesOnly, let entry = folders[folder].previous[id]?.whole {
            return entry.value.source == jobs[id].stamp
                ? jobs[id].adopt(entry.value, from: folders[folder].path)
                : jobs[id].identify(for: stages)
        }
        // What is done from here on is not only to recognise it.
        jobs[id].mayBeTimesOnly = false
        if let previous = earlierEntry(of: id, stages) {
            return jobs[id].start(stages, previous: previous)
        }
        // Without an earlier entry, there is nothing to build on. A checksum is kept current.
        let known = folders[folder].previous[id]?.entry
        let all: Stages = known?.sourceSHA256 == nil ? .all : [.all, .checksum]
        return jobs[id].start(stages.union(all), previous: nil)
    }

    /// Goes on with a recording of the recorded length, and another time, whose digest is known.
    mutating func takeIdentified(
        _ id: RecordingID, _ digest: String, _ stages: Stages, _ order: Order
    ) {
        let folder = jobs[id].folder
        scheduler.running += 1
        if let entry = folders[folder].previous[id]?.whole, entry.value.sourceSHA256 == digest {
            begin(id, jobs[id].adopt(entry.value, from: folders[folder].path), order)
        } else {
            jobs[id].mayBeTimesOnly = false
            begin(id, firstStep(of: id, stages), order)
        }
    }

    /// The earlier entry that a job builds on if only some stages are stale.
    func earlierEntry(
        of id: RecordingID, _ stages: Stages
    ) -> Boxed<ManifestEntry>? {
        let folder = jobs[id].folder
        guard !folders[folder].previous.isEmpty, !stages.isSuperset(of: .all) else { return nil }
        guard var entry = folders[folder].previous[id]?.whole else { return nil }
        // The source is back.
        if entry.value.status == .sourceMissing { entry.value.status = .done }
        // Its leftovers are no longer needed.
        if entry.value.leftBehind != nil { entry.value.leaveBehind(only: []) }
        return entry
    }
}
