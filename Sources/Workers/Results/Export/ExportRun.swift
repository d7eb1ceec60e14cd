import Exports
import Jobs
import Recordings

/// Writes the results of an output in a format that other programs read; nothing is decoded.
package struct ExportRun {
    /// What to write, and where.
    package struct Order {
        package var format: any ExportFormat.Type
        package var subject: ExportSubject
        /// Whether times are those of the trimmed copies, where there are any.
        package var isOfCopies = false
        /// Whether each recording gets a file of its own.
        package var isBeside: Bool
        package var rules = StretchRules()
        /// `nil` for the output.
        package var folder: Pathname?
        /// Whether existing files are replaced.
        package var replaces = false
        package var filter = PathFilter()
        /// Paths of recordings and folders; `nil` for all.
        package var list: PathList?
        /// Where it goes if a run keeps it current; `nil` for a single export.
        var kept: KeptExports?

        package init(format: any ExportFormat.Type, subject: ExportSubject, isBeside: Bool) {
            self.format = format
            self.subject = subject
            self.isBeside = isBeside
        }

        /// What the format lists by default, as a run keeps it current.
        init(_ format: any ExportFormat.Type, kept: KeptExports) {
            let subject = format.subjects[0]
            self.init(
                format: format, subject: subject, isBeside: format.files(of: subject).isEmpty)
            self.kept = kept
        }
    }

    /// What was written.
    package struct Outcome: Sendable {
        /// Where the files are, as the user would write it.
        package var folder: Pathname
        package var recordings = 0
        package var stretches = 0
        /// Recordings that failed, and have nothing to list.
        package var failed = 0
        /// Recordings that are gone.
        package var missing = 0
        /// Recordings that the format cannot list, and why.
        package var leftOut: [(path: Pathname, obstacle: ExportObstacle)] = []
        /// Listed paths without results, as the user wrote them.
        package var unknown: [Pathname] = []
    }

    private let tree: ResultTree
    private let order: Order
    private let root: Pathname
    private let record: OutputRecord
    private var outcome: Outcome
    private var selection: ExportSelection

    package init(_ order: Order, of tree: ResultTree) throws(RunRefusal) {
        (self.tree, self.order) = (tree, order)
        (record, root) = try tree.recordAndRoot()
        selection = ExportSelection(order.filter, order.list, in: tree.folder, root: root)
        outcome = Outcome(folder: order.folder ?? tree.shownOutput)
    }

    /// Writes all files.
    ///
    /// Each gets its name when it is complete; those that list all recordings get theirs together.
    package mutating func run() throws(ExportRefusal) -> Outcome {
        defer { record.close() }
        var common: ExportFiles?
        var writer = order.format.init(order.subject)
        if !order.isBeside {
            let names = order.format.files(of: order.subject)
            let files = try files(names, in: .empty)
            writer.begin(&files.texts)
            common = files
        }
        var refusal: ExportRefusal?
        do throws(FileSystemError) {
            try record.forEachRecording(
                in: nil, wantsCopies: wantsCopies, wantsFacts: order.subject == .recordings
            ) {
                (sound) throws(FileSystemError) in
                guard refusal == nil, tree.folder.contains(sound.folder),
                    selection.holds(sound), let recording = exported(sound)
                else { return }
                do throws(ExportRefusal) {
                    try add(recording, common, &writer)
                } catch {
                    refusal = error
                }
            }
        } catch {
            throw .unreadable(tree.shownOutput, detail: error.detail)
        }
        if let refusal { throw refusal }
        if let common {
            writer.end(&common.texts)
            try finish(common)
        }
        outcome.unknown = selection.unknown
        return outcome
    }

    private var wantsCopies: Bool { order.isOfCopies || order.subject == .edits }

    private mutating func add(
        _ recording: ExportedRecording, _ common: ExportFiles?, _ writer: inout any ExportFormat
    ) throws(ExportRefusal) {
        var alone = [ExportText()]
        do throws(ExportObstacle) {
            if let common {
                try writer.add(recording, to: &common.texts)
            } else {
                var own = order.format.init(order.subject)
                own.begin(&alone)
                try own.add(recording, to: &alone)
                own.end(&alone)
            }
        } catch {
            return outcome.leftOut.append((recording.path, error))
        }
        try link(recording)
        if let common { try common.flush() } else { try write(alone, beside: recording) }
        outcome.recordings += 1
        outcome.stretches += recording.stretches.count
    }

    private mutating func write(
        _ texts: [ExportText], beside recording: ExportedRecording
    ) throws(ExportRefusal) {
        let name = recording.file.lastComponent.adding(suffix: order.format.ending ?? "")
        let path = recording.folder.appending(name)
        if try order.kept?.has(texts[0].bytes, at: path) == true { return }
        let files = try files([name], in: recording.folder)
        files.texts = texts
        try finish(files)
    }

    /// Creates the recording's link if the format has links.
    private func link(_ recording: ExportedRecording) throws(ExportRefusal) {
        guard let folder = order.format.links else { return }
        let path = outcome.folder.appending(folder).appending(recording.path)
        let isThere = try ExportRefusal.writing(path) { () throws(FileSystemError) in
            try FileSystem.makeFolder(path.parent)
            return try FileSystem.makeLink(path, to: recording.file, replaces: order.replaces)
        }
        if !isThere { throw .exists(path) }
    }

    /// Creates files under temporary names.
    private func files(
        _ names: [Pathname], in folder: Pathname
    ) throws(ExportRefusal) -> ExportFiles {
        let paths = names.map { folder.appending($0) }
        if let kept = order.kept { return try ExportFiles(paths, open: kept.open) }
        let place = outcome.folder
        return try ExportFiles(paths.map { place.appending($0) }) {
            (path) throws(ExportRefusal) in try ExportFile(path, replaces: order.replaces)
        }
    }

    private func finish(_ files: ExportFiles) throws(ExportRefusal) {
        if let kept = order.kept { try kept.take(files) } else { try files.commit() }
    }
}

