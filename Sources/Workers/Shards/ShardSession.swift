import Glibc
import Jobs
import Recordings

/// A shard that this process holds, with its own record.
///
/// The output's lock is shared among shards: it keeps out whoever works on the output as a whole.
package struct ShardSession: ~Copyable {
    /// With what the shard works on.
    package let places: RunPlaces
    package let plan: ShardPlan
    package let folder: OutputFolder
    private let lock: SharedLock

    /// Waits for whoever holds a lock, as a task that was started twice does.
    package struct Patience: Sendable {
        /// Called once, with the process that is waited for, if known.
        package var tell: @Sendable (_ holder: Int32?) -> Void
        package var isStopped: @Sendable () -> Bool

        package init(
            tell: @escaping @Sendable (_ holder: Int32?) -> Void,
            isStopped: @escaping @Sendable () -> Bool
        ) {
            (self.tell, self.isStopped) = (tell, isStopped)
        }

        /// A lock says when it is free only to who blocks on it, and that could not be stopped.
        private static let pauseMicroseconds: UInt32 = 200_000

        /// Calls `take` until its lock is free, or the wait is stopped.
        func untilFree<Taken: ~Copyable>(
            _ take: () throws(RunRefusal) -> Taken
        ) throws(RunRefusal) -> Taken {
            var hasTold = false
            while true {
                do throws(RunRefusal) { return try take() } catch {
                    guard case .outputBusy(_, let holder) = error, !isStopped() else { throw error }
                    if !hasTold { tell(holder) }
                    hasTold = true
                    usleep(Patience.pauseMicroseconds)
                }
            }
        }
    }

    /// Finds the plan of an output; the first that comes makes it.
    /// - Parameters:
    ///   - facts: what a plan that is made says.
    ///   - settings: the settings to plan with, by those that the output remembers.
    package static func plan(
        _ places: RunPlaces, _ patience: Patience, isMoved: Bool, count: Int, version: String,
        settings: (OutputRecord) throws(RunRefusal) -> OutputSettings
    ) throws(RunRefusal) -> ShardPlan {
        try patience.untilFree { () throws(RunRefusal) in
            if let plan = try ShardPlan.find(in: places.output) { return plan }
            let folder = try OutputFolder(places.output, root: places.root, isMoved: isMoved)
            // Another may have been quicker.
            if let plan = try ShardPlan.find(in: places.output) { return plan }
            return try make(places, folder.record, count: count, version: version, settings)
        }
    }

    /// Makes a plan anew, unless shards of one like it have begun.
    package static func planAnew(
        _ places: RunPlaces, isMoved: Bool, count: Int, version: String,
        settings: (OutputRecord) throws(RunRefusal) -> OutputSettings
    ) throws(RunRefusal) -> ShardPlan {
        let folder = try OutputFolder(places.output, root: places.root, isMoved: isMoved)
        if let plan = try ShardPlan.find(in: places.output), !plan.begun.isEmpty {
            let isSame = plan.refusal(count: count, places, version: version) == nil
            guard isSame, try settings(folder.record) == plan.facts.settings else {
                throw .shards(places.shownOutput, .unmerged(count: plan.facts.count))
            }
            return plan
        }
        return try make(places, folder.record, count: count, version: version, settings)
    }

    private static func make(
        _ places: RunPlaces, _ record: OutputRecord, count: Int, version: String,
        _ settings: (OutputRecord) throws(RunRefusal) -> OutputSettings
    ) throws(RunRefusal) -> ShardPlan {
        let settings = try settings(record)
        var places = places
        places.rules = settings.configuration.rules
        try record.set(settings, of: places)
        try record.note(places, isList: false)
        return try ShardPlan.make(
            places, record,
            ShardPlan.Facts(
                count: count, version: version, settings: settings, targets: places.targets))
    }

    /// Takes a shard; waits as long as another process holds it.
    ///
    /// What the output knows of its recordings is taken over, so that only the rest is done.
    package init(
        _ shard: Shard, of plan: ShardPlan, _ places: RunPlaces, _ patience: Patience,
        version: String
    ) throws(RunRefusal) {
        if let refusal = plan.refusal(count: shard.count, places, version: version) {
            throw .shards(places.shownOutput, refusal)
        }
        if plan.facts.recordings > 0 {
            try RunPlaces.requireRecordings(in: places.root, beside: places.output)
        }
        let lock = try patience.untilFree { () throws(RunRefusal) in
            try SharedLock(of: places)
        }
        // It may have been merged meanwhile.
        guard try ShardPlan.find(in: places.output)?.facts == plan.facts else {
            throw .shards(places.shownOutput, .otherPaths)
        }
        let own = places.working(on: try plan.targets(of: shard), as: shard)
        let catalogue = own.catalogue
        try ShardSession.makeRecord(in: catalogue, root: places.root)
        let folder = try patience.untilFree { () throws(RunRefusal) in
            try OutputFolder(catalogue, root: places.root, isMoved: true, isOfShard: true)
        }
        let record = folder.record
        let epoch = try OutputLock.refusing(places.shownOutput) { () throws(FileSystemError) in
            let epoch = try record.beginEpoch()
            try record.seed(shard, of: plan)
            try record.setMeta(ShardSession.finishedKey, [])
            return epoch
        }
        StagedOutput.name(after: shard, epoch: epoch)
        (self.plan, self.places) = (plan, own)
        self.folder = folder
        self.lock = lock
    }

    /// Makes a shard's record in a folder that then gets the shard's name as a whole.
    ///
    /// So a process that stood still meanwhile replaces nothing, also where no locks keep it out.
    private static func makeRecord(
        in catalogue: Pathname, root: Pathname
    ) throws(RunRefusal) {
        guard !OutputFolder.isMarked(catalogue) else { return }
        let shards = catalogue.parent
        let temporary = try OutputLock.refusing(shards) { () throws(FileSystemError) in
            try StagedOutput.unused { (name) throws(FileSystemError) in
                try FileSystem.makeFolder(shards.appending(name))
            }.temporary
        }
        _ = try OutputFolder(
            shards.appending(temporary), root: root, isMoved: true, isOfShard: true
        ).closeRecord()
        do throws(FileSystemError) {
            // A folder with something in it is never replaced.
            try DirectoryHandle(shards).rename(temporary, to: catalogue.lastComponent)
        } catch {
            // Another was quicker, or opening the record will tell what is wrong.
            FileSystem.removeAll(at: shards.appending(temporary))
        }
    }

    /// The output's lock, held beside other shards.
    private struct SharedLock: ~Copyable {
        private let descriptor: Int32

        init(of places: RunPlaces) throws(RunRefusal) {
            let top = try OutputLock.refusing(places.shownOutput) { () throws(FileSystemError) in
                try DirectoryHandle(places.output)
            }
            descriptor = try OutputLock.take(in: top, isShared: true)
        }

        deinit { OutputLock.release(descriptor) }
    }

    static let finishedKey = "finished"

    /// Notes that all that there was to do is done, whatever failed.
    package borrowing func finish() throws(RunRefusal) {
        let record = folder.record
        try OutputLock.refusing(places.shownOutput) { () throws(FileSystemError) in
            try record.setMeta(ShardSession.finishedKey, plan.finishedMark)
        }
    }
}

