/// What became of the wish to watch a folder; unless it is watched, only looking again tells what
/// happens there.
package enum WatchOutcome: Hashable, Codable, Sendable {
    case watched
    /// The user has as many watches as the system allows (`fs.inotify.max_user_watches`).
    case outOfWatches
    /// The user has as many watchers as the system allows (`fs.inotify.max_user_instances`), or
    /// this process as many open files.
    case outOfInstances
    /// The file system does not tell of what other machines do.
    case remote
    /// The system has nothing that could be watched with.
    case unsupported
    /// `code` is the system's `errno`.
    case failed(code: Int32)
}
