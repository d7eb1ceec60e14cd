import Recordings

/// Why speed is not measured.
package enum BenchRefusal: Error, Hashable, Sendable {
    /// The path cannot be measured on, as it could not be worked on.
    case path(RunRefusal)
    case noRecordings(Pathname)
    /// None of those that were looked at; why not the first of them.
    case noneDecodable(Pathname, count: Int, example: Pathname, RecordingFailure)
    /// There is no room for what is written meanwhile; `detail` has the system's own words.
    case noScratch(Pathname, detail: String)
    /// A recording could not be read any more.
    case failed(Pathname, RecordingFailure)
    /// A run could not be started, or did not end well; the last that it said.
    case runFailed(status: Int32, detail: String)
    case stopped(StopSignal)
}
