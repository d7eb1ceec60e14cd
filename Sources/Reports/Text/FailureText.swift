import Jobs
import Recordings

/// All failure messages.
package enum FailureText {
    /// The tone of the message for an announcement.
    package static func tone(of announcement: Announcement) -> Tone {
        if case .settled(_, let entry, _, _) = announcement, entry.failure == nil {
            return .warning
        }
        return .failure
    }

    /// The message for an announcement; `nil` if it is neither a failure nor a warning.
    /// - Parameter root: the run's root as displayed before each path.
    package static func line(
        for announcement: Announcement, below root: Pathname = .empty
    ) -> String? {
        func place(_ folder: Pathname) -> String { root.appending(folder).displayText }
        switch announcement {
        case .settled(let folder, let entry, let whole, let upToDate):
            if !upToDate, let whole, let warnings = WarningText.line(for: whole.value) {
                return "\(root.appending(folder).appending(entry.name).displayText): \(warnings)"
            }
            // An old failure of a missing recording is not news.
            guard let failure = entry.failure, entry.status != .sourceMissing else { return nil }
            let text = sentence(for: failure)
            return root.appending(folder).appending(entry.name).displayText
                + (upToDate ? ": still failed: \(text)" : ": \(text)")
        case .folderFailed(let folder, let failure):
            let isWholeStory = [.emptied, .linked, .leadsElsewhere, .placeTaken]
                .contains(failure.reason)
            let what = failure.stage == .manifest ? "its earlier results" : "the folder"
            return "\(place(folder)): \(isWholeStory ? "" : "\(what) could not be read: ")"
                + system(failure)
        case .manifestFailed(let folder, let failure):
            return "\(place(folder)): the manifest could not be written: \(system(failure))"
        case .stopped(let failure):
            return "the run was stopped: \(trouble(failure)); finished work is kept; run the"
                + " same command again"
        case .manifestSetAside(let folder, let name):
            return "\(place(folder)): its manifest.json in the output was damaged, or another"
                + " program's; it is kept as \(name.displayText)"
        case .spared(let folder, let name):
            return "in the output, \(folder.appending(name).displayText) is kept although no"
                + " recording has it: it was modified, or is another file; rename or delete it"
        case .exportTrouble(let trouble): return ExportView.sentence(for: trouble, below: root)
        case .polled(let folder, let outcome):
            return "\(place(folder)): \(WatchText.refusal(outcome))"
        case .planned, .explained, .settingsChanged, .awaited, .missing, .moved:
            return nil
        }
    }

    /// A run found the record damaged, and makes it anew.
    package static func damagedRecord(setAside path: Pathname) -> String {
        "the record of results was damaged, and is rebuilt from the manifests; the damaged file is"
            + " kept as \(path.displayText). Manifests do not have --checksums, --strict, --raw,"
            + " --video, --include, --exclude, --isolate and --max-hours: give those again"
    }

    /// Why no more results can be written.
    private static func trouble(_ failure: RecordingFailure) -> String {
        switch failure.reason {
        case .noSpace: "no space left for the results"
        case .readOnly: "the output folder is read-only"
        case .outputGone, .takenOver, .damagedRecord: system(failure)
        case .decoderStuck: "the decoder hangs on \(Pathname(failure.detail ?? "").displayText)"
        default: "the results could not be written to disk: \(system(failure))"
        }
    }

    /// Why a recording failed.
    package static func sentence(for failure: RecordingFailure) -> String {
        switch failure.stage {
        case .waveform: "the waveform could not be written: \(system(failure))"
        case .trim where failure.isAboutTheOutput:
            "the trimmed copy could not be written: \(system(failure))"
        case .trim where failure.reason == .unsupportedEncoding:
            "the trimmed copy could not be written: its container cannot hold this audio"
        default: cause(failure)
        }
    }

    private static func cause(_ failure: RecordingFailure) -> String {
        switch failure.reason {
        case .emptyFile: "the file is empty"
        case .notARegularFile: "not a regular file"
        case .unrecognisedFormat: "not a sound file that Tapedeck can read" + quoted(failure)
        case .unsupportedEncoding: "its encoding cannot be decoded" + quoted(failure)
        case .noAudio: "the file contains no audio"
        case .truncated: "the file is cut off" + progress(failure)
        case .unfinished:
            "the recorder did not finish this file: its header does not describe the audio"
        case .corrupt: "the audio is damaged" + progress(failure) + quoted(failure)
        case .chainedStreams:
            "the file holds several streams, and only the first could be read"
                + (failure.frame.map { ", up to frame \($0)" } ?? "")
        case .implausibleLength:
            "the header claims more audio than the file can hold" + claimed(failure)
        case .tooLong:
            "longer than --max-hours of run and watch allows (48 hours)"
        case .decoderStuck:
            "the decoder ran for a minute without output; the next run decodes it in a process of"
                + " its own"
        case .decoderCrashed: "the decoder crashed or did not answer; the next run tries again"
        case .needsLibav where failure.detail != nil:
            "needs the helper tapedeck-decoder beside tapedeck (to build it, install libavformat-dev"
                + " and libavcodec-dev, then make build)"
        case .needsLibav: "needs libav, which is not installed (apt install ffmpeg)"
        case .formatChanges:
            "the sample rate changes within the file" + progress(failure)
        case .permissionDenied: "no permission to read the file"
        case .vanished: "the file no longer exists"
        case .changed: "the file changed while it was being read"
        case .beingWritten: "another program is still writing the file"
        default: system(failure)
        }
    }

    /// The system error, in our own words for known reasons.
    static func system(_ failure: RecordingFailure) -> String {
        switch failure.reason {
        case .emptied:
            "empty or missing, but it has results: is its disk or share mounted?"
        case .linked:
            "now a symlink, or below one; symlinked folders are not followed, and its results are"
                + " kept"
        case .leadsElsewhere:
            "its folder in the output is, or links to, a folder with other files: nothing is"
                + " written there"
        case .placeTaken:
            "its results cannot be written: in the output, a file has the name of its folder, or"
                + " a folder is called manifest.json; rename or delete it"
        case .nameTaken:
            Pathname(failure.detail ?? "a file").displayText
                + " in the output is not one of its results, or was modified: rename or delete it"
        case .outputGone: "the output folder was deleted or replaced"
        case .takenOver:
            "another process works on this shard by now; what it does counts, and nothing is lost"
        case .damagedRecord: "the record of results is damaged"
        case .noSpace: "no space left on the device"
        case .readOnly: "the file system is read-only"
        case .permissionDenied: "permission denied"
        case .nameTooLong: "the name is too long"
        case .tooLarge: "the file would exceed the size limit"
        case .tooManyOpenFiles: "too many files are open"
        case .inputOutput: "input/output error" + progress(failure)
        case .unavailable: "temporarily unavailable" + quoted(failure)
        default: failure.detail?.trimmedText ?? "unknown error (\(failure.code ?? 0))"
        }
    }

    private static func quoted(_ failure: RecordingFailure) -> String {
        failure.detail.map { " (\"\($0.trimmedText)\")" } ?? ""
    }

    private static func claimed(_ failure: RecordingFailure) -> String {
        failure.expected.map { " (\($0) frames)" } ?? ""
    }

    private static func progress(_ failure: RecordingFailure) -> String {
        guard let frame = failure.frame else { return "" }
        guard let expected = failure.expected, expected > frame else {
            return " after frame \(frame)"
        }
        return " after frame \(frame) of \(expected)"
    }
}

