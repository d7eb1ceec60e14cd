import Jobs
import Recordings

// What happened in a simulated world, as far as it is counted.

extension SimulatedWorld {
    mutating func happened(_ event: SimulatedEvent, _ words: @autoclosure () -> String = "") {
        events[event, default: 0] += 1
        trace.note("\(event) \(words())")
    }

    mutating func note(_ news: Announcement) {
        switch news {
        case .missing(_, _, let isPruned): happened(isPruned ? .pruned : .missing)
        case .moved: happened(.moved)
        case .awaited: happened(.awaited)
        case .polled: happened(.polled)
        case .settled(let folder, let entry, let whole?, upToDate: false):
            violation = violation ?? violation(of: whole.value)
            if isWatched, entry.status == .done, let stamp = entry.source {
                donePlaces[stamp] = SimulatedDisk.Place(folder: folder, name: entry.name)
            }
        default: break
        }
    }

    mutating func count(_ summary: Summary) {
        events[.stillFailed, default: 0] += summary.stillFailed
        events[.upToDate, default: 0] += summary.upToDate
        events[.done, default: 0] += summary.done
        if summary.settled < summary.recordings { events[.unfinished, default: 0] += 1 }
    }
}
