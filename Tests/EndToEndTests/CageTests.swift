import Foundation
import Recordings
import TestSupport
import Testing

/// Runs whose decoders are not themselves any more, as after a stranger's file has broken in.
///
/// A library that is preloaded into `tapedeck-decoder` (`Tests/Cage/misdeeds.c`) has the decoders
/// do what each recording says in its last bytes, in the cage that the helper has entered.
@Suite struct CageTests {
    private let library = Library()

    /// Files, the network, processes, memory.
    private static let misdeeds = [
        "read", "list", "create", "delete", "rename", "write", "truncate", "tcp", "udp", "unix",
        "fork", "exec", "signal", "memory", "code", "grow", "crash",
    ]

    private var victim: Pathname { library.folder.path("victim") }
    private var created: Pathname { library.folder.path("created") }

    /// A recording that is whole, with bytes behind it that say what is to happen.
    private func add(_ word: String, _ sound: [UInt8], as ending: String) {
        let path = word == "create" ? created : victim
        library.add(
            Pathname("\(word).\(ending)"), sound + Array("free misdeed=\(word) \(path.text) ".utf8))
    }

    /// Adds a recording for each misdeed, with honest ones before and after them.
    private func addRecordings(_ words: [String] = misdeeds) {
        library.folder.write([1], to: "victim")
        for word in words { add(word, SmallWAV.bytes(SmallWAV.voice()), as: "wav") }
        library.addRecording("a.wav")
        library.addRecording("z.wav")
    }

    /// What became of the misdeeds in a run on a kernel that lacks something.
    private func run(
        lacking: String, _ options: String...
    ) throws -> (outcome: Tool.Outcome, entries: [ManifestEntry]) {
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Cage/misdeeds.c").path
        let object = library.folder.path("misdeeds.so").text
        let built = Tool.shell("clang -shared -fPIC -w -o '\(object)' '\(source)' 2>&1")
        #expect(built.status == 0, "\(built.output)")
        let helper = library.tool(
            helper: "export CAGE_LACKS='\(lacking)' LD_PRELOAD='\(object)'\nexec \"$real\"")
        let outcome = RunningTool(
            program: helper, ["run", library.root.text, "--output", library.output.text] + options
        ).wait()
        return (outcome, try library.manifest().recordings)
    }

    /// The recordings whose misdeed was done.
    private func done(_ entries: [ManifestEntry]) -> [String] {
        entries.filter { $0.decoderMessage?.contains(": done") == true }.map(\.name.text)
    }

    private func expectTheRestIsDone(_ entries: [ManifestEntry]) {
        for entry in entries where ["a.wav", "z.wav"].contains(entry.name) {
            #expect(entry.status == .done)
        }
        #expect(!FileManager.default.fileExists(atPath: created.text))
        #expect(FileManager.default.fileExists(atPath: victim.text))
    }

    /// With all that the kernel has, and where a container forbids Landlock.
    @Test(arguments: ["", "landlock"])
    func misdeedsAreRefusedAndTheRunGoesOn(lacking: String) throws {
        addRecordings()
        let (outcome, entries) = try run(lacking: lacking, "--isolate")
        #expect(entries.count == Self.misdeeds.count + 2)
        #expect(done(entries) == [])
        expectTheRestIsDone(entries)
        for entry in entries where entry.status == .done && entry.name.text.count > 5 {
            #expect(entry.decoderMessage?.contains(": ") == true, "\(entry.name)")
        }
        // A crash ends the helper, and nothing else.
        let failed = entries.filter { $0.status == .failed }
        #expect(failed.compactMap(\.failure?.reason) == [.decoderCrashed])
        #expect(outcome.status == 3)
        #expect(!outcome.errors.contains("Landlock"))
    }

    /// A kernel without seccomp keeps files and TCP out of reach by Landlock.
    @Test func filesAndPortsAreOutOfReachWithoutSeccomp() throws {
        addRecordings()
        let entries = try run(lacking: "seccomp", "--isolate").entries
        expectTheRestIsDone(entries)
        let done = done(entries)
        let refused = [
            "read", "list", "create", "delete", "rename", "write", "truncate", "tcp", "exec",
            "memory", "grow",
        ]
        for word in refused { #expect(!done.contains(word + ".wav"), "\(word)") }
    }

    /// So that the tests above can fail; and the user is told.
    ///
    /// Without what ends a helper or takes its memory: what is in it would take others with it.
    @Test func misdeedsSucceedWithoutCage() throws {
        addRecordings([
            "read", "list", "create", "delete", "tcp", "udp", "unix", "fork", "signal", "code",
        ])
        let (outcome, entries) = try run(lacking: "landlock seccomp", "--isolate")
        #expect(outcome.errors.contains("this kernel has neither Landlock nor seccomp"))
        let done = done(entries)
        for entry in entries where !["a.wav", "z.wav"].contains(entry.name) {
            #expect(done.contains(entry.name.text), "\(entry)")
        }
        #expect(FileManager.default.fileExists(atPath: created.text))
    }

    /// What only libav decodes is always decoded in the cage.
    @Test func decoderOfM4AIsCagedInAnyRun() throws {
        let sound = SmallWAV.m4a(in: library.folder)
        for word in ["read", "create", "tcp", "fork", "crash"] { add(word, sound, as: "m4a") }
        library.folder.write([1], to: "victim")
        library.addRecording("a.wav")
        library.addRecording("z.wav")
        let entries = try run(lacking: "").entries
        #expect(done(entries) == [])
        expectTheRestIsDone(entries)
        #expect(entries.filter { $0.status == .failed }.map(\.name) == ["crash.m4a"])
    }
}
