/// What the rivals keep of a job: about what the job store keeps.
package struct RivalJob {
    enum Phase { case waiting, listening, trimming, settled }

    var name: [UInt8]
    var bytes: Int64 = 1_000_000
    var modifiedNanoseconds: Int64 = 0
    var phase = Phase.waiting

    init(_ number: Int) { name = Array("recording \(number).wav".utf8) }
}

/// What a job store does at the very least, which is the floor.
///
/// A job becomes active, then settled, in a dictionary, with one count kept. No commands, no
/// outcomes, no folders.
package struct DictionaryLoop {
    private var jobs: [Int: RivalJob] = [:]
    package private(set) var settled = 0
    package private(set) var actions = 0

    package init(jobs count: Int) {
        jobs.reserveCapacity(count)
        for id in 0..<count { jobs[id] = RivalJob(id) }
    }

    package mutating func run() {
        for id in 0..<jobs.count {
            step(id)
            step(id)
            step(id)
        }
    }

    private mutating func step(_ id: Int) {
        actions += 1
        switch jobs[id]?.phase {
        case .waiting: jobs[id]?.phase = .listening
        case .listening: jobs[id]?.phase = .trimming
        case .trimming:
            jobs[id]?.phase = .settled
            settled += 1
        case .settled, nil: break
        }
    }
}

/// The store of the textbooks: it hands its subscriber the state and the one before, so that every
/// dispatch copies the collection that it changes.
package final class TextbookStore {
    package struct State {
        var jobs: [RivalJob]
        package var settled = 0
    }

    package enum Action { case advanced(Int) }

    package private(set) var state: State
    package private(set) var actions = 0
    private let subscriber: (_ state: State, _ previous: State) -> Void

    package init(jobs: Int, subscriber: @escaping (State, State) -> Void) {
        state = State(jobs: (0..<jobs).map { RivalJob($0) })
        self.subscriber = subscriber
    }

    package func dispatch(_ action: Action) {
        actions += 1
        let previous = state
        state = TextbookStore.reduce(state, action)
        subscriber(state, previous)
    }

    /// As textbooks have it: a state goes in, another comes out.
    private static func reduce(_ state: State, _ action: Action) -> State {
        var state = state
        guard case .advanced(let id) = action else { return state }
        switch state.jobs[id].phase {
        case .waiting: state.jobs[id].phase = .listening
        case .listening: state.jobs[id].phase = .trimming
        case .trimming:
            state.jobs[id].phase = .settled
            state.settled += 1
        case .settled: break
        }
        return state
    }
}