// MARK: - What is listed of a recording

extension ExportRun {
    /// A recording as the format lists it; `nil`, and counted, if there is nothing to list.
    private mutating func exported(_ sound: OutputRecord.RecordedSound) -> ExportedRecording? {
        guard sound.status == .done, let format = sound.format, format.frames > 0 else {
            if sound.status == .sourceMissing { outcome.missing += 1 } else { outcome.failed += 1 }
            return nil
        }
        var recording = ExportedRecording(
            folder: sound.folder, name: sound.name,
            file: root.appending(sound.folder).appending(sound.name),
            sampleRateHertz: format.sampleRateHertz, channels: format.channels,
            frames: format.frames,
            isPlainWAV: format.container == .wav && format.encoding == .pcm16 && sound.isSound,
            stretches: [])
        (recording.peakDBFS, recording.rmsDBFS) = (sound.peakDBFS, sound.rmsDBFS)
        recording.sha256 = sound.sha256
        if let metadata = sound.metadata { recording.metadata = metadata }
        let parts = sound.stretches(order.subject, apart: order.format.hasChannels)
        recording.stretches = parts.flatMap { stretches in
            order.rules.apply(
                to: stretches, of: sound, durationSeconds: recording.durationSeconds,
                in: tree.output.appending(sound.folder))
        }
        if parts.count > 1 {
            recording.stretches.sort { ($0.start, $0.channel ?? 0) < ($1.start, $1.channel ?? 0) }
        }
        if order.isOfCopies, let copy = sound.copy, let map = TimeMap(copy.edits, of: format.frames)
        {
            recording.move(to: tree.output.appending(sound.folder).appending(copy.name), map)
        }
        return recording
    }
}

extension ExportedRecording {
    /// Lists the trimmed copy instead; what was cut is left out.
    fileprivate mutating func move(to copy: Pathname, _ map: TimeMap) {
        let rate = Double(sampleRateHertz)
        func time(_ seconds: Double) -> Double? {
            map.moment(.toTrimmed, seconds: seconds, sampleRateHertz: sampleRateHertz)
                .map { Double($0.trimmedFrame) / rate }
        }
        stretches = stretches.compactMap { stretch in
            guard let start = time(stretch.start), let end = time(stretch.end), end > start else {
                return nil
            }
            var moved = stretch
            (moved.start, moved.end) = (start, end)
            return moved
        }
        frames = map.trimmedFrameCount
        isPlainWAV = isPlainWAV && copy.lastComponent == name
        file = copy
    }
}
