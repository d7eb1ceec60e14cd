/// What came of asking the system to tell of changes in a folder.
package enum WatchOutcome: Hashable, Codable, Sendable {
    case watched
    /// No more folders may be watched.
    case outOfWatches
    /// No more programs may watch.
    case outOfInstances
    /// The file system does not tell of what other machines do.
    case remote
    /// `code` is `errno`.
    case failed(code: Int32)
}
