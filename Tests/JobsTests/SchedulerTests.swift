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

    @Test func aFreedSlotIsGivenToTheNextInOrderOfDiscovery() {
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

    @Test func passesOverJobsThatDoNotWait() {
        var scheduler = Scheduler(limit: 2)
        let jobs = table([.settled, .waiting(.all)])
        #expect(scheduler.claim(from: jobs) == RecordingID(1))
        #expect(scheduler.claim(from: jobs) == nil)
    }

    /// With so many places, of which some are lent, and so many jobs that wait behind the one that
    /// has just been claimed: how many workers that one gets.
    @Test(arguments: [
        (limit: 1, lent: 0, waiting: 0, workers: 1), (limit: 1, lent: 0, waiting: 5, workers: 1),
        (limit: 2, lent: 0, waiting: 0, workers: 2), (limit: 2, lent: 0, waiting: 1, workers: 1),
        (limit: 2, lent: 1, waiting: 0, workers: 1), (limit: 4, lent: 0, waiting: 0, workers: 4),
        (limit: 4, lent: 0, waiting: 1, workers: 2), (limit: 4, lent: 0, waiting: 2, workers: 1),
        (limit: 8, lent: 0, waiting: 1, workers: 4), (limit: 8, lent: 0, waiting: 2, workers: 2),
        (limit: 8, lent: 0, waiting: 100, workers: 1), (limit: 8, lent: 3, waiting: 0, workers: 5),
    ])
    func sharesTheFreePlacesWithThoseWhoWait(
        limit: Int, lent: Int, waiting: Int, workers: Int
    ) {
        var scheduler = Scheduler(limit: limit)
        if lent > 0 { scheduler.loans = [Scheduler.Loan(id: RecordingID(99), places: lent)] }
        // What is settled waits for nothing, wherever it stands.
        let behind = Array(repeating: [Job.Phase.settled, .waiting(.all)], count: waiting)
        let jobs = table([.waiting(.all), .settled] + behind.flatMap { $0 } + [.settled])
        let free = scheduler.freePlaces
        let id = scheduler.claim(from: jobs)
        guard let id else { return #expect(free == 0) }
        #expect(scheduler.lend(to: id, among: jobs) == workers)
        #expect(scheduler.freePlaces == free - workers)
        scheduler.takeBack(from: id)
        #expect(scheduler.freePlaces == free - 1)
    }

    @Test func lendsNoMoreThanThereIsAUseForAndTakesBackAllOrSome() {
        var scheduler = Scheduler(limit: 8)
        let jobs = table([.waiting(.all)])
        let id = RecordingID(0)
        #expect(scheduler.claim(from: jobs) == id && scheduler.places(lentTo: id) == nil)
        #expect(scheduler.lend(to: id, atMost: 2, among: jobs) == 2)
        #expect(scheduler.places(lentTo: id) == 1 && scheduler.freePlaces == 6)
        scheduler.takeBack(from: id)
        #expect(scheduler.lend(to: id, among: jobs) == 8)
        for (kept, free) in [(.max, 0), (7, 0), (3, 4), (5, 4), (0, 7), (0, 7)] {
            scheduler.takeBack(from: id, butFor: kept)
            #expect(scheduler.freePlaces == free)
        }
        #expect(scheduler.loans.isEmpty)
    }

    @Test func lendsNothingThatAJobIsWaitingForWhoseRestIsOver() {
        var scheduler = Scheduler(limit: 2)
        let jobs = table([.waiting(.all), .waiting(.all)])
        let id = RecordingID(1)
        scheduler.cursor = 2
        scheduler.rested = [RecordingID(0)]
        scheduler.running = 1
        #expect(scheduler.lend(to: id, among: jobs) == 1)
        scheduler.rested = []
        #expect(scheduler.lend(to: id, among: jobs) == 2)
    }

    @Test func takesUpJobsThatAreFoundLater() {
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
    @Test func lendsAJobByItsIdentityAndKnowsWhichItDoesNotHave() {
        var jobs = JobTable()
        let id = jobs.append(
            Job.State(
                folder: FolderID(0), name: "a.wav", stamp: Example.stamp, phase: .waiting(.all)))
        #expect(jobs.update(id) { $0.phase = .settled } != nil)
        #expect(jobs[id].phase == .settled)
        for missing in [RecordingID(1), RecordingID(-1)] {
            #expect(!jobs.contains(missing))
            #expect(jobs.update(missing) { _ in true } == nil)
        }
        #expect(Array(jobs.ids) == [id])
    }
}
