import Dispatch
import Foundation
import Recordings
import TestSupport
import Testing

/// A run that goes on over a library, and all that it has told so far.
final class Watch {
    /// A line of `--json`.
    struct Event: Decodable {
        var event: String
        var folder: Pathname?
        var name: Pathname?
        var newName: Pathname?
        var status: ManifestEntry.Status?
        var upToDate: Bool?
        var source: FileStamp?
        var format: AudioFormat?
        var failure: RecordingFailure?
        var reason: String?
        var pruned: Bool?

        /// Relative to the root.
        var path: Pathname? {
            guard let folder, let name else { return nil }
            return folder == "." ? name : folder.appending(name)
        }

        /// Whether a recording was worked on, with success or not.
        var isOutcome: Bool { event == "recording" && upToDate == false }
        var isDone: Bool { isOutcome && status == .done }
    }

    /// Longer than anything should take on a busy machine.
    static let patienceSeconds = 60.0
    private static let pollNanoseconds: UInt64 = 10_000_000

    let root: Pathname
    let output: Pathname
    private let tool: RunningTool
    private let folder = TestFolder()
    private let lines: UnsafeMutablePointer<FILE>
    private let keepsEvents: Bool
    private var rest: [UInt8] = []
    private(set) var events: [Event] = []

    /// Watches the root of a library.
    ///
    /// What is told goes to a file: a pipe that nobody empties would keep the run waiting.
    /// - Parameters:
    ///   - trace: whether to record what leads to what.
    ///   - before: a program, with its arguments, that is to start the run.
    ///   - keepsEvents: whether `events` has all of them, and not only the last ones.
    init(
        _ library: Library, _ options: [String] = [], trace: Bool = false, before: [String] = [],
        keepsEvents: Bool = true
    ) {
        self.keepsEvents = keepsEvents
        root = library.root
        let named = options.firstIndex(of: "--output").map { Pathname(options[$0 + 1]) }
        output = named ?? library.output
        let told = folder.write([], to: "told")
        var words = before + [Tool.path, "watch", library.root.text, "--json"] + options
        if trace { words += ["--trace", folder.path("trace").text] }
        tool = RunningTool(
            program: "/bin/sh", ["-c", "exec \"$@\" > \"$TOLD\"", "sh"] + words,
            in: library.folder.path, environment: ["TOLD": told.text])
        guard let lines = fopen(told.text, "r") else {
            preconditionFailure("\(told) cannot be read.")
        }
        self.lines = lines
    }

    deinit {
        if tool.isRunning { tool.send(signal: SIGKILL) }
        fclose(lines)
    }

    var processIdentifier: Int32 { tool.processIdentifier }
    var isRunning: Bool { tool.isRunning }

    /// The trace so far.
    var trace: [UInt8] { TestFolder.bytes(of: folder.path("trace")) }

    /// Takes in what was told since the last call.
    @discardableResult
    func listen() -> [Event] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        clearerr(lines)
        while case let count = fread(&buffer, 1, buffer.count, lines), count > 0 {
            rest += buffer[..<count]
        }
        let decoder = JSONDecoder()
        var new: [Event] = []
        var begin = rest.startIndex
        while let end = rest[begin...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = Data(rest[begin..<end])
            begin = end + 1
            if let event = try? decoder.decode(Event.self, from: line) {
                new.append(event)
            } else {
                // The last line has other words.
                let text = String(decoding: line, as: UTF8.self)
                if !text.contains(#""event":"summary""#) { Issue.record("\(text) is no event") }
            }
        }
        rest.removeSubrange(..<begin)
        if keepsEvents { events += new } else if !new.isEmpty { events = new }
        return new
    }

    /// What was told of a recording; its path is relative to the root.
    func events(of path: Pathname) -> [Event] {
        listen()
        return events.filter { $0.path == path }
    }

    /// Waits until a condition holds.
    /// - Returns: whether it came to that.
    func wait(
        seconds: Double = patienceSeconds, until condition: () throws -> Bool
    ) async rethrows -> Bool {
        let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
        while try !condition() {
            guard DispatchTime.now().uptimeNanoseconds < end else { return false }
            try? await Task.sleep(nanoseconds: Watch.pollNanoseconds)
        }
        return true
    }

    /// Waits until everything that is there was looked at.
    func begin() async {
        let hasBegun = await wait {
            listen()
            return events.contains { $0.event == "watching" } || !isRunning
        }
        #expect(hasBegun && isRunning, "it does not watch")
    }

    /// Waits until a recording was told to have come to an end of this kind.
    func wait(for status: ManifestEntry.Status, of path: Pathname) async -> Bool {
        await wait { events(of: path).contains { $0.isOutcome && $0.status == status } }
    }

    /// Waits until all that is recorded is in manifests, too.
    func rest() async -> Bool {
        struct Row: Decodable {
            var folder: String
            var name: Pathname
            var status: ManifestEntry.Status
        }
        let question = ["query", "--json", "SELECT folder, name, status FROM recordings"]
        return await wait {
            guard isRunning else { return true }
            let lines = Tool.run(question + [output.text]).outputLines
            let rows = lines.compactMap { try? JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
            var manifests: [String: Manifest?] = [:]
            return rows.allSatisfy { row in
                let folder: Pathname = row.folder == "." ? .empty : Pathname(row.folder)
                let found = manifests[row.folder] ?? manifest(folder)
                manifests[row.folder] = .some(found)
                return found?[row.name]?.status == row.status
            }
        }
    }

    func send(signal number: Int32) { tool.send(signal: number) }

    /// Stops it, and returns when it stands still.
    func hold() { tool.hold() }

    /// Waits for the end, and takes in all that was told up to it.
    func end() async -> Tool.Outcome {
        let outcome = await tool.end()
        listen()
        return outcome
    }

    /// Has it end as a service manager does.
    @discardableResult
    func stop() async -> Tool.Outcome {
        send(signal: SIGTERM)
        let outcome = await end()
        #expect(outcome.status == 143)
        return outcome
    }

    /// The manifest of a folder as it stands; `nil` where there is none.
    func manifest(_ folder: Pathname = .empty) -> Manifest? {
        try? Manifest.read(output.appending(folder))
    }
}

extension RunningTool {
    /// Waits for the end of a process that writes little, and meanwhile lets others go on.
    func end() async -> Tool.Outcome {
        let end = DispatchTime.now().uptimeNanoseconds + UInt64(Tool.timeoutSeconds * 1e9)
        while isRunning, DispatchTime.now().uptimeNanoseconds < end {
            try? await Task.sleep(nanoseconds: 5_000_000)
        }
        if isRunning { send(signal: SIGKILL) }
        return wait()
    }
}

extension FileStamp {
    /// What a file bears now; `nil` where there is none.
    init?(of path: Pathname) {
        guard let status = Snapshot.status(path) else { return nil }
        let time = status.st_mtim
        self.init(
            bytes: Int64(status.st_size),
            modifiedNanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

extension Library {
    /// What a run makes of the library as it is now.
    func undisturbed(_ options: [String] = []) -> Snapshot {
        let output = TestFolder()
        let results = output.path("results")
        _ = Tool.run(["run", root.text, "--output", results.text, "--quiet"] + options)
        return Snapshot.ofResults(in: results).wherever
    }
}
