import Audio
import Exports
import Jobs
import Recordings

/// Writes every segment of the recordings in an output to a file of its own.
package struct SplitRun {
    /// What to write, and where.
    package struct Order: Sendable {
        package var naming: SegmentNaming
        package var rules = StretchRules()
        /// Whether all files are WAV; otherwise they are FLAC where that holds the samples.
        package var isWAV = false
        /// `nil` for folders named `segments` in the output.
        package var folder: Pathname?
        package var filter = PathFilter()
        /// Paths that are split; `nil` for all.
        package var list: PathList?
        /// Asked now and then; what is written by then stays.
        package var isCancelled: @Sendable () -> Bool = { false }

        package init(naming: SegmentNaming) { self.naming = naming }
    }

    private let tree: ResultTree
    private let order: Order
    private let root: Pathname
    private let record: OutputRecord

    package init(_ order: Order, of tree: ResultTree) throws(RunRefusal) {
        (self.tree, self.order) = (tree, order)
        (record, root) = try tree.recordAndRoot()
        Isolation.follow(try OutputRecord.reading(tree.shownOutput, record.settings).usual)
    }

    /// Splits all recordings, one folder after the other.
    ///
    /// Files get their names when they are complete, and are listed when they are safe on the disk:
    /// after a crash, what is not listed is written again.
    /// - Parameter tell: called with each recording that was not split.
    package func run(
        tell: (Pathname, ExportObstacle) -> Void
    ) throws(ExportRefusal) -> SplitOutcome {
        defer { record.close() }
        var outcome = SplitOutcome(folder: order.folder ?? tree.shownOutput)
        var selection = ExportSelection(order.filter, order.list, in: tree.folder, root: root)
        if let folder = order.folder { try requireApart(folder) }
        let folders = try read { () throws(FileSystemError) in
            try record.folders(below: tree.folder)
        }
        let known = Set(folders)
        for folder in folders where !order.isCancelled() {
            var sounds: [OutputRecord.RecordedSound] = []
            try read { () throws(FileSystemError) in
                try record.forEachRecording(in: folder) { sounds.append($0) }
            }
            let chosen = Set(sounds.filter { selection.holds($0) }.map(\.name))
            let place =
                order.folder.map { $0.appending(folder) }
                ?? tree.output.appending(folder).appending(SplitLine.folderName)
            var split = SplitFolder(
                place, root: root.appending(folder), results: tree.output.appending(folder), order)
            split.sharesPlace =
                order.folder == nil && known.contains(folder.appending(SplitLine.folderName))
            try split.carryOut(sounds, chosen, &outcome, tell: tell)
        }
        outcome.unknown = selection.unknown
        return outcome
    }

    private func read<Value>(
        _ body: () throws(FileSystemError) -> Value
    ) throws(ExportRefusal) -> Value {
        do throws(FileSystemError) { return try body() } catch {
            throw .unreadable(tree.shownOutput, detail: error.detail)
        }
    }

    /// Refuses a folder among the recordings, where the next run would process what is written.
    private func requireApart(_ folder: Pathname) throws(ExportRefusal) {
        var place = folder.isAbsolute ? folder : FileSystem.workingFolder.appending(folder)
        do throws(FileSystemError) {
            // It is made only after this.
            while try ifThere({ () throws(FileSystemError) in try FileSystem.status(place) }) == nil
            {
                place = place.parent
            }
            place = try FileSystem.resolve(place)
        } catch {
            throw .notWritten(folder, detail: error.detail)
        }
        guard root.contains(place), !tree.output.contains(place) else { return }
        throw .amongRecordings(folder)
    }
}
