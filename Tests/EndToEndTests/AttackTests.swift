import Foundation
import Recordings
import TestSupport
import Testing

/// What is meant to break in, to hang or to use up a run of the built command.
@Suite struct AttackTests {
    private let library = Library()

    /// The pipe is full, and nobody reads on: all that is done is said, but for that.
    @Test func secondSignalEndsRunBlockedOnFullPipe() throws {
        for name in 0..<400 { library.addRecording(Pathname("\(name).wav"), seconds: 0.1) }
        let tool = RunningTool(["run", library.root.text, "--json", "--jobs", "1"])
        _ = try #require(tool.nextLine())
        // Of two that are the same the system may make one.
        tool.send(signal: SIGTERM)
        tool.send(signal: SIGINT)
        // Within the second it may be a nervous one; some seconds later it is meant.
        let start = ContinuousClock.now
        let outcome = tool.wait(readingOutput: false)
        #expect([128 + SIGTERM, 128 + SIGINT].contains(outcome.status))
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    /// As where a container allows no further process: Dispatch would wait for ever.
    @Test(.enabled(if: getuid() == 0, "the superuser alone can become somebody who has a limit"))
    func threadLimitIsReported() throws {
        let folder = library.folder.path
        library.addRecording("a.wav")
        let script = """
            chmod -R a+rwX '\(folder)' && install -m 755 "$TAPEDECK" '\(folder)/tapedeck' || exit 99
            setpriv --reuid=65534 --regid=65534 --clear-groups bash -c \
                'ulimit -u 2; exec "$0/tapedeck" run "$0/library"' '\(folder)'
            """
        let outcome = Tool.shell(script)
        #expect(outcome.status == 1)
        #expect(outcome.errorLines.count == 1 && outcome.errors.contains("thread"), "\(outcome)")
        #expect(outcome.errors.contains("ulimit -u"))
        // Looking back takes longer, and needs none.
        #expect(library.run().status == 0)
        for command in ["status", "verify"] {
            let look = """
                chmod -R a+rwX '\(folder)'
                setpriv --reuid=65534 --regid=65534 --clear-groups bash -c \
                    'ulimit -u 2; exec "$0/tapedeck" \(command) "$0/library"' '\(folder)'
                """
            #expect(Tool.shell(look).status == 0, "\(command)")
        }
    }

    @Test func tinyFilesClaimingDaysFailWithinMemoryLimit() throws {
        // 100 hours in 822 bytes, 700 in 5,500, and as many of which the header does not tell.
        library.add("10hz.flac", ConstantFLAC.bytes(blocks: 55, sampleRateHertz: 10))
        library.add("more.flac", ConstantFLAC.bytes(blocks: 390, sampleRateHertz: 10))
        library.add("silent.flac", ConstantFLAC.bytes(blocks: 390, sampleRateHertz: 10, claimed: 0))
        // A day and a half that are not there.
        library.add(
            "liar.flac", ConstantFLAC.bytes(blocks: 2, sampleRateHertz: 8000, claimed: 1 << 30))
        library.addRecording("good.wav")
        let script = #"ulimit -v 2000000; exec "$TAPEDECK" run '\#(library.root)'"#
        let outcome = Tool.shell(script)
        #expect(outcome.status == 3, "\(outcome.errors)")
        let recordings = try library.manifest().recordings
        for (name, reason) in [
            ("10hz.flac", .tooLong), ("more.flac", .tooLong), ("silent.flac", .tooLong),
            ("liar.flac", .implausibleLength),
        ] as [(Pathname, RecordingFailure.Reason)] {
            #expect(recordings.first { $0.name == name }?.failure?.reason == reason, "\(name)")
        }
        #expect(recordings.first { $0.name == "good.wav" }?.status == .done)
    }

    @Test func recordingOverMaxHoursFailsUntilLimitIsRaised() throws {
        library.addRecording("a.wav", seconds: 40)
        #expect(library.run("--max-hours", "0.01").status == 3)
        #expect(try library.manifest().recordings.first?.failure?.reason == .tooLong)
        #expect(library.run("--max-hours", "48").status == 0)
        #expect(try library.manifest().recordings.first?.status == .done)
    }

    /// Ten milliseconds are one sample there.
    @Test func silenceIsNotAnalysedBelowOneKilohertz() throws {
        var random = SeededGenerator(seed: 1)
        library.add("a.wav", SmallWAV.bytes(random.noise(6000), sampleRateHertz: 100))
        #expect(library.run().status == 0)
        let entry = try #require(try library.manifest().recordings.first)
        #expect(entry.silence == .notAnalysed(of: try #require(entry.format)))
        #expect(entry.notTrimmed == .sampleRateTooLow && entry.trimmed == nil)
        #expect(library.run().outputLines.first == "1 recording: 1 up to date")
        let shown = Tool.run(["inspect", library.root.appending("a.wav").text]).output
        #expect(shown.contains("below 1 kHz"), "\(shown)")
    }

    /// Root's watch over a folder in which everybody may make files.
    @Test(.enabled(if: getuid() == 0, "only the superuser can give files away"))
    func outputOfAnotherUserIsRefused() throws {
        library.addRecording("a.wav")
        library.makeFolder("library/tapedeck")
        let mark = library.folder.write([], to: "library/tapedeck/.tapedeck")
        #expect(chown(mark.text, 65_534, 65_534) == 0)
        let outcome = library.run()
        #expect(outcome.status == 1 && outcome.errors.contains("belongs to another user"))
        #expect(library.outputs().names == [""])
    }
}
