import Testing

@testable import Workers

@Suite struct WorkQueuesTests {
    @Test func concurrentJobsGetSeparateQueues() {
        let queues = WorkQueues()
        #expect(queues.takeForSound() !== queues.takeForSound())
    }

    @Test func lastReturnedQueueIsReusedFirst() {
        let queues = WorkQueues()
        let (one, other) = (queues.takeForSound(), queues.takeForSound())
        queues.giveBack(one)
        queues.giveBack(other)
        #expect(queues.takeForSound() === other)
        #expect(queues.takeForSound() === one)
        #expect(queues.takeForSound() !== one)
    }
}
