import Foundation
import Recordings
import TestSupport
import Testing

/// Where the system cannot tell of all that happens, nothing is lost.
@Suite struct OverflowTests {
    /// How many events the kernel keeps in mind; more than a test can make where it is not said.
    private static let longestQueue: Int = {
        let path: Pathname = "/proc/sys/fs/inotify/max_queued_events"
        let text = String(decoding: TestFolder.bytes(of: path), as: UTF8.self)
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .max
    }()

    private let library = Library()

    @Test(.enabled(if: longestQueue < 200_000, "it takes too many events"))
    func filesLandingDuringQueueOverflowAreFound() async throws {
        for folder in ["A", "A/inner", "B"] {
            library.addRecording(Pathname("\(folder)/old.wav"))
        }
        let paths = ["first", "second"].map { library.add(Pathname("A/\($0).txt"), []) }
        let watch = Watch(library, trace: true)
        await watch.begin()
        let hasDone = await watch.wait {
            watch.listen()
            return watch.events.count(where: \.isDone) == 3
        }
        try #require(hasDone)
        watch.hold()
        library.addRecording("A/early.wav")
        // By turns, as the kernel makes one of equal events that follow each other.
        for number in 0...OverflowTests.longestQueue {
            chmod(paths[number % 2].text, 0o644)
        }
        // Of these, nobody is told.
        let landings: [Pathname] = ["late.wav", "A/inner/late.wav", "B/late.wav", "C/D/late.wav"]
        for landing in landings { library.addRecording(landing) }
        unlink(library.root.appending("B/old.wav").text)
        watch.send(signal: SIGCONT)
        for landing in landings + ["A/early.wav"] {
            try #require(await watch.wait(for: .done, of: landing), "\(landing) was lost")
        }
        let isGone = await watch.wait {
            watch.manifest("B")?["old.wav"]?.status == .sourceMissing
        }
        try #require(isGone)
        #expect(await watch.rest())
        for landing in landings {
            let entry = watch.manifest(landing.parent)?[landing.lastComponent]
            #expect(entry?.status == .done)
        }
        // From then on all is as before.
        library.addRecording("B/last.wav")
        try #require(await watch.wait(for: .done, of: "B/last.wav"))
        await watch.stop()
        #expect(watch.events.count(where: \.isOutcome) == 9)
        #expect(String(decoding: watch.trace, as: UTF8.self).contains(#""overflowed""#))
    }

    /// A user namespace has limits of its own, so that those of the machine stay as they are.
    private static let fewWatches = [
        "unshare", "--user", "--map-root-user", "sh", "-c",
        "echo 3 > /proc/sys/user/max_inotify_watches && exec \"$@\"", "sh",
    ]
    private static let canLimitWatches =
        RunningTool(program: "/usr/bin/env", fewWatches + ["true"]).wait().status == 0

    @Test(.enabled(if: canLimitWatches, "the system lets nobody limit watches for himself"))
    func foldersArePolledWhenInotifyWatchesRunOut() async throws {
        let folders = (0..<6).map { Pathname("\($0)") }
        for folder in folders { library.addRecording(folder.appending("old.wav"), seconds: 0.1) }
        let watch = Watch(library, before: OverflowTests.fewWatches)
        await watch.begin()
        #expect(
            await watch.wait {
                watch.listen()
                return watch.events.count(where: \.isDone) == folders.count
            })
        for folder in folders { library.addRecording(folder.appending("new.wav"), seconds: 0.1) }
        library.addRecording("later/new.wav", seconds: 0.1)
        for folder in folders + ["later"] {
            try #require(await watch.wait(for: .done, of: folder.appending("new.wav")))
        }
        #expect(await watch.rest())
        let outcome = await watch.stop()
        #expect(watch.events.contains { $0.event == "polled" && $0.reason == "outOfWatches" })
        #expect(outcome.errors.contains("fs.inotify.max_user_watches"), "\(outcome.errors)")
        #expect(outcome.errorLines.count == 1, "it is said once")
        #expect(watch.events.count(where: \.isOutcome) == 2 * folders.count + 1)
        #expect(library.outputs().wherever.differences(from: library.undisturbed()) == [])
    }
}
