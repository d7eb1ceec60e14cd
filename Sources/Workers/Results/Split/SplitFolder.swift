import Audio
import Exports
import Jobs
import Recordings

/// The split files of one folder's recordings, and the list of them.
struct SplitFolder {
    let place: Pathname
    private let root: Pathname
    /// Where the results of the folder are.
    private let results: Pathname
    let order: SplitRun.Order
    /// Whether results lie there too, of a folder of recordings that is called `segments`; what is
    /// temporary may be theirs.
    var sharesPlace = false
    /// By name of the file; what is there.
    var listed: [String: SplitLine] = [:]
    /// What is to be there, of the recordings that were split so far.
    var lines: [String: SplitLine] = [:]
    /// Names of the folder's recordings.
    var recordings: Set<String> = []
    /// Names of those that were split.
    var split: Set<String> = []
    /// Those that several recordings have.
    private var sharedStems: Set<Pathname> = []
    var isListCurrent = true
    var lastListed = ContinuousClock.now

    init(_ place: Pathname, root: Pathname, results: Pathname, _ order: SplitRun.Order) {
        (self.place, self.root, self.results, self.order) = (place, root, results, order)
    }

    /// - Parameters:
    ///   - sounds: all recordings of the folder, as names depend on all.
    ///   - chosen: those that are split.
    mutating func carryOut(
        _ sounds: [OutputRecord.RecordedSound], _ chosen: Set<Pathname>,
        _ outcome: inout SplitOutcome, tell: (Pathname, ExportObstacle) -> Void
    ) throws(ExportRefusal) {
        let own = sounds.filter { chosen.contains($0.name) }
        let done = own.filter { $0.status == .done && ($0.format?.frames ?? 0) > 0 }
        outcome.missing += own.count { $0.status == .sourceMissing }
        outcome.unheard += own.count { $0.status == .failed }
        recordings = Set(sounds.map(\.name.text))
        guard try begin(mayMake: !done.isEmpty) else { return }
        var stems: Set<Pathname> = []
        for sound in sounds where !stems.insert(sound.name.stem).inserted {
            sharedStems.insert(sound.name.stem)
        }
        for sound in done where !order.isCancelled() {
            do throws(ExportObstacle) {
                try add(sound, &outcome)
                outcome.recordings += 1
            } catch {
                if case .failed(let failure) = error, failure.endsRun {
                    throw .notWritten(place, detail: failure.detail ?? failure.reason.rawValue)
                }
                tell(sound.folder.appending(sound.name), error)
            }
            do throws(FileSystemError) { try list(&outcome, isLast: false) } catch {
                throw .notWritten(error.path, detail: error.detail)
            }
        }
        do throws(FileSystemError) { try list(&outcome, isLast: true) } catch {
            throw .notWritten(error.path, detail: error.detail)
        }
    }
}

// MARK: - One recording

extension SplitFolder {
    private mutating func add(
        _ sound: OutputRecord.RecordedSound, _ outcome: inout SplitOutcome
    ) throws(ExportObstacle) {
        guard let format = sound.format, let stamp = sound.source, sound.name.isUTF8 else {
            throw .name
        }
        let container = order.isWAV ? TrimmedContainer.wav : format.splitContainer
        let all = sound.stretches(.segments, apart: true).map { segments in
            order.rules.apply(
                to: segments, of: sound, durationSeconds: format.durationSeconds, in: results)
        }
        var wanted: [(line: SplitLine, frames: Range<Int64>)] = []
        for (index, stretch) in all.flatMap({ $0.enumerated() }) {
            let name = order.naming.name(
                of: sound.name, sharesStem: sharedStems.contains(sound.name.stem), index + 1,
                stretch
            ).adding(suffix: "." + container.rawValue)
            let frames = format.frames(of: stretch)
            guard name.isUTF8 else { throw .name }
            if frames.isEmpty { continue }
            try requireFree(name, for: sound.name, stamp)
            wanted.append((SplitLine(name.text, sound.name.text, stretch, stamp), frames))
        }
        let missing = wanted.filter { !isThere($0.line) }
        var written: [SplitLine] = []
        // Segments of one channel follow each other, as a source that cannot seek demands.
        for channel in Set(missing.map(\.line.channel)).sorted(by: { ($0 ?? 0) < ($1 ?? 0) }) {
            let own = missing.filter { $0.line.channel == channel }
            written += try self.written(own, of: sound, as: container, format.frames)
        }
        for (line, _) in wanted { lines[line.name] = listed[line.name] }
        for var line in written {
            line.others = listed[line.name]?.others ?? [:]
            lines[line.name] = line
        }
        if !written.isEmpty { isListCurrent = false }
        // Of one that was interrupted, what is there stays.
        if !order.isCancelled() { split.insert(sound.name.text) }
        outcome.upToDate += wanted.count - written.count
        outcome.written += written.count
    }

