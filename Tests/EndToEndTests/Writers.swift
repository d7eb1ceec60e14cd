import Foundation
import Recordings
import TestSupport

/// How programs put recordings into folders: each a real process that does so, in its own time.
enum Writer: String, CaseIterable {
    case hiddenNameThenRename
    case otherEndingThenRename
    case preallocatedHeaderFirst
    case preallocatedHeaderLast
    case burstsWhileHeldOpen
    case burstsClosedEachTimeWAV
    case burstsClosedEachTimeFLAC
    case burstsClosedEachTimeOgg
    case sizesPatchedAtTheEnd
    case sizesPatchedAtTheEndClosedEachTime
    case completeButHeldOpen
    case filledThroughMemory
    case copyKeepingTimes
    case timesSetAfterwards
    case rsyncKeepingTimes
    case hardLink
    case movedFromAnotherFileSystem

    /// Name of what is written.
    var name: Pathname {
        switch self {
        case .burstsClosedEachTimeFLAC: "x.flac"
        case .burstsClosedEachTimeOgg: "x.opus"
        default: "x.wav"
        }
    }

    /// What is in it at last.
    var sound: [UInt8] {
        switch self {
        case .burstsClosedEachTimeFLAC:
            Corpus.bytes("interviews/2024/harbour/pilot_de_mono_flac16_16000hz.flac")
        case .burstsClosedEachTimeOgg: Corpus.bytes("memos/memo_mono_opus_16000hz.opus")
        default: SmallWAV.bytes(SmallWAV.voice(after: 0.7, seconds: 0.5, before: 0.7))
        }
    }

    /// How often it may be decoded with success: more than once only where nothing tells that it is
    /// going to change again.
    var mostDecodings: Int { self == .timesSetAfterwards ? 2 : 1 }

    /// Whether it has a file of the recording's name open for long.
    var isHeldOpen: Bool {
        switch self {
        case .preallocatedHeaderFirst, .preallocatedHeaderLast, .burstsWhileHeldOpen,
            .sizesPatchedAtTheEnd, .completeButHeldOpen, .filledThroughMemory:
            true
        default: false
        }
    }

    /// Starts it.
    ///
    /// One that holds its file open makes another one beside its source, which ends in `.finished`,
    /// right before it closes it.
    /// - Parameters:
    ///   - source: the finished file, somewhere else.
    ///   - elsewhere: a folder in another file system.
    ///   - pauseSeconds: how long it does nothing now and then.
    func start(
        _ source: Pathname, to target: Pathname, elsewhere: Pathname, pauseSeconds: Double
    ) -> RunningTool {
        let words = [source.text, target.text, "\(pauseSeconds)", elsewhere.text]
        if let command {
            return RunningTool(program: "/bin/sh", ["-c", command, "sh"] + words)
        }
        return RunningTool(
            program: "/usr/bin/env", ["python3", "-c", Writer.prelude + script] + words)
    }

    /// For a shell, where a program does all of it: from $1 to $2, by way of $4.
    private var command: String? {
        switch self {
        case .copyKeepingTimes: "touch -d '2020-02-02 02:02:02.5' \"$1\" && cp -p \"$1\" \"$2\""
        case .timesSetAfterwards: "cp \"$1\" \"$2\" && touch -d '2020-02-02 02:02:02.5' \"$2\""
        case .rsyncKeepingTimes:
            "touch -d '2020-02-02 02:02:02.5' \"$1\" && rsync -t --bwlimit=40 \"$1\" \"$2\""
        case .hardLink: "ln \"$1\" \"$2\""
        case .movedFromAnotherFileSystem: "cp \"$1\" \"$4/x\" && mv \"$4/x\" \"$2\""
        default: nil
        }
    }

    private static let prelude = """
        import mmap, os, sys, time
        source, target, pause = sys.argv[1], sys.argv[2], float(sys.argv[3])
        sound = open(source, 'rb').read()
        third = len(sound) // 3
        thirds = [sound[:third], sound[third:2 * third], sound[2 * third:]]
        patched = sound[:4] + bytes(4) + sound[8:40] + bytes(4) + sound[44:]
        def rest(): time.sleep(pause)
        def finish(): open(source + '.finished', 'w').close()
        def bursts(name, parts):
            with open(name, 'wb', buffering=0) as file:
                for part in parts:
                    file.write(part); rest()
                finish()

        """

    /// For Python.
    private var script: String {
        switch self {
        case .hiddenNameThenRename:
            """
            folder, name = os.path.split(target)
            temporary = os.path.join(folder, '.' + name + '.AbC')
            bursts(temporary, thirds)
            os.rename(temporary, target)
            """
        case .otherEndingThenRename:
            """
            bursts(target + '.part', thirds)
            os.rename(target + '.part', target)
            """
        case .preallocatedHeaderFirst:
            """
            file = os.open(target, os.O_CREAT | os.O_RDWR)
            os.posix_fallocate(file, 0, len(sound))
            for part in range(3):
                os.pwrite(file, thirds[part], part * third); rest()
            finish(); os.close(file)
            """
        case .preallocatedHeaderLast:
            """
            file = os.open(target, os.O_CREAT | os.O_RDWR)
            os.ftruncate(file, len(sound)); rest()
            os.pwrite(file, sound[44:], 44); rest()
            os.pwrite(file, sound[:44], 0); rest()
            finish(); os.close(file)
            """
        case .burstsWhileHeldOpen: "bursts(target, thirds)"
        case .burstsClosedEachTimeWAV, .burstsClosedEachTimeFLAC, .burstsClosedEachTimeOgg:
            """
            for part in thirds:
                with open(target, 'ab') as file: file.write(part)
                rest()
            """
        case .sizesPatchedAtTheEnd:
            """
            with open(target, 'wb', buffering=0) as file:
                file.write(patched[:third]); rest()
                file.write(patched[third:]); rest()
                file.seek(0); file.write(sound[:44]); finish()
            """
        case .sizesPatchedAtTheEndClosedEachTime:
            """
            for part in patched[:third], patched[third:]:
                with open(target, 'ab') as file: file.write(part)
                rest()
            with open(target, 'r+b') as file: file.write(sound[:44])
            """
        case .completeButHeldOpen:
            """
            with open(target, 'wb', buffering=0) as file:
                file.write(sound); rest(); rest(); rest(); finish()
            """
        case .filledThroughMemory:
            """
            file = os.open(target, os.O_CREAT | os.O_RDWR)
            os.ftruncate(file, len(sound))
            memory = mmap.mmap(file, len(sound))
            os.close(file)
            memory[:len(thirds[0])] = thirds[0]; rest()
            memory[len(thirds[0]):] = sound[len(thirds[0]):]; rest()
            finish(); memory.flush(); memory.close()
            """
        default: ""
        }
    }
}

/// How a run learns of changes.
enum Sense: CaseIterable {
    case told, polled

    var options: [String] { self == .told ? [] : ["--poll", "0.2"] }
}
