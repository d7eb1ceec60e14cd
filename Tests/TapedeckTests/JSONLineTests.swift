import Jobs
import Recordings
import ReducerKit
import Testing
import Workers

@testable import tapedeck

@Suite struct JSONLineTests {
    private let stamp = FileStamp(bytes: 44, modifiedNanoseconds: 1_778_049_123_000_000_000)

    @Test func failedRecordingIsPrintedWithFailure() {
        var entry = ManifestEntry(name: "b.wav", status: .failed, source: stamp)
        entry.failure = RecordingFailure(
            stage: .decode, reason: .truncated, frame: 100, expected: 250)
        #expect(
            Timeless.text(for: .settled(folder: "A/x", entry, upToDate: false))
                == #"{"event":"recording","failure":{"decoding":2,"expected":250,"frame":100,"#
                + #""reason":"truncated","stage":"decode"},"folder":"A/x","name":"b.wav","#
                + #""source":{"bytes":44,"modifiedNanoseconds":1778049123000000000},"#
                + #""status":"failed","upToDate":false}"#)
    }

    @Test func finishedRecordingIsPrintedWithAnalysis() {
        var entry = ManifestEntry(name: "b.wav", status: .done, source: stamp)
        entry.format = AudioFormat(
            container: .wav, encoding: .pcm16, sampleRateHertz: 8000, channels: 1, frames: 4000)
        entry.levels = Levels(
            peakDBFS: [nil], rmsDBFS: [nil], dcOffset: [0], clippedSamples: [0],
            samplesBeyondFullScale: [0])
        entry.silence = SilenceMap(
            noiseFloorDBFS: nil, signalToNoiseDecibels: nil, confidence: 1, separable: true,
            silent: true, intervalsSeconds: [[0, 0.5]])
        entry.notTrimmed = .silent
        #expect(
            Timeless.text(for: .settled(folder: .empty, entry, upToDate: true)) { _ in entry }
                == #"{"event":"recording","folder":".","format":{"channels":1,"container":"wav","#
                + #""durationSeconds":0.5,"encoding":"pcm16","frames":4000,"#
                + #""sampleRateHertz":8000},"levels":{"clippedSamples":[0],"dcOffset":[0],"#
                + #""peakDBFS":[null],"rmsDBFS":[null],"samplesBeyondFullScale":[0]},"#
                + #""name":"b.wav","notTrimmed":"silent","silence":{"confidence":1,"#
                + #""intervalsSeconds":[[0,0.5]],"separable":true,"silent":true},"#
                + #""source":{"bytes":44,"modifiedNanoseconds":1778049123000000000},"#
                + #""status":"done","upToDate":true}"#)
    }

    @Test func nonUTF8NamesArePrintedAsBytes() {
        let name = Pathname(bytes: [0x61, 0xFF])
        let entry = ManifestEntry(name: name, status: .done, source: nil)
        #expect(
            Timeless.text(for: .settled(folder: name, entry, upToDate: false))
                == #"{"event":"recording","folder":{"bytes":"61ff"},"name":{"bytes":"61ff"},"#
                + #""status":"done","upToDate":false}"#)
    }

    @Test func eventIsOneLineForAnyName() {
        let line = Timeless.text(for: .planned(folder: "a\nb", name: "\"c\"\u{2028}", .all))
        #expect(!line.contains("\n"))
        #expect(line.contains(#""folder":"a\nb","name":"\"c\""#))
    }

    @Test func plannedEventListsStages() {
        #expect(
            Timeless.text(for: .planned(folder: "A", name: "b.wav", [.waveform, .trim]))
                == #"{"event":"planned","folder":"A","name":"b.wav","stages":["waveform","trim"]}"#)
    }

    @Test func staleEventListsReasons() {
        let damage = OutputDamage(name: "b.wav.dat", kind: .missing, stage: .waveform)
        #expect(
            Timeless.text(
                for: .explained(folder: .empty, name: "b.wav", [.output(damage), .checksumWanted]))
                == #"{"event":"stale","folder":".","name":"b.wav","#
                + #""reasons":["b.wav.dat is missing","its checksum was not recorded"]}"#)
    }

    @Test func stoppedAndRecordEventsArePrinted() {
        let full = RecordingFailure(stage: .waveform, reason: .noSpace, code: 28)
        #expect(
            Timeless.text(for: .stopped(full))
                == #"{"event":"stopped","failure":{"code":28,"reason":"noSpace","#
                + #""stage":"waveform"}}"#)
        #expect(
            Timeless.text(for: .manifestSetAside(folder: "", name: "m"))
                == #"{"event":"manifestSetAside","folder":".","name":"m"}"#)
        #expect(
            Timeless.recordRebuilt(setAside: ".tapedeck.damaged")
                == #"{"event":"recordRebuilt","setAside":".tapedeck.damaged"}"#)
    }

