import Foundation
import Recordings
import TestSupport
import Testing

/// What a run has in memory once many recordings are done.
@Suite struct MemoryTests {
    private let library = Library()

    /// The most that a process has had so far.
    private func peakKilobytes(of process: Int32) -> Int? {
        let status = TestFolder.bytes(of: Pathname("/proc/\(process)/status"))
        return String(decoding: status, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("VmHWM:") }?
            .split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    /// What it took to listen to one recording serves the next: what is left of each is what the
    /// manifest will say of it.
    ///
    /// A run is ahead of what is read of it by what a pipe holds, less than 100 lines, and a group
    /// of outcomes, 64 at the most: so it has not ended when it is looked at last, and 1600 lie
    /// between.
    @Test func memoryIsReusedAcrossRecordings() throws {
        let sound = SmallWAV.bytes(SmallWAV.voice(after: 0.3, seconds: 0.4, before: 0.3))
        for number in 0..<2000 { library.add(Pathname("memo-\(number).wav"), sound) }
        let run = RunningTool(["run", library.root.text, "--jobs", "1", "--json"])
        var done = 0
        func peak(after count: Int) throws -> Int {
            while done < count {
                let line = try #require(run.nextLine())
                if line.contains(#""event":"recording""#) { done += 1 }
            }
            run.hold()
            defer { run.send(signal: SIGCONT) }
            return try #require(peakKilobytes(of: run.processIdentifier))
        }
        let some = try peak(after: 20)
        let many = try peak(after: 1800)
        #expect(many - some < 1600 * 4)
        #expect(run.wait().status == 0)
    }
}