extension FailureText {
    /// Why a run could not start, and what to do instead.
    package static func sentence(for refusal: RunRefusal) -> String {
        switch refusal {
        case .pathMissing(let path): missing(path)
        case .pathUnreadable(let path, let detail):
            "\(path.displayText) cannot be examined: \(detail)"
        case .pathIsOutput(let path):
            "\(path.displayText) is an output folder of tapedeck; pass the folder with the"
                + " originals"
        case .outputIsSource(let path):
            "the output folder \(path.displayText) is the folder of the recordings; choose"
                + " another with --output"
        case .outputHoldsSources(let output, let source):
            "the output folder \(output.displayText) holds the recordings in"
                + " \(source.displayText); choose one outside of them with --output"
        case .outputHoldsFiles(let output, let file):
            "the output folder \(output.displayText) holds other files, such as"
                + " \(file.displayText); choose an empty or new one with --output, or, if these are"
                + " results whose record is lost, make an empty file .tapedeck there"
        case .outputInOutput(let output, let other):
            "the output folder \(output.displayText) lies in \(other.displayText), which is the"
                + " output folder of other runs; choose one outside of it with --output"
        case .outputNotAFolder(let path): "the output \(path.displayText) is not a folder"
        case .outputNotMade(let path, let detail):
            "the output folder \(path.displayText) cannot be created or written: \(detail)"
        case .outputFileNotRegular(let path):
            "\(path.displayText) is not a regular file, and Tapedeck does not write through"
                + " links, pipes or devices; delete it, or choose another output with --output"
        case .outputFileOfAnother(let path):
            "\(path.displayText) belongs to another user, who may have planted it; if you trust"
                + " the folder, take it over with chown, or choose another output with --output"
        case .recordUnreadable(let path, let detail?):
            "the record of results in \(path.displayText) cannot be read: \(detail)"
        case .recordUnreadable(let path, nil):
            "the record of results in \(path.displayText) was written by a later version of"
                + " tapedeck; use that version"
        case .outputBusy(let path, let holder):
            "another tapedeck\(holder.map { " (process \($0))" } ?? "") is writing"
                + " to \(path.displayText); wait for it, or choose another output"
        case .outputOfOthers(let output, let root):
            "the output folder \(output.displayText) says that its recordings are in"
                + " \(root.displayText); pass --moved if they are here now, or choose another"
                + " output, as with --output \(output.adding(suffix: "-2").displayText)"
        case .tooFewOpenFiles(let free, let needed):
            "the limit of open files is \(CountText.words(free, "file")), and a run needs"
                + " \(needed);"
                + " raise the limit, as with ulimit -n 256"
        case .tooFewThreads(let free, let needed):
            "it may start no more than \(CountText.words(free, "thread")), and needs \(needed);"
                + " raise the"
                + " limit (ulimit -u, or pids.max of the container)"
        case .noResults(let path):
            "there are no results of tapedeck in \(path.displayText); pass an output folder, or a"
                + " folder of recordings with one called tapedeck; tapedeck run makes one"
        case .recordingsUnknown(let output):
            "the output folder \(output.displayText) does not say where its recordings are, or"
                + " they have moved; give their folder to tapedeck verify --recordings, or to"
                + " tapedeck run --moved"
        case .recordingsAway(let folder):
            "the folder of recordings \(folder.displayText) is empty; is its disk mounted?"
        case .cannotIsolate(isHelperThere: true):
            "--isolate needs libav, which is not installed (apt install ffmpeg)"
        case .cannotIsolate(isHelperThere: false):
            "--isolate needs tapedeck-decoder beside tapedeck, which is not there; install the"
                + " package, or run without it (--no-isolate)"
        case .list(let list, let refusal):
            sentence(for: refusal, of: name(ofList: list))
        case .shards(let output, let refusal): ShardText.sentence(for: refusal, of: output)
        }
    }
}
