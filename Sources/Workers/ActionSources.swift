@preconcurrency import Dispatch
import Jobs

/// Starts the event source of a subscription; the returned closure stops it.
package enum ActionSources {
    /// - Parameters:
    ///   - signals: the source of stop signals; `nil` for none.
    ///   - watcher: the source of file events; `nil` for none.
    ///   - places: the run's folders, which a watcher also checks for replacement.
    package static func start(
        _ subscription: JobStore.Subscription, signals: StopSignals? = nil,
        watcher: FolderWatcher? = nil, places: RunPlaces? = nil,
        send: @escaping @Sendable (JobStore.Action) -> Void
    ) -> @Sendable () -> Void {
        switch subscription {
        case .stopSignals:
            guard let signals else { return {} }
            return signals.start(send: send)
        case .ticks(let perSecond): return ticks(perSecond, send)
        case .folderChanges: return folderChanges(watcher, places, send)
        }
    }

    /// The monotonic time of all `ticked` actions, in seconds.
    package static var nowSeconds: Double {
        Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }

    private static func ticks(
        _ perSecond: Int, _ send: @escaping @Sendable (JobStore.Action) -> Void
    ) -> @Sendable () -> Void {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "tapedeck.ticks"))
        timer.schedule(deadline: .now(), repeating: 1 / Double(perSecond))
        timer.setEventHandler { send(.ticked(nowSeconds)) }
        timer.resume()
        return { timer.cancel() }
    }

    /// File events in watched folders, each preceded by the time it was reported.
    private static func folderChanges(
        _ watcher: FolderWatcher?, _ places: RunPlaces?,
        _ send: @escaping @Sendable (JobStore.Action) -> Void
    ) -> @Sendable () -> Void {
        guard let watcher else { return {} }
        let tell = { @Sendable (report: WatchReport) in
            send(.ticked(nowSeconds))
            switch report {
            case .noticed(let notices): send(.scan(.noticed(notices)))
            case .overflowed: send(.scan(.overflowed))
            }
        }
        let endFolders = watcher.start(report: tell)
        let endPlaces = places.map { ReplacedFolderCheck.start($0, report: tell) }
        return {
            endFolders()
            endPlaces?()
        }
    }
}
