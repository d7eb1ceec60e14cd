import Dispatch
import Foundation
import Recordings
import TestSupport
import Testing

/// Months of landings and deletions in a row: what a run needs does not grow with what has
/// happened.
///
/// `LANDINGS` in the environment makes it more of them, and has the curve told.
@Suite struct MonthsTests {
    private static let asked = ProcessInfo.processInfo.environment["LANDINGS"].flatMap { Int($0) }
    private static let landings = asked ?? 1000
    private static let live = 100
    private static let batch = 100

    /// What a process needs at a moment.
    struct Need: CustomStringConvertible {
        var landings: Int
        var residentKilobytes: Int
        var descriptors: Int
        var watches: Int

        init(of process: Int32, landings: Int) {
            self.landings = landings
            let folder = Pathname("/proc/\(process)")
            let memory = String(
                decoding: TestFolder.bytes(of: folder.appending("statm")), as: UTF8.self)
            let pages = memory.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            residentKilobytes = pages * Int(getpagesize()) / 1024
            let open = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd")) ?? []
            descriptors = open.count
            watches = open.reduce(0) { count, name in
                let facts = TestFolder.bytes(of: folder.appending(Pathname("fdinfo/\(name)")))
                return count
                    + String(decoding: facts, as: UTF8.self).split(separator: "\n")
                    .count { $0.hasPrefix("inotify wd:") }
            }
        }

        var description: String {
            "\(landings) landings: \(residentKilobytes) kB, \(descriptors) open, \(watches) watches"
        }
    }

    private let library = Library()
    private let sound = SmallWAV.bytes(SmallWAV.voice(after: 0, seconds: 0.1, before: 0))

    @Test(arguments: [["--prune"], []])
    func resourceUseStaysBoundedOverManyRecordings(options: [String]) async throws {
        let watch = Watch(library, options, keepsEvents: false)
        await watch.begin()
        var year = Year(library, sound)
        var needs: [Need] = []
        let every = max(MonthsTests.batch, min(2000, MonthsTests.landings / 20))
        var done = 0
        var told: [Pathname: Int] = [:]
        var failures: [Watch.Event] = []
        var again: [Pathname] = []
        while year.landings < MonthsTests.landings {
            let expected = year.land(MonthsTests.batch)
            var missing = Set(expected)
            let isDone = await watch.wait {
                for event in watch.listen() {
                    guard event.event == "recording", let path = event.path else { continue }
                    missing.remove(path)
                    guard event.isOutcome else { continue }
                    done += 1
                    told[path, default: 0] += 1
                    if !expected.contains(path) { again.append(path) }
                    if event.status != .done { failures.append(event) }
                }
                return missing.isEmpty || !watch.isRunning
            }
            try #require(isDone && watch.isRunning, "\(missing.count) were lost")
            #expect(told.values.allSatisfy { $0 == 1 }, "done twice")
            told = [:]
            year.renameSome()
            year.remove(keeping: MonthsTests.live)
            if year.landings % every == 0 {
                needs.append(Need(of: watch.processIdentifier, landings: year.landings))
                if MonthsTests.asked != nil {
                    print("months: \(options) \(needs[needs.count - 1])")
                }
            }
        }
        #expect(await watch.rest())
        await watch.stop()
        #expect(failures.isEmpty, "\(failures)")
        #expect(again.isEmpty, "decoded again, some under another name")
        #expect(done == year.landings, "each was decoded once")
        judge(needs)
    }

    private func judge(_ needs: [Need]) {
        let quarter = needs.count / 4
        let second = Array(needs[quarter..<2 * quarter])
        let last = Array(needs[(needs.count - quarter)...])
        let median = { (needs: [Need], value: (Need) -> Int) in
            needs.map(value).sorted()[needs.count / 2]
        }
        let memory = (median(second, \.residentKilobytes), median(last, \.residentKilobytes))
        // Of few landings, much is still what a process grows to at first.
        let slack = MonthsTests.asked == nil ? 16_384 : 4096
        #expect(memory.1 <= memory.0 * 6 / 5 + slack, "\(needs)")
        let most = { (needs: [Need], value: (Need) -> Int) in needs.map(value).max() ?? 0 }
        #expect(most(last, \.descriptors) <= most(second, \.descriptors) + 4, "\(needs)")
        #expect(most(last, \.watches) <= most(second, \.watches) + 3, "\(needs)")
    }
}

/// A folder for each day, in which recordings land, are renamed, and are removed after a while.
private struct Year {
    private static let perDay = 250

    private let library: Library
    private let sound: [UInt8]
    private var alive: [Pathname] = []
    private(set) var landings = 0

    init(_ library: Library, _ sound: [UInt8]) {
        self.library = library
        self.sound = sound
    }

    /// Has recordings land, of which no two are the same.
    mutating func land(_ count: Int) -> [Pathname] {
        let new = (landings..<landings + count).map { number in
            var bytes = sound
            for place in 0..<3 {
                bytes[400 + 2 * place] = UInt8(truncatingIfNeeded: number >> (8 * place))
            }
            let path = Pathname("day \(number / Year.perDay)/\(number).wav")
            library.add(path, bytes)
            return path
        }
        landings += count
        alive += new
        return new
    }

    /// Renames a recording that landed last.
    mutating func renameSome() {
        let old = alive[alive.count - 1]
        let new = old.parent.appending(Pathname("renamed \(old.lastComponent.text)"))
        rename(library.root.appending(old).text, library.root.appending(new).text)
        alive[alive.count - 1] = new
    }

    /// Removes the oldest, and the days that are empty then.
    mutating func remove(keeping live: Int) {
        let old = alive.prefix(max(0, alive.count - live))
        for path in old { unlink(library.root.appending(path).text) }
        alive.removeFirst(old.count)
        for day in Set(old.map(\.parent)) { rmdir(library.root.appending(day).text) }
    }
}
