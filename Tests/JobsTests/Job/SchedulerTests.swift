import Jobs
import Recordings
import TestSupport
import Testing

@Suite struct SchedulerTests {
    private func table(_ phases: [Job.Phase]) -> JobTable {
        var jobs = JobTable()
        for phase in phases {
            _ = jobs.append(
                Job.State(
                    folder: FolderID(0), name: "a.wav", stamp: Example.stamp, phase: phase))
        }
        return jobs
    }

    @Test func startsNoMoreJobsThanTheLimit() {
        for limit in 1...5 {
            var scheduler = Scheduler(limit: limit)
            let jobs = table(Array(repeating: .waiting(.all), count: 4))
            var started: [RecordingID] = []
            while let id = scheduler.claim(from: jobs) { started.append(id) }
            #expect(started == (0..<min(limit, 4)).map { RecordingID($0) })
            #expect(scheduler.running == started.count)
            #expect(scheduler.hasFreeSlot == (limit > 4))
        }
    }

    @Test func jobsStartInOrderOfDiscovery() {
        var scheduler = Scheduler(limit: 1)
        let jobs = table([.waiting(.all), .waiting(.trim), .waiting(.all)])
        var order: [RecordingID] = []
        while let id = scheduler.claim(from: jobs) {
            order.append(id)
            scheduler.running -= 1
        }
        #expect(order == [RecordingID(0), RecordingID(1), RecordingID(2)])
        #expect(!scheduler.hasWaiting(in: jobs))
    }

    @Test func settledJobsAreSkipped() {
        var scheduler = Scheduler(limit: 2)
        let jobs = table([.settled, .waiting(.all)])
        #expect(scheduler.claim(from: jobs) == RecordingID(1))
        #expect(scheduler.claim(from: jobs) == nil)
    }

    @Test func jobsAddedLaterAreClaimed() {
        var scheduler = Scheduler(limit: 3)
        var jobs = table([.waiting(.all)])
        #expect(scheduler.claim(from: jobs) == RecordingID(0))
        #expect(scheduler.claim(from: jobs) == nil)
        _ = jobs.append(jobs[RecordingID(0)])
        #expect(scheduler.hasWaiting(in: jobs))
        #expect(scheduler.claim(from: jobs) == RecordingID(1))
    }
}

@Suite struct JobTableTests {
    @Test func tableFindsJobsByID() {
        var jobs = JobTable()
        let id = jobs.append(
            Job.State(
                folder: FolderID(0), name: "a.wav", stamp: Example.stamp, phase: .waiting(.all)))
        jobs[id].phase = .settled
        #expect(jobs[id].phase == .settled)
        for missing in [RecordingID(1), RecordingID(-1)] {
            #expect(!jobs.contains(missing))
        }
        #expect(Array(jobs.ids) == [id])
    }
}
