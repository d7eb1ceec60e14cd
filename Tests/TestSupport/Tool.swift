import Dispatch
import Foundation
import Recordings
import Synchronization

/// The built binary, run as a user would run it.
package enum Tool {
    /// What a run left behind.
    package struct Outcome: Sendable {
        /// The exit status; 128 and the signal's number where a signal ended it.
        package var status: Int32
        package var output: String
        package var errors: String

        package var outputLines: [String] { Outcome.lines(output) }
        package var errorLines: [String] { Outcome.lines(errors) }

        /// Without the times that logs and JSON lines have.
        package var timeless: Outcome {
            var outcome = self
            let stamp = #/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z/#
            for path in [\Outcome.output, \.errors] {
                let text = outcome[keyPath: path]
                outcome[keyPath: path] = text.replacing(#/,"time":"[0-9TZ:.-]{24}"/#, with: "")
                    .split(separator: "\n", omittingEmptySubsequences: false)
                    .map { line in
                        line.prefixMatch(of: stamp).map { line[$0.range.upperBound...].dropFirst() }
                            ?? line
                    }.joined(separator: "\n")
            }
            return outcome
        }

        private static func lines(_ text: String) -> [String] {
            text.split(separator: "\n").map(String.init)
        }
    }

    /// Longer than any test should take on a busy machine.
    package static let timeoutSeconds = 300.0

    /// The binary, which is built into the folder of the tests; `TAPEDECK` in the environment names
    /// another one, as for measuring what was built for release.
    package static let path: String = {
        if let other = ProcessInfo.processInfo.environment["TAPEDECK"] { return other }
        let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let bundles = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL, program]
        let folders = bundles.flatMap { [$0, $0.deletingLastPathComponent()] }
        let candidates = folders.map { $0.appending(path: "tapedeck").path }
        let found = candidates.first { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
        }
        guard let found else { preconditionFailure("tapedeck is not in any of \(folders).") }
        return found
    }()

    /// Runs the binary to its end.
    package static func run(
        _ arguments: [String], in folder: Pathname? = nil, environment: [String: String] = [:]
    ) -> Outcome {
        RunningTool(program: path, arguments, in: folder, environment: environment).wait()
    }

    /// Runs a shell script, in which `$TAPEDECK` is the binary.
    package static func shell(_ script: String, in folder: Pathname? = nil) -> Outcome {
        RunningTool(
            program: "/bin/sh", ["-c", script], in: folder, environment: ["TAPEDECK": path]
        ).wait()
    }
}

/// A process under way, whose first lines can be waited for.
package final class RunningTool {
    /// One process is started at a time: a pipe that is made while another is being started may
    /// stay open in that one, and whoever reads it to its end would wait for both.
    private static let starting = Mutex<Void>(())

    private let process = Process()
    private let output: Pipe
    private let errors = TestFolder()
    private let hasEnded = DispatchSemaphore(value: 0)
    private var received: [UInt8] = []

    /// Starts a program; `tapedeck` itself where none is named.
    package init(
        program: String = Tool.path, _ arguments: [String], in folder: Pathname? = nil,
        environment: [String: String] = [:]
    ) {
        let errorFile = errors.write([], to: "errors")
        let process = process
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle(forWritingAtPath: errorFile.text)
        if let folder { process.currentDirectoryURL = URL(filePath: folder.text) }
        let hasEnded = hasEnded
        process.terminationHandler = { _ in hasEnded.signal() }
        output = RunningTool.starting.withLock { _ in
            let output = Pipe()
            process.standardOutput = output
            do {
                try process.run()
            } catch {
                preconditionFailure("\(program) cannot be run: \(error)")
            }
            return output
        }
    }

    /// Waits for the next line on standard output; `nil` where there is none any more.
    package func nextLine() -> String? {
        let newline = UInt8(ascii: "\n")
        while true {
            if let end = received.firstIndex(of: newline) {
                defer { received.removeSubrange(...end) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            received += more
        }
    }

    package var processIdentifier: Int32 { process.processIdentifier }

    package var isRunning: Bool { process.isRunning }

    package func send(signal number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// Stops the process, and returns when it stands still; `SIGCONT` lets it go on.
    package func hold() {
        send(signal: SIGSTOP)
        var news = siginfo_t()
        // Without taking the news of an end from whoever waits for that.
        _ = waitid(
            P_PID, id_t(process.processIdentifier), &news, WSTOPPED | WEXITED | WNOWAIT)
    }

    /// Goes away as a reader, as `head` does when it has seen enough.
    package func closeOutput() {
        try? output.fileHandleForReading.close()
    }

    /// Waits for the end; what `nextLine()` has given is not in the output any more.
    ///
    /// A run that takes too long is killed.
    package func wait(readingOutput: Bool = true) -> Tool.Outcome {
        let process = process
        let watchdog = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(
            deadline: .now() + Tool.timeoutSeconds, execute: watchdog)
        if readingOutput, let rest = try? output.fileHandleForReading.readToEnd() {
            received += rest
        }
        hasEnded.wait()
        watchdog.cancel()
        let isKilled = process.terminationReason == .uncaughtSignal
        return Tool.Outcome(
            status: isKilled ? 128 + process.terminationStatus : process.terminationStatus,
            output: String(decoding: received, as: UTF8.self),
            errors: String(
                decoding: TestFolder.bytes(of: errors.path("errors")), as: UTF8.self))
    }
}
