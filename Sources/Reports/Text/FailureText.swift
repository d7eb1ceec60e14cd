import Jobs
import Recordings

/// All failure messages.
package enum FailureText {
    /// The message for an announcement; `nil` if it is not a failure.
    /// - Parameter root: the run's root as displayed before each path.
    package static func line(
        for announcement: Announcement, below root: Pathname = .empty
    ) -> String? {
        func place(_ folder: Pathname) -> String { root.appending(folder).displayText }
        switch announcement {
        case .settled(let folder, let entry, let upToDate):
            // An old failure of a missing recording is not news.
            guard let failure = entry.failure, entry.status != .sourceMissing else { return nil }
            let path = root.appending(folder).appending(entry.name)
            let text = sentence(for: failure, of: path)
            return path.displayText
                + (upToDate ? ": still failed: \(text)" : ": \(text)")
        case .folderFailed(let folder, let failure):
            let isWholeStory = [.emptied, .linked, .leadsElsewhere, .placeTaken]
                .contains(failure.reason)
            let what = failure.stage == .manifest ? "what earlier runs made of it" : "the folder"
            return "\(place(folder)): \(isWholeStory ? "" : "\(what) could not be read: ")"
                + system(failure)
        case .manifestFailed(let folder, let failure):
            return "\(place(folder)): the manifest could not be written: \(system(failure))"
        case .stopped(let failure):
            return "the run was stopped: \(trouble(failure)); finished work is kept; run the"
                + " same command again"
        case .journalDamaged(let lines):
            let numbers = lines.map(String.init).joined(separator: ", ")
            return "the journal of an earlier run is damaged in line \(numbers); the"
                + " recordings named there are processed again"
        case .manifestSetAside(let folder, let name):
            return "\(place(folder)): the manifest could not be read; the folder is processed"
                + " again, and the old manifest is kept as \(name.displayText)"
        case .spared(let folder, let name):
            return "in the output, \(folder.appending(name).displayText) stays though nothing names"
                + " it any more: it was changed since it was made, or is something else; rename it,"
                + " or remove it"
        case .journalFailed(let failure):
            return "the journal could not be deleted: \(system(failure)); the next run will do it"
        case .polled(let folder, let outcome):
            return "\(place(folder)): \(WatchText.refusal(outcome))"
        case .planned, .explained, .settingsChanged, .awaited, .missing, .moved:
            return nil
        }
    }

    /// Why no more results can be written.
    private static func trouble(_ failure: RecordingFailure) -> String {
        switch failure.reason {
        case .noSpace: "there is no space left for the results"
        case .readOnly: "the output folder is read-only"
        case .outputGone: system(failure)
        case .decoderStuck: "the decoder hangs on \(Pathname(failure.detail ?? "").displayText)"
        default: "the results could not be written to disk: \(system(failure))"
        }
    }

    static let foreignFormat =
        "this format cannot be read yet; convert the file to WAV or FLAC, with ffmpeg or sox"

    /// Why the recording with this name failed.
    static func sentence(for failure: RecordingFailure, of name: Pathname) -> String {
        let isForeign = failure.reason == .unrecognisedFormat && name.isOfUndecodableFormat
        return isForeign ? conversion(of: name) : sentence(for: failure)
    }

    /// The command that converts an unsupported format.
    private static func conversion(of name: Pathname) -> String {
        let hasHeader = !["ul", "ulaw", "al", "alaw", "sln", "vox", "pcm"].contains(
            name.fileExtension)
        guard hasHeader else { return foreignFormat }
        let text = name.displayText
        let words = [text, String(text.dropLast(name.fileExtension.utf8.count)) + "wav"].map {
            word in
            let isPlain = word.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0123456789-._/".unicodeScalars.contains($0)
            }
            return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
        }
        return "this format cannot be read yet; convert it first: ffmpeg -i \(words[0]) \(words[1])"
    }

    /// Why a recording failed.
    package static func sentence(for failure: RecordingFailure) -> String {
        switch failure.stage {
        case .waveform: "the waveform could not be written: \(system(failure))"
        case .trim where failure.isAboutTheOutput:
            "the trimmed copy could not be written: \(system(failure))"
        case .trim where failure.reason == .unsupportedEncoding:
            "the trimmed copy could not be written: its container cannot hold this sound"
        default: cause(failure)
        }
    }

    private static func cause(_ failure: RecordingFailure) -> String {
        switch failure.reason {
        case .emptyFile: "the file is empty"
        case .notARegularFile: "this is not a regular file"
        case .unrecognisedFormat: "this is no sound file that can be read" + quoted(failure)
        case .unsupportedEncoding: "the sound in it cannot be decoded" + quoted(failure)
        case .noAudio: "there is no sound in it"
        case .truncated: "the file is cut off" + progress(failure)
        case .unfinished:
            "the recorder never finished this file: its header says nothing of the"
                + " sound behind it"
        case .corrupt: "the sound is damaged" + progress(failure) + quoted(failure)
        case .chainedStreams:
            "several streams follow each other in this file, and only the first"
                + " could be read" + (failure.frame.map { ", up to frame \($0)" } ?? "")
        case .implausibleLength:
            "it claims far more sound than its bytes can hold" + claimed(failure)
        case .tooLong:
            "it holds more than 48 hours of sound, or more than --max-hours of run and watch allows"
        case .decoderStuck:
            "the decoder used the processor for a minute and delivered nothing; it is not tried again"
                + " until the file changes, but with --retry-failed"
        case .permissionDenied: "there is no permission to read it"
        case .vanished: "the file is gone"
        case .changed: "the file changed while it was being read"
        case .beingWritten: "it is still being written"
        default: system(failure)
        }
    }

    /// The system error, in our own words for known reasons.
    static func system(_ failure: RecordingFailure) -> String {
        switch failure.reason {
        case .emptied:
            "it is empty or gone, though there are results of it: is its disk or share mounted?"
        case .linked:
            "it is a link now, or lies behind one; links to folders are not entered, and what was"
                + " made of it stays"
        case .leadsElsewhere:
            "its folder in the output is, or leads to, one with files that are not the output's:"
                + " nothing is written there"
        case .placeTaken:
            "its results have no place in the output, where a file stands in the way of a folder, or"
                + " a folder called manifest.json in that of a manifest: rename it, or remove it"
        case .nameTaken:
            Pathname(failure.detail ?? "a file").displayText
                + " in the output is none of its results, or was changed since: rename it, or"
                + " remove it"
        case .outputGone: "the output is gone, or another folder is in its place"
        case .noSpace: "there is no space left"
        case .readOnly: "it is read-only there"
        case .permissionDenied: "there is no permission"
        case .nameTooLong: "the name is too long"
        case .tooLarge: "a file of that length is not allowed there"
        case .tooManyOpenFiles: "too many files are open"
        case .inputOutput: "the disk reports an input/output error" + progress(failure)
        case .unavailable: "the system could not do it just now" + quoted(failure)
        default: failure.detail?.trimmedText ?? "no reason is known (\(failure.code ?? 0))"
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
        case .pathMissing(let path): "\(path.displayText) does not exist"
        case .pathUnreadable(let path, let detail):
            "\(path.displayText) cannot be looked at: \(detail)"
        case .pathIsOutput(let path):
            "\(path.displayText) is an output folder of tapedeck; name the folder with the"
                + " originals"
        case .outputIsSource(let path):
            "the output folder \(path.displayText) is the folder of the recordings; name another"
                + " with --output"
        case .outputHoldsSources(let output, let source):
            "the output folder \(output.displayText) holds the recordings in"
                + " \(source.displayText); name one outside of them with --output"
        case .outputHoldsFiles(let output, let file):
            "the output folder \(output.displayText) holds files of its own, such as"
                + " \(file.displayText); name an empty or a new one with --output"
        case .outputInOutput(let output, let other):
            "the output folder \(output.displayText) lies in \(other.displayText), which is the"
                + " output folder of other runs; name one outside of it with --output"
        case .outputNotAFolder(let path): "the output \(path.displayText) is not a folder"
        case .outputNotMade(let path, let detail):
            "the output folder \(path.displayText) cannot be made or written: \(detail)"
        case .outputFileNotRegular(let path):
            "\(path.displayText) is not a regular file, and nothing is written through links, pipes"
                + " or devices; remove it, or name another output with --output"
        case .outputFileOfAnother(let path):
            "\(path.displayText) belongs to another user, who could have put it there; if you trust"
                + " what is in that folder, make it yours with chown, or name another output with"
                + " --output"
        case .journalUnreadable(let path, let detail?):
            "the journal in \(path.displayText) cannot be read: \(detail)"
        case .journalUnreadable(let path, nil):
            "the journal in \(path.displayText) was written by a later tapedeck; run that one"
        case .outputBusy(let path, let holder):
            "another tapedeck\(holder.map { " (process \($0))" } ?? "") is writing to"
                + " \(path.displayText); wait for it, or name another output"
        case .outputOfOthers(let output, let root):
            "the output folder \(output.displayText) holds the results of \(root.displayText);"
                + " name another with --output, as in --output"
                + " \(output.adding(suffix: "-2").displayText)"
        case .tooFewOpenFiles(let free, let needed):
            "it may not open more than \(CountText.words(free, "file")), and a run needs \(needed);"
                + " raise the limit, as with ulimit -n 256"
        case .tooFewThreads(let free, let needed):
            "it may start no more than \(CountText.words(free, "thread")), and needs \(needed); raise the"
                + " limit (ulimit -u, or pids.max of the container)"
        case .noResults(let path):
            "no results of tapedeck are in \(path.displayText); name an output folder, or a folder"
                + " of recordings that holds one called tapedeck"
        case .recordingsUnknown(let output):
            "the output folder \(output.displayText) does not say where its recordings are, or they"
                + " are not there any more; name their folder with --recordings"
        }
    }
}

extension RecordingFailure {
    fileprivate var isAboutTheOutput: Bool {
        [
            .noSpace, .readOnly, .tooLarge, .nameTooLong, .tooManyOpenFiles, .permissionDenied,
            .nameTaken, .leadsElsewhere, .placeTaken, .outputGone, .other,
        ]
        .contains(reason)
    }
}

extension String {
    /// The text without trailing whitespace and full stops, which libraries append.
    fileprivate var trimmedText: String {
        var text = self[...]
        while let last = text.last, last.isWhitespace || last == "." { text.removeLast() }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
