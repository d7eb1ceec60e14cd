import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct ChildRunTests {
    private let folder = TestFolder()

    private func run(_ script: Pathname) -> Result<BenchCost, BenchRefusal> {
        let child = ChildRun(
            program: "/bin/sh", arguments: ["-c", script], errors: folder.path("errors"))
        return Result { () throws(BenchRefusal) in try child.run() }
    }

    @Test func childTimeAndPeakMemoryAreReported() throws {
        let cost = try run("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done").get()
        #expect(cost.wallSeconds > 0 && cost.cpuSeconds > 0)
        #expect(cost.cpuSeconds < cost.wallSeconds * 2)
        #expect(cost.peakBytes > 500_000)
    }

    @Test func failedChildReportsStatusAndLastErrorLine() {
        #expect(
            run("echo one >&2; echo two >&2; exit 3")
                == .failure(.runFailed(status: 3, detail: "two")))
        #expect(run("kill -9 $$") == .failure(.runFailed(status: 137, detail: "")))
    }

    @Test func missingProgramIsReportedAsStatus127() {
        let child = ChildRun(
            program: folder.path("nothing"), arguments: [], errors: folder.path("errors"))
        let error = #expect(throws: BenchRefusal.self) { _ = try child.run() }
        #expect(error == .runFailed(status: 127, detail: "No such file or directory"))
    }
}
