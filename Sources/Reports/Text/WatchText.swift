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
        case .settled(let folder, let entry, _, upToDate: false) where entry.status == .done:
            return "done \(place(folder, entry.name))"
        case .awaited(let folder, let name, let failure):
            return "waiting \(place(folder, name)) (\(reason(failure)))"
        case .missing(let folder, let name, let pruned):
            return "gone \(place(folder, name))"
                + (pruned ? " (its results are deleted)" : "")
        case .moved(let folder, let name, let newFolder, let newName):
            return "moved \(place(folder, name)) to \(place(newFolder, newName))"
        default:
            return nil
        }
    }

    /// Why a recording is not processed yet.
    static func reason(_ failure: RecordingFailure?) -> String {
        guard let failure else { return "may still be written" }
        return failure.reason == .beingWritten
            ? "still being written" : FailureText.sentence(for: failure)
    }

    /// Why a folder is polled instead of watched with inotify.
    static func refusal(_ outcome: WatchOutcome) -> String {
        switch outcome {
        case .watched: "it is watched"
        case .outOfWatches:
            "the limit of inotify watches is reached: folders are polled instead (raise"
                + " fs.inotify.max_user_watches)"
        case .outOfInstances:
            "the limit of inotify instances is reached: folders are polled instead (raise"
                + " fs.inotify.max_user_instances)"
        case .remote:
            "its file system does not report changes by other machines: it is polled instead"
                + " (--poll sets the interval)"
        case .unsupported:
            "inotify is not available: folders are polled instead (--poll sets the interval)"
        case .failed(let code):
            "inotify failed (error \(code)): it is polled instead"
        }
    }
}
