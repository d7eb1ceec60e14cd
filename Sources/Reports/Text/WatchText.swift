import Jobs
import Recordings

/// Messages of `tapedeck watch`.
package enum WatchText {
    /// The message after the initial scan, when watching starts.
    package static func beginning(folders: Int) -> String {
        "watching \(CountText.words(folders, "folder"))"
    }

    /// The message for a recording's outcome; `nil` if nothing happened, or if it failed, which
    /// `FailureText` reports.
    /// - Parameter root: the run's root as displayed before each path.
    package static func event(
        _ announcement: Announcement, below root: Pathname = .empty
    ) -> String? {
        func place(_ folder: Pathname, _ name: Pathname) -> String {
            root.appending(folder).appending(name).displayText
        }
        switch announcement {
        case .settled(let folder, let entry, upToDate: false) where entry.status == .done:
            return "done \(place(folder, entry.name))"
        case .awaited(let folder, let name, let failure):
            return "waiting \(place(folder, name)) (\(reason(failure, for: name)))"
        case .missing(let folder, let name, let pruned):
            return "gone \(place(folder, name))"
                + (pruned ? " (what was made of it is removed)" : "")
        case .moved(let folder, let name, let newFolder, let newName):
            return "moved \(place(folder, name)) to \(place(newFolder, newName))"
        default:
            return nil
        }
    }

    /// Why a recording is not processed yet.
    static func reason(_ failure: RecordingFailure?, for name: Pathname) -> String {
        guard let failure else { return "may still be written" }
        return failure.reason == .beingWritten
            ? "still being written" : FailureText.sentence(for: failure, of: name)
    }

    /// Why a folder is polled instead of watched with inotify.
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
