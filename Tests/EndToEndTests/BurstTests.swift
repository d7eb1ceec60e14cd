import Dispatch
import Foundation
import Recordings
import TestSupport
import Testing

/// Many recordings that come at once, copied in by programs that people use.
///
/// `FILES` in the environment makes it more of them, and has each burst told of.
@Suite(.serialized) struct BurstTests {
    private static let asked = ProcessInfo.processInfo.environment["FILES"].flatMap { Int($0) }
    private static let files = asked ?? 200

    enum Program: String, CaseIterable {
        case cp = "cp -r \"$1/.\" \"$2\""
        case rsync = "rsync -a \"$1/\" \"$2/\""
    }

    private let library = Library()
    private let paths: [Pathname]
    private var source: Pathname { library.folder.path("source") }

    init() {
        paths = BurstTests.fill(library, BurstTests.files)
    }

    /// Makes short recordings: a fifth of them in one folder, the others in many.
    private static func fill(_ library: Library, _ count: Int) -> [Pathname] {
        let sound = SmallWAV.bytes(SmallWAV.voice(after: 0, seconds: 0.1, before: 0))
        return (0..<count).map { number in
            let folder = number % 5 == 0 ? "many" : "in \(number / 50 % 10)/\(number / 5 % 10)"
            let path = Pathname("\(folder)/\(number).wav")
            library.makeFolder(Pathname("source/\(folder)"))
            var bytes = sound
            bytes[400] = UInt8(truncatingIfNeeded: number)
            bytes[600] = UInt8(truncatingIfNeeded: number >> 8)
            library.folder.write(bytes, to: Pathname("source").appending(path))
            return path
        }
    }

    private func copy(_ program: Program) -> RunningTool {
        RunningTool(
            program: "/bin/sh", ["-c", program.rawValue, "sh", source.text, library.root.text])
    }

    /// Waits until the watch has told of all, and nothing is left to do.
    private func settle(_ watch: Watch) async {
        var told: Set<Pathname> = []
        let isAll = await watch.wait(seconds: 1200) {
            for event in watch.listen() where event.event == "recording" {
                if let path = event.path { told.insert(path) }
            }
            return told.count >= paths.count || !watch.isRunning
        }
        #expect(isAll && told.count == paths.count, "\(paths.count - told.count) were lost")
        #expect(await watch.rest())
    }

    /// Names of what was told to be done, and how often, where that is not once.
    private func notOnce(_ events: [Watch.Event]) -> [Pathname: Int] {
        var times = Dictionary(uniqueKeysWithValues: paths.map { ($0, 0) })
        for event in events where event.isDone {
            if let path = event.path { times[path, default: 0] += 1 }
        }
        return times.filter { $0.value != 1 }
    }

    private func expectAllInManifests() throws {
        let folders = Dictionary(grouping: paths, by: \.parent)
        for (folder, paths) in folders {
            let manifest = try library.manifest(folder)
            #expect(manifest.recordings.allSatisfy { $0.status == .done })
            #expect(Set(manifest.recordings.map(\.name)) == Set(paths.map(\.lastComponent)))
        }
        let hidden = library.outputs().names.filter(\.lastComponent.isHidden)
        #expect(hidden == [])
    }

    @Test(arguments: Program.allCases)
    func everyFileOfBurstIsProcessedOnce(program: Program) async throws {
        let watch = Watch(library)
        await watch.begin()
        let begin = DispatchTime.now()
        let copying = copy(program)
        #expect(await copying.end().status == 0)
        tell("\(program) has copied \(paths.count) files", since: begin)
        await settle(watch)
        tell("all of them are done and in manifests", since: begin)
        let outcome = await watch.stop()
        #expect(outcome.errors == "")
        #expect(notOnce(watch.events) == [:])
        #expect(watch.events.count { $0.isOutcome && $0.status != .done } == 0)
        try expectAllInManifests()
        #expect(library.outputs().wherever.differences(from: library.undisturbed()) == [])
    }

    @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGKILL, 137)] as [(Int32, Int32)])
    func filesFinishedBeforeSignalAreNotReprocessed(number: Int32, status: Int32) async throws {
        let first = Watch(library)
        await first.begin()
        let copying = copy(.cp)
        var done = 0
        let isUnderWay = await first.wait {
            done += first.listen().count(where: \.isDone)
            return done >= paths.count / 4
        }
        #expect(isUnderWay)
        let begin = DispatchTime.now()
        first.send(signal: number)
        #expect(await first.end().status == status)
        let seconds = tell("it has ended by signal \(number)", since: begin)
        #expect(seconds < (BurstTests.asked == nil ? 10 : 2))
        let announced = Set(first.events.filter(\.isDone).compactMap(\.path))
        if number != SIGKILL { try expectInManifests(announced) }
        #expect(await copying.end().status == 0)
        let second = Watch(library)
        await settle(second)
        await second.stop()
        let again = second.events.filter { $0.isOutcome }.compactMap(\.path)
        #expect(announced.intersection(again) == [], "done twice")
        // What was recorded in the moment of a kill may be told of by nobody.
        let odd = notOnce(first.events + second.events)
        #expect(odd.filter { number != SIGKILL || $0.value > 1 } == [:])
        try expectAllInManifests()
        #expect(library.outputs().wherever.differences(from: library.undisturbed()) == [])
    }

    private func expectInManifests(_ announced: Set<Pathname>) throws {
        #expect(!library.outputs().names.contains { $0.text.hasSuffix(".partial") })
        for (folder, paths) in Dictionary(grouping: announced, by: \.parent) {
            let manifest = try library.manifest(folder)
            let names = manifest.recordings.filter { $0.status == .done }.map(\.name)
            #expect(Set(paths.map(\.lastComponent)).subtracting(names) == [])
        }
    }

    @discardableResult
    private func tell(_ what: String, since begin: DispatchTime) -> Double {
        let nanoseconds = DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds
        let seconds = Double(nanoseconds) / 1e9
        if BurstTests.asked != nil {
            print("bursts: \(what) after \((seconds * 10).rounded() / 10) s")
        }
        return seconds
    }
}
