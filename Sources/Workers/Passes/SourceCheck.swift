import Jobs
import Recordings

/// Checks whether a source has changed since the scan.
enum SourceCheck {
    /// Throws unless the file has this stamp.
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

    /// If the run waits for incomplete recordings, throws if a program may still be writing this
    /// one.
    static func checkWriters(
        of path: Pathname, _ source: RecordingSource, in stage: Stage,
        _ isBeingWritten: (Pathname) -> Bool?
    ) throws(RecordingFailure) {
        guard source.context.value.isPatient, isBeingWritten(path) == true else { return }
        throw RecordingFailure(stage: stage, reason: .beingWritten)
    }

    /// The answer to a failure of work on a source.
    ///
    /// If the file has changed meanwhile, the answer says so: the failure does not apply to the
    /// current file.
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
            // An inaccessible file may be unchanged.
            return error.isMissing && isPatient
                ? .sourceChanged(nil) : .failed(failure, measured: measured)
        }
    }
}
