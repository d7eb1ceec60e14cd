import Recordings

/// Why times of a recording cannot be mapped.
package enum MapRefusal: Error, Hashable, Sendable {
    case manifestMissing(Pathname)
    case manifestUnreadable(Pathname, ResultTrouble)
    /// The manifest does not list it; it lists `count` others, `some` of which are given.
    case recordingUnknown(Pathname, manifest: Pathname, some: [Pathname], count: Int)
    /// It was not cut, so there is nothing to map.
    case notTrimmed(Pathname, TrimRefusal)
    /// It failed, and no copy of it was made.
    case failed(Pathname, RecordingFailure)
    /// The edits in the manifest contradict each other.
    case editsDamaged(Pathname, manifest: Pathname)
}
