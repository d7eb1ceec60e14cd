/// The result of subscribing to a folder's changes; a folder that is not watched must be polled.
package enum WatchOutcome: Hashable, Codable, Sendable {
    case watched
    /// The user has reached the limit of watches (`fs.inotify.max_user_watches`).
    case outOfWatches
    /// The user has reached the limit of inotify instances (`fs.inotify.max_user_instances`), or
    /// this process that of open files.
    case outOfInstances
    /// The file system does not report changes made by other machines.
    case remote
    /// The system has no means to watch folders.
    case unsupported
    /// `code` is the system's `errno`.
    case failed(code: Int32)
}
