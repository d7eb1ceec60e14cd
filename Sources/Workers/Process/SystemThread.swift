import Dispatch
import Glibc

/// Threads outside Dispatch, which waits forever if the system cannot create one.
package enum SystemThread {
    /// Starts a detached thread; `false` if it cannot be created.
    @discardableResult
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = make(body) else { return false }
        pthread_detach(thread)
        return true
    }

    /// The number of threads that can be created at once, at most `most`; tested by starting them.
    package static func available(upTo most: Int) -> Int {
        let end = DispatchSemaphore(value: 0)
        var threads: [pthread_t] = []
        while threads.count < most, let thread = make({ end.wait() }) { threads.append(thread) }
        for _ in threads { end.signal() }
        for thread in threads { pthread_join(thread, nil) }
        return threads.count
    }

    /// Runs `count` pieces of work on all cores, or one after the other if no more threads can be
    /// created.
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
        // The thread releases the body; if it cannot be created, it is released here.
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
