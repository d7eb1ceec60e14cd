import Dispatch
import Glibc

/// Threads that are not Dispatch's, which waits for ever for one where the system gives none.
package enum SystemThread {
    /// Starts one that nobody waits for; `false` where the system gives none.
    @discardableResult
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = make(body) else { return false }
        pthread_detach(thread)
        return true
    }

    /// How many more can be had at once, up to so many; they are started for that, and end again.
    package static func available(upTo most: Int) -> Int {
        let end = DispatchSemaphore(value: 0)
        var threads: [pthread_t] = []
        while threads.count < most, let thread = make({ end.wait() }) { threads.append(thread) }
        for _ in threads { end.signal() }
        for thread in threads { pthread_join(thread, nil) }
        return threads.count
    }

    /// Carries out so many pieces of work on all cores, or one after the other where no further
    /// thread can be had.
    static func share(_ count: Int, _ work: @Sendable (Int) -> Void) {
        let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        guard count > 1, available(upTo: cores) == cores else {
            for number in 0..<count { work(number) }
            return
        }
        DispatchQueue.concurrentPerform(iterations: count, execute: work)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private static func make(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
        // Handed over to the thread, which lets go of it; taken back where there is none.
        let body = Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, SystemThread.begin, body.toOpaque())
        guard code == 0 else {
            body.release()
            return nil
        }
        return thread
    }

    private typealias Entry =
        @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

    private static let begin: Entry = { context in
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
    }
}
