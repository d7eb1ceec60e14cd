import Dispatch
import Glibc
import Jobs
import Recordings
import Reports
import Synchronization
import Workers

/// Tells others what a watch does: hooks, and a metrics file.
///
/// Tells the user that the settings file has changed.
final class WatchTeller: Sendable {
    /// How often metrics are written, and the settings file is looked at.
    private static let lookSeconds = 15

    private let metrics: Pathname?
    private let places: RunPlaces
    /// The settings file, which need not exist, and what it was when the watch began; `nil` if none
    /// is read.
    private let settings: (path: Pathname, stamp: FileStamp?)?
    private let said: SaidOnce
    private let onFailure: HookRunner?
    private let onDone: HookRunner?
    private let queue = DispatchQueue(label: "tapedeck.teller")
    private let isOver = Mutex(false)

    /// - Parameter settings: the settings file; `nil` if none is read.
    init(
        _ options: TellOptions, _ painter: TerminalPainter, _ places: RunPlaces,
        settings: Pathname?
    ) {
        let said = SaidOnce(painter)
        func hook(_ option: String, _ command: String?, pauseSeconds: Double) -> HookRunner? {
            command.map { command in
                HookRunner(
                    command, HookRunner.Limits(pauseSeconds: pauseSeconds),
                    omission: EventLine.omitted
                ) { said.take(option, HookText.sentence(for: $0)) }
            }
        }
        (metrics, self.places, self.said) = (options.metrics, places, said)
        self.settings = settings.map { ($0, SettingsDocument.stamp(of: $0)) }
        onFailure = hook("--on-failure", options.onFailure, pauseSeconds: 60)
        onDone = hook("--on-done", options.onDone, pauseSeconds: 1)
    }

    /// Called for each announcement, in order.
    /// - Parameter line: the event as JSON; called only if somebody is to be told.
    func note(_ announcement: Announcement, line: () -> String) {
        switch announcement {
        case .settled(_, let entry, _, upToDate: false):
            (entry.failure == nil ? onDone : onFailure)?.add(line())
        case .folderFailed, .manifestFailed, .exportTrouble, .stopped: onFailure?.add(line())
        default: break
        }
    }

    /// Begins to look at intervals.
    func begin(_ facts: @escaping @Sendable () -> WatchFacts) {
        queue.async { [self] in look(facts) }
    }

    private func look(_ facts: @escaping @Sendable () -> WatchFacts) {
        guard !isOver.withLock(\.self) else { return }
        write(facts())
        lookAtSettings()
        queue.asyncAfter(deadline: .now() + .seconds(WatchTeller.lookSeconds)) { [self] in
            look(facts)
        }
    }

    private func lookAtSettings() {
        guard let settings else { return }
        let hasChanged = SettingsDocument.stamp(of: settings.path) != settings.stamp
        let shown = RunPlaces.shown(settings.path)
        var sentence = hasChanged ? "the file has changed; the next start uses it" : nil
        do throws(SettingsFault) {
            if hasChanged { _ = try SettingsFile.read(settings.path, shown: shown) }
        } catch {
            sentence = "the file has changed, and the next start would refuse it: \(error.text)"
        }
        said.take(shown.displayText, sentence)
    }

    /// Tells what is left; returns once no hook is running, after `lastSeconds` of a hook at most.
    func finish(_ facts: WatchFacts) {
        isOver.withLock { $0 = true }
        queue.sync {
            write(facts)
            lookAtSettings()
        }
        let hooks = [onFailure, onDone].compactMap(\.self)
        let group = DispatchGroup()
        for hook in hooks { hook.finish(in: group) }
        group.wait()
    }

    private func write(_ facts: WatchFacts) {
        guard let metrics else { return }
        let text = MetricsText.text(facts, output: places.output, now: time(nil))
        var sentence: String?
        do throws(FileSystemError) {
            try MetricsFile.write(text, to: metrics)
        } catch {
            sentence =
                error.code == EEXIST
                ? "\(metrics.displayText) holds something else; choose another name"
                : "\(metrics.displayText) cannot be written: \(error.detail)"
        }
        said.take("--metrics", sentence)
    }
}

/// Words about hooks.
enum HookText {
    /// What was wrong with a call; `nil` if nothing was.
    static func sentence(for outcome: HookOutcome) -> String? {
        switch outcome {
        case .done: nil
        case .failed(let status, let detail):
            "the command failed with exit status \(status)"
                + (detail.isEmpty ? "" : ": \(detail)") + again
        case .tookTooLong(let seconds):
            "the command took longer than \(seconds) s, and was killed" + again
        case .notStarted(let detail): "the command could not be started: \(detail)" + again
        }
    }

    private static let again = "; said once until it succeeds"
}