    /// Throws unless a name is free, or has a file of this recording.
    private func requireFree(
        _ name: Pathname, for recording: Pathname, _ source: FileStamp
    ) throws(ExportObstacle) {
        if lines[name.text] != nil { throw .taken(name) }
        if let known = listed[name.text] {
            if known.recording != recording.text { throw .taken(name) }
            if isUnchanged(known) { return }
        }
        let found = try? FileSystem.status(place.appending(name), followingLink: false)
        // A split that was interrupted has not listed its last files.
        let isOwn =
            found?.kind == .regular
            && found?.stamp.modifiedNanoseconds == source.modifiedNanoseconds
        // Another file, or one that somebody has modified.
        if found != nil, !isOwn { throw .taken(name) }
    }

    private func isThere(_ line: SplitLine) -> Bool {
        listed[line.name].map { $0.isMade(as: line) && isUnchanged($0) } ?? false
    }

    private func written(
        _ missing: [(line: SplitLine, frames: Range<Int64>)],
        of sound: OutputRecord.RecordedSound, as container: TrimmedContainer, _ frames: Int64
    ) throws(ExportObstacle) -> [SplitLine] {
        let path = root.appending(sound.name)
        let isCancelled = order.isCancelled
        let result = LibraryOutput.capture { () -> Result<[SplitLine], RecordingFailure> in
            do throws(RecordingFailure) {
                return .success(
                    try SplitFolder.write(
                        missing, from: path, sound.rawFormat, container, frames, to: place,
                        isCancelled))
            } catch {
                return .failure(error)
            }
        }.result
        do throws(RecordingFailure) { return try result.get() } catch { throw .failed(error) }
    }

    private static func write(
        _ missing: [(line: SplitLine, frames: Range<Int64>)], from path: Pathname,
        _ raw: RawFormat?, _ container: TrimmedContainer, _ frames: Int64, to place: Pathname,
        _ isCancelled: () -> Bool
    ) throws(RecordingFailure) -> [SplitLine] {
        guard let stamp = missing.first?.line.source else { return [] }
        try SourceCheck.check(path, stamp, in: .trim)
        var source = try inStage(.trim) { () throws(AudioFileError) in
            try CopySource(opening: path, withoutHeaderAs: raw)
        }
        var lines: [SplitLine] = []
        for (var line, range) in missing {
            let staged = try inStage(.trim) { () throws(FileSystemError) in
                try StagedOutput(at: place.appending(Pathname(line.name)))
            }
            do throws(AudioFileError) {
                let loss = try source.write(
                    keeping: EditList(keeping: [range], of: frames),
                    channel: line.channel.map { $0 - 1 }, isPart: true, to: staged.file,
                    container: container, fadeFrames: 0, isCancelled: isCancelled)
                guard loss != nil else { break }
            } catch {
                throw RecordingFailure(error, in: .trim)
            }
            do throws(FileSystemError) {
                let receipt = try StagedOutput.receipt(of: staged.file.descriptor, staged.file.path)
                (line.bytes, line.sha256) = (receipt.bytes, receipt.sha256)
                try FileSystem.setModified(
                    staged.file.descriptor, staged.file.path,
                    nanoseconds: stamp.modifiedNanoseconds)
                try staged.commit()
            } catch {
                throw RecordingFailure(error, in: .trim)
            }
            lines.append(line)
        }
        try SourceCheck.check(path, stamp, in: .trim)
        return lines
    }
}

extension AudioFormat {
    /// FLAC where it holds the samples.
    fileprivate var splitContainer: TrimmedContainer {
        var recipe = TrimRecipe()
        recipe.format = .flac
        let container = recipe.container(for: self)
        return container == .same ? (self.container == .flac ? .flac : .wav) : container
    }

    /// The frames of a stretch.
    fileprivate func frames(of stretch: Stretch) -> Range<Int64> {
        let rate = Double(sampleRateHertz)
        let start = min(frames, max(0, Int64((stretch.start * rate).rounded())))
        return start..<max(start, min(frames, Int64((stretch.end * rate).rounded())))
    }
}
