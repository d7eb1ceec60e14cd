import Testing
import Workers

@Suite struct OpenFileLimitTests {
    @Test(arguments: [
        (wanted: 32, free: 4096, jobs: 32), (1024, 4096, 814), (32, 72, 10), (32, 71, 9),
        (1, 27, 1), (1, 26, 0), (32, 3, 0), (8, 0, 0),
    ])
    func jobCountIsLimitedByFreeFileDescriptors(wanted: Int, free: Int, jobs: Int) {
        #expect(OpenFileLimit.jobs(wanted: wanted, free: free) == jobs)
    }

    @Test func raisedLimitCoversFilesOfRun() {
        #expect(OpenFileLimit.raise() >= OpenFileLimit.filesOfRun)
    }
}
