import Foundation
import Recordings
import TestSupport
import Testing

/// Nothing is taken before it is complete, however a program goes about writing it.
@Suite struct WriterTests {
    private static let settle = ["--settle-seconds", "0.4"]
    private let library = Library()

    @Test(arguments: Writer.allCases, Sense.allCases)
    func recordingIsProcessedAfterWriterFinishes(_ writer: Writer, _ sense: Sense) async throws {
        let source = library.folder.write(writer.sound, to: Pathname("full-\(writer.name)"))
        let elsewhere = OtherFileSystem()
        let watch = Watch(library, WriterTests.settle + sense.options)
        await watch.begin()
        let process = writer.start(
            source, to: library.root.appending(writer.name), elsewhere: elsewhere.path,
            pauseSeconds: 1.2)
        let isDone = await watch.wait(for: .done, of: writer.name)
        try #require(isDone, "it was never taken")
        let isFinished = Snapshot.status(Pathname("\(source.text).finished")) != nil
        #expect(isFinished || !writer.isHeldOpen, "it was taken before it was closed")
        let written = await process.end()
        #expect(written.status == 0, "\(written.errors)")
        // Changes up to the end of the writer may have to be looked at still.
        let stamp = try #require(FileStamp(of: library.root.appending(writer.name)))
        let isLast = await watch.wait { watch.manifest()?[writer.name]?.source == stamp }
        try #require(isLast, "the manifest tells of another state of it")
        #expect(await watch.rest())
        await watch.stop()
        let events = watch.events(of: writer.name)
        let outcomes = events.filter(\.isOutcome)
        let frames = try #require(try library.manifest()[writer.name]?.format?.frames)
        #expect(outcomes.allSatisfy { $0.status == .done && $0.format?.frames == frames })
        #expect((1...writer.mostDecodings).contains(outcomes.count))
        if writer.isHeldOpen { #expect(events.first?.event == "waiting") }
        #expect(watch.events.allSatisfy { $0.event != "recording" || $0.path == writer.name })
        let made = library.outputs().wherever
        #expect(made.differences(from: library.undisturbed()) == [])
    }

    /// A writer that dies leaves its file as it is: it may be taken up again, or never.
    @Test(arguments: Sense.allCases)
    func fileOfKilledWriterIsDoneWithWarningUntilCompleted(_ sense: Sense) async throws {
        let sound = SmallWAV.bytes(SmallWAV.voice(after: 0.7, seconds: 0.5, before: 0.7))
        let source = library.folder.write(sound, to: "full")
        let target = library.root.appending("x.wav")
        let watch = Watch(
            library, WriterTests.settle + sense.options + ["--give-up-seconds", "3"])
        await watch.begin()
        let script = """
            import sys, time
            file = open(sys.argv[2], 'wb', buffering=0)
            file.write(open(sys.argv[1], 'rb').read()[:10000])
            print('half', flush=True); time.sleep(600)
            """
        let writer = RunningTool(
            program: "/usr/bin/env", ["python3", "-c", script, source.text, target.text])
        #expect(writer.nextLine() == "half")
        writer.send(signal: SIGKILL)
        _ = writer.wait()
        let isAwaited = await watch.wait {
            watch.events(of: "x.wav").contains {
                $0.event == "waiting" && $0.failure?.reason == .truncated
            }
        }
        #expect(isAwaited)
        let isWarned = await watch.wait {
            watch.manifest()?["x.wav"]?.warnings?.first?.kind == .truncated
        }
        #expect(isWarned)
        let copy = Tool.shell("cp '\(source.text)' '\(target.text)'")
        #expect(copy.status == 0)
        let isDone = await watch.wait {
            watch.manifest()?["x.wav"].map { $0.status == .done && $0.warnings == nil } == true
        }
        #expect(isDone)
        #expect(await watch.rest())
        await watch.stop()
        #expect(watch.events.filter(\.isOutcome).map(\.status) == [.done, .done])
        let made = library.outputs().wherever
        #expect(made.differences(from: library.undisturbed()) == [])
    }

    /// How a recording is overwritten: in place, or cut to nothing before.
    enum Overwriting: String, CaseIterable { case inPlace = "r+b", fromNothing = "wb" }

    @Test(arguments: Overwriting.allCases, Sense.allCases)
    func fileOverwrittenDuringDecodingIsReprocessed(
        _ way: Overwriting, _ sense: Sense
    ) async throws {
        // Long enough to be overwritten meanwhile.
        let first = WriterTests.long(hertz: 147)
        let second = WriterTests.long(hertz: 190)
        let source = library.folder.write(second, to: "second")
        let watch = Watch(library, WriterTests.settle + sense.options, trace: true)
        await watch.begin()
        let target = library.folder.write(first, to: "library/x.wav")
        let isListening = await watch.wait {
            String(decoding: watch.trace, as: UTF8.self).contains(#""listen""#)
        }
        #expect(isListening)
        let script = """
            import sys
            sound = open(sys.argv[1], 'rb').read()
            with open(sys.argv[2], sys.argv[3], buffering=0) as file: file.write(sound)
            """
        let writer = RunningTool(
            program: "/usr/bin/env",
            ["python3", "-c", script, source.text, target.text, way.rawValue])
        #expect(await writer.end().status == 0)
        let wasDecoding = !watch.events(of: "x.wav").contains { $0.isOutcome }
        let stamp = try #require(FileStamp(of: target))
        let isLast = await watch.wait { watch.manifest()?["x.wav"]?.source == stamp }
        try #require(isLast)
        #expect(await watch.rest())
        await watch.stop()
        let outcomes = watch.events(of: "x.wav").filter(\.isOutcome)
        #expect(outcomes.last?.source == stamp)
        if wasDecoding { #expect(outcomes.count == 1, "the first content was told of") }
        let made = library.outputs().wherever
        #expect(made.differences(from: library.undisturbed()) == [])
    }

    /// Two minutes of sound, put together from one second of it.
    private static func long(hertz: Double) -> [UInt8] {
        let second = SmallWAV.voice(after: 0.25, seconds: 0.5, before: 0.25, hertz: hertz)
        let count = 120
        var bytes = SmallWAV.bytes(second)
        let sound = bytes[44...]
        for _ in 1..<count { bytes += sound }
        for (place, number) in [(4, 36 + count * sound.count), (40, count * sound.count)] {
            for byte in 0..<4 {
                bytes[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte))
            }
        }
        return bytes
    }
}

/// A folder in another file system than temporary folders, where there is one.
private final class OtherFileSystem {
    let path: Pathname

    init() {
        var template = Array("/dev/shm/tapedeck-test-XXXXXX".utf8CString)
        let isMade = mkdtemp(&template) != nil
        path =
            isMade
            ? Pathname(bytes: template.dropLast().map { UInt8(bitPattern: $0) }) : "/var/tmp"
    }

    deinit {
        if path != "/var/tmp" { try? FileManager.default.removeItem(atPath: path.text) }
    }
}