extension ShardPlan {
    /// Why the plan is not for shards like these; `nil` if it is.
    fileprivate func refusal(count: Int, _ places: RunPlaces, version: String) -> ShardRefusal? {
        if facts.version != version {
            .otherVersion(planned: facts.version, own: version)
        } else if facts.count != count {
            .otherCount(planned: facts.count, asked: count)
        } else if Set(facts.targets) != Set(places.targets) {
            .otherPaths
        } else {
            nil
        }
    }
}

// MARK: - How far they are

extension ShardPlan {
    /// Looks at each shard's record.
    package func progress() throws(RunRefusal) -> ShardProgress {
        var progress = ShardProgress()
        (progress.shards, progress.recordings) = (facts.count, facts.recordings)
        for (number, catalogue) in begun {
            let (counts, isFinished) = try look(at: catalogue)
            progress.done += counts.done
            progress.failed += counts.failed
            if isFinished {
                progress.finished += 1
            } else if let held = try? DirectoryHandle(catalogue), OutputLock.isHeld(held) {
                progress.running += 1
            } else {
                progress.stopped.append(number)
            }
        }
        return progress
    }

    private func look(
        at catalogue: Pathname
    ) throws(RunRefusal) -> (counts: (done: Int64, failed: Int64), isFinished: Bool) {
        try ShardPlan.reading(catalogue) { () throws(FileSystemError) in
            let record = try OutputRecord.forReading(catalogue)
            defer { record.close() }
            return (try record.counts, try record.meta(ShardSession.finishedKey) == finishedMark)
        }
    }

    /// The numbers of shards that are not through, ascending.
    func unfinished() throws(RunRefusal) -> [Int] {
        var rest = Set(1...facts.count)
        for (number, catalogue) in begun where try look(at: catalogue).isFinished {
            rest.remove(number)
        }
        return rest.sorted()
    }
}
