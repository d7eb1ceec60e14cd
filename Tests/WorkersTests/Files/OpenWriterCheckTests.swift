import Dispatch
import Foundation
import Recordings
import Synchronization
import TestSupport
import Testing

@testable import Workers

@Suite struct OpenWriterCheckTests {
    private let folder = TestFolder()

    /// Waits for an answer: a process that another test just begins may have the file for a
    /// moment.
    private func expect(
        _ answer: Bool, of path: Pathname, _ location: SourceLocation = #_sourceLocation
    ) {
        let deadline = DispatchTime.now() + 60
        while OpenWriterCheck.isBeingWritten(path) != answer && DispatchTime.now() < deadline {
            sched_yield()
        }
        #expect(OpenWriterCheck.isBeingWritten(path) == answer, sourceLocation: location)
    }

    /// A process that has a file open.
    private static func holder(of path: Pathname, _ redirection: String) -> RunningTool {
        let script = "exec 3\(redirection)\"$0\"; echo open; exec sleep 300"
        let holder = RunningTool(program: "/bin/sh", ["-c", script, path.text])
        #expect(holder.nextLine() == "open")
        return holder
    }

    @Test(arguments: [">>", "<>"])
    func processWithFileOpenForWritingIsDetected(redirection: String) {
        let path = folder.write([1], to: "b.wav")
        let writer = OpenWriterCheckTests.holder(of: path, redirection)
        #expect(OpenWriterCheck.isBeingWritten(path) == true)
        writer.send(signal: SIGKILL)
        _ = writer.wait()
        expect(false, of: path)
    }

    @Test func readOnlyProcessIsIgnored() {
        let path = folder.write([1], to: "b.wav")
        let reader = OpenWriterCheckTests.holder(of: path, "<")
        expect(false, of: path)
        reader.send(signal: SIGKILL)
        _ = reader.wait()
    }

    @Test func writableMappingIsDetected() throws {
        let path = folder.write([1], to: "b.wav")
        let descriptor = path.withCString { open($0, O_RDWR | O_CLOEXEC) }
        let mapping = mmap(nil, 1, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        try #require(mapping != MAP_FAILED)
        close(descriptor)
        #expect(OpenWriterCheck.isBeingWritten(path) == true)
        munmap(mapping, 1)
        expect(false, of: path)
    }

    @Test func writeLeaseCountsAsWriter() {
        let path = folder.write([1], to: "b.wav")
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        // F_SETSIG and F_SETLEASE; the latter succeeds once nobody else has the file.
        #expect(fcntl(descriptor, 10, SIGURG) == 0)
        let deadline = DispatchTime.now() + 60
        while fcntl(descriptor, 1024, Int32(F_WRLCK)) != 0, DispatchTime.now() < deadline {
            sched_yield()
        }
        #expect(OpenWriterCheck.isBeingWritten(path) == true)
        #expect(fcntl(descriptor, 1024, Int32(F_UNLCK)) == 0)
        expect(false, of: path)
    }

    @Test func missingFileFolderOrPipeReturnsNil() {
        #expect(OpenWriterCheck.isBeingWritten(folder.path("gone")) == nil)
        #expect(OpenWriterCheck.isBeingWritten(folder.path) == nil)
        let pipe = folder.path("pipe")
        _ = pipe.withCString { mkfifo($0, 0o644) }
        #expect(OpenWriterCheck.isBeingWritten(pipe) == nil)
    }

    @Test(
        .enabled(if: geteuid() == 0, "another user's file is for the system's own user to make")
    )
    func fileOfAnotherUserReturnsNil() async {
        await #expect(processExitsWith: .success) {
            let folder = TestFolder()
            let path = folder.write([1], to: "b.wav")
            chmod(folder.path.text, 0o755)
            chmod(path.text, 0o644)
            let writer = OpenWriterCheckTests.holder(of: path, ">>")
            #expect(OpenWriterCheck.isBeingWritten(path) == true)
            #expect(seteuid(65_534) == 0)
            #expect(OpenWriterCheck.isBeingWritten(path) == nil)
            #expect(seteuid(0) == 0)
            writer.send(signal: SIGKILL)
            _ = writer.wait()
        }
    }

    @Test func repeatedCheckDoesNotKillAnyProcess() async {
        await #expect(processExitsWith: .success) {
            let folder = TestFolder()
            let path = folder.write([1], to: "b.wav")
            let sign = folder.write([], to: "go on")
            // Not for ever, should this process not be there to end it.
            let script = """
                echo on; n=0
                while [ -e "$1" ] && [ $n -lt 5000000 ]; do : >>"$0"; n=$((n + 1)); done
                """
            let writer = RunningTool(
                program: "/bin/sh", ["-c", script, path.text, sign.text])
            #expect(writer.nextLine() == "on")
            var answers: Set<Bool?> = []
            for _ in 0..<10_000 { answers.insert(OpenWriterCheck.isBeingWritten(path)) }
            try FileSystem.remove(sign)
            #expect(writer.wait().status == 0)
            #expect(!answers.contains(nil))
        }
    }

    @Test func checkDoesNotBlockConcurrentOpens() async {
        await #expect(processExitsWith: .success) {
            let folder = TestFolder()
            let path = folder.write([1], to: "b.wav")
            let isOver = Cancellation()
            let longest = Mutex(Duration.zero)
            let hasEnded = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                while !isOver.isCancelled {
                    let duration = ContinuousClock().measure {
                        let descriptor = path.withCString { open($0, O_WRONLY | O_CLOEXEC) }
                        #expect(descriptor >= 0)
                        close(descriptor)
                    }
                    longest.withLock { $0 = max($0, duration) }
                }
                hasEnded.signal()
            }
            for _ in 0..<10_000 { _ = OpenWriterCheck.isBeingWritten(path) }
            isOver.cancel()
            hasEnded.wait()
            // The system takes a lease away after 45 seconds; a busy machine may take some.
            #expect(longest.withLock { $0 } < .seconds(10))
        }
    }
}