    @Test func folderEventShowsFailedStage() {
        let unread = RecordingFailure(stage: .scan, reason: .permissionDenied, code: 13)
        #expect(
            Timeless.text(for: .folderFailed("A", unread))
                == #"{"event":"folder","failure":{"code":13,"reason":"permissionDenied","#
                + #""stage":"scan"},"folder":"A"}"#)
        let full = RecordingFailure(stage: .manifest, reason: .noSpace, code: 28)
        #expect(
            Timeless.text(for: .manifestFailed(folder: .empty, full))
                == #"{"event":"folder","failure":{"code":28,"reason":"noSpace","#
                + #""stage":"manifest"},"folder":"."}"#)
    }

    @Test func waitingEventIsPrinted() {
        #expect(
            Timeless.text(for: .awaited(folder: "A", name: "b.wav", nil))
                == #"{"event":"waiting","folder":"A","name":"b.wav"}"#)
        let cutOff = RecordingFailure(stage: .decode, reason: .truncated, frame: 1, expected: 2)
        #expect(
            Timeless.text(for: .awaited(folder: .empty, name: "b.wav", cutOff))
                == #"{"event":"waiting","failure":{"decoding":2,"expected":2,"frame":1,"reason":"truncated","#
                + #""stage":"decode"},"folder":".","name":"b.wav"}"#)
    }

    @Test func goneSparedAndMovedEventsArePrinted() {
        #expect(
            Timeless.text(for: .missing(folder: "A", name: "b.wav", pruned: true))
                == #"{"event":"gone","folder":"A","name":"b.wav","pruned":true}"#)
        #expect(
            Timeless.text(for: .spared(folder: .empty, name: "b.wav"))
                == #"{"event":"spared","folder":".","name":"b.wav"}"#)
        #expect(
            Timeless.text(
                for: .moved(folder: "A", name: "b.wav", newFolder: .empty, newName: "c.wav"))
                == #"{"event":"moved","folder":"A","name":"b.wav","newFolder":".","#
                + #""newName":"c.wav"}"#)
    }

    @Test(arguments: [
        (WatchOutcome.watched, "watched"), (.outOfWatches, "outOfWatches"),
        (.outOfInstances, "outOfInstances"), (.remote, "remote"), (.unsupported, "unsupported"),
        (.failed(code: 13), "failed"),
    ])
    func unwatchableFoldersAreReported(outcome: WatchOutcome, word: String) {
        #expect(
            Timeless.text(for: .polled(folder: "A", outcome))
                == #"{"event":"polled","folder":"A","reason":"\#(word)"}"#)
    }

    @Test func watchingEventShowsFolderCount() {
        #expect(
            Timeless.watching(folders: 40)
                == #"{"event":"watching","folders":40}"#)
    }

    @Test func summaryEventShowsCountsAndExitStatus() {
        var summary = Summary()
        summary.recordings = 3
        summary.done = 2
        summary.failed = 1
        summary.missing = 4
        summary.audioSeconds = 12.5
        #expect(
            Timeless.summary(summary, .someFailed, output: "/a/tapedeck")
                == #"{"audioSeconds":12.5,"awaited":0,"decodedSeconds":0,"done":2,"event":"summary","#
                + #""exitStatus":3,"exportTroubles":0,"exportsWritten":0,"failed":1,"#
                + #""foldersFailed":0,"leftOut":0,"#
                + #""manifestsFailed":0,"missing":4,"#
                + #""output":"/a/tapedeck","planned":0,"pruned":0,"recordings":3,"#
                + #""removedSeconds":0,"silent":0,"stillFailed":0,"trimmed":0,"unsupported":0,"#
                + #""upToDate":0,"videos":0,"warned":0}"#)
    }
}

/// Events without the time at which they are told.
private enum Timeless {
    static func text(
        for announcement: Announcement, entry: (RecordedPlace) -> ManifestEntry? = { _ in nil }
    ) -> String {
        without(EventLine.text(for: announcement, entry: entry))
    }

    static func watching(folders: Int) -> String { without(EventLine.watching(folders: folders)) }

    static func recordRebuilt(setAside name: Pathname) -> String {
        without(EventLine.recordRebuilt(setAside: name))
    }

    static func summary(
        _ summary: any Encodable, _ status: tapedeck.ExitStatus, output: Pathname? = nil
    ) -> String {
        without(EventLine.summary(summary, status, output: output))
    }

    private static func without(_ line: String) -> String {
        line.replacing(/,"time":"[^"]*"/, with: "")
    }
}

/// Times as in logs.
@Suite struct ClockTextTests {
    @Test(arguments: [
        (0, 0, "1970-01-01T00:00:00.000Z"), (951_782_400, 7, "2000-02-29T00:00:00.007Z"),
        (1_795_897_857, 999, "2026-11-28T20:30:57.999Z"),
        (-1, 0, "1969-12-31T23:59:59.000Z"), (253_402_300_799, 1, "9999-12-31T23:59:59.001Z"),
    ])
    func timesAreInUTC(seconds: Int, milliseconds: Int, text: String) {
        #expect(ClockText.text(seconds: seconds, milliseconds: milliseconds) == text)
    }
}
