import Jobs
import Recordings

/// Words about watching.
package enum WatchText {
    /// Why the system does not tell of changes in a folder, and what is done instead.
    static func refusal(_ outcome: WatchOutcome) -> String {
        switch outcome {
        case .watched: "it is watched"
        case .outOfWatches:
            "no more folders can be watched; from here on, folders are looked at now and then"
                + " instead (raise fs.inotify.max_user_watches)"
        case .outOfInstances:
            "no more programs can watch folders; they are looked at now and then instead"
                + " (raise fs.inotify.max_user_instances)"
        case .remote:
            "its file system does not tell of what other machines do; it is looked at now and then"
                + " instead (--poll sets how often)"
        case .unsupported:
            "this system does not tell of changes; folders are looked at now and then instead"
                + " (--poll sets how often)"
        case .failed(let code):
            "it cannot be watched (error \(code)); it is looked at now and then instead"
        }
    }
}
