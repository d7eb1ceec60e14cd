import Jobs
import Recordings

/// Holds a source against what the scan saw of it.
enum SourceCheck {
    /// Throws unless the file bears this stamp.
    static func check(
        _ path: Pathname, _ stamp: FileStamp, in stage: Stage
    ) throws(RecordingFailure) {
        let status = try inStage(stage) { () throws(FileSystemError) in
            try FileSystem.status(path)
        }
        guard status.stamp == stamp else {
            throw RecordingFailure(stage: stage, reason: .changed)
        }
    }

    /// Where a recording that is not complete is waited for, throws if some program may go on
    /// writing it.
    static func checkWriters(
        of path: Pathname, _ source: RecordingSource, in stage: Stage,
        _ isBeingWritten: (Pathname) -> Bool?
    ) throws(RecordingFailure) {
        guard source.context.value.isPatient, isBeingWritten(path) == true else { return }
        throw RecordingFailure(stage: stage, reason: .beingWritten)
    }

    /// What to answer where work on a source failed.
    ///
    /// If the file has changed meanwhile, that is the answer: the failure says nothing of the file
    /// as it is now.
    static func answer(
        to failure: RecordingFailure, measured: Measurements? = nil, of path: Pathname,
        _ source: RecordingSource
    ) -> Job.Action {
        let isPatient = source.context.value.isPatient
        guard isPatient || failure.liesInRecording else {
            return .failed(failure, measured: measured)
        }
        do throws(FileSystemError) {
            let stamp = try FileSystem.status(path).stamp
            let isSame = stamp == source.stamp && failure.reason != .changed
            if isSame { return .failed(failure, measured: measured) }
            if isPatient { return .sourceChanged(stamp) }
            let changed = RecordingFailure(stage: failure.stage, reason: .changed)
            return .failed(changed, measured: nil)
        } catch {
            // One that cannot be looked at may be there as it was.
            return error.isMissing && isPatient
                ? .sourceChanged(nil) : .failed(failure, measured: measured)
        }
    }
}
