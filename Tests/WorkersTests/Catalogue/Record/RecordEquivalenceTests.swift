import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

/// The record is held against the value that stands for it where whole runs are simulated.
@Suite struct RecordEquivalenceTests {
    fileprivate static let folders: [Pathname] = ["A", "B"]
    fileprivate static let recordings: [Pathname] = ["a", "a.b", "c"]
    /// Names that any of the recordings may have files of.
    fileprivate static let names: [Pathname] = ["p", "q", "r", "s"]

    @Test(arguments: 0..<40 as Range<UInt64>)
    func recordAndSimulationAgree(seed: UInt64) throws {
        var twins = Twins(seed: seed)
        for step in 0..<60 {
            let deed = try twins.step()
            for folder in Self.folders {
                let agree = try twins.agree(on: folder)
                #expect(agree, "step \(step), \(deed), folder \(folder)")
                if !agree { return }
            }
        }
    }

    /// One record of each kind, to which the same happens.
    private struct Twins {
        let world = TestWorld()
        var simulated = SimulatedRecord()
        var random: SeededGenerator
        /// Files that may land, or be given up, some time.
        var underway: [(folder: Pathname, recording: Pathname, file: StagedFile)] = []
        var temporaries = 0

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        /// - Returns: what was done.
        mutating func step() throws -> String {
            switch Int.random(in: 0..<100, using: &random) {
            case ..<45:
                let facts = (0..<Int.random(in: 1...2, using: &random)).map { _ in fact() }
                let landed = landed()
                try world.record.add(
                    facts, landed: landed.map { LandedFile(folder: $0.folder, file: $0.file) })
                simulated.add(facts, landed: landed)
                return "add"
            case ..<60:
                let landed = landed()
                try world.record.place(
                    landed.map { LandedFile(folder: $0.folder, file: $0.file) })
                simulated.place(landed)
                return "place"
            case ..<75:
                let orders = [order()]
                try world.record.update(orders)
                simulated.update(orders)
                return "update"
            case ..<90:
                let order = order()
                try world.print(order)
                _ = simulated.print(order)
                return "print"
            default:
                let folder = random.pick(RecordEquivalenceTests.folders)
                try world.record.endRecovery(of: folder)
                simulated.endRecovery(of: folder)
                return "endRecovery"
            }
        }

        func agree(on folder: Pathname) throws -> Bool {
            let contents = try world.record.contents(of: folder)
            let other = simulated.folders[folder]
            let works = (other?.entries ?? [:]).values.map {
                PreviousWork(entry: SettledEntry($0.entry), recipe: Boxed($0.recipe))
            }
            let entries = try world.record.entries(in: folder)
            let files = try RecordEquivalenceTests.names.flatMap {
                try world.record.files(named: $0, in: folder)
            }
            let others = other?.files ?? []
            return contents.recipe?.value == other?.recipe
                && contents.works == works.sorted { $0.entry.name < $1.entry.name }
                && entries == other?.sorted ?? []
                && files.count == others.count && Set(files) == Set(others)
                && (contents.printed == nil) == (other?.printed == nil)
        }

        private mutating func landed() -> [SimulatedRecord.LandedFile] {
            let count = Int.random(in: 0...min(2, underway.count), using: &random)
            return (0..<count).map { _ in
                let file = underway.remove(
                    at: Int.random(in: underway.indices, using: &random))
                return SimulatedRecord.LandedFile(folder: file.folder, file: file.file)
            }
        }

        private mutating func order() -> ManifestOrder {
            let folder = random.pick(RecordEquivalenceTests.folders)
            var changes: [Pathname: RecordChange] = [:]
            for name in RecordEquivalenceTests.recordings where random.chance(percent: 40) {
                changes[name] = random.pick([
                    .forgotten, .failed(Example.failure(.permissionDenied, in: .scan)),
                    .updated(.sourceMissing), .updated(.done, Decoding(by: .libFLAC)),
                ])
            }
            return ManifestOrder(folder: folder, recipe: Boxed(recipe()), changes: changes)
        }

        private mutating func fact() -> JournalFact {
            let folder = random.pick(RecordEquivalenceTests.folders)
            var entry = entry(in: folder)
            entry.recipe = recipe()
            let staged = entry.made.filter { _ in random.chance(percent: 60) }.map { name in
                temporaries += 1
                return StagedFile(
                    temporary: Pathname(".tapedeck.\(temporaries).partial"), name: name)
            }
            var fact = JournalFact(folder: folder, entry: entry, staged: staged)
            if random.chance(percent: 15) {
                fact.abandoned = underway.filter { [entry] file in
                    file.folder == folder && file.recording == entry.name
                }.map(\.file)
            }
            underway += staged.map { (folder, entry.name, $0) }
            return fact
        }

        /// What becomes of a recording, which keeps some of what it has.
        private mutating func entry(in folder: Pathname) -> ManifestEntry {
            let name = random.pick(RecordEquivalenceTests.recordings)
            let status = random.pick(ManifestEntry.Status.allCases)
            var entry = ManifestEntry(
                name: name, status: status,
                source: FileStamp(
                    bytes: 1, modifiedNanoseconds: Int64.random(in: 1...2, using: &random)))
            let made = RecordEquivalenceTests.names.filter { _ in
                status != .failed && random.chance(percent: 40)
            }
            let hasCopy = random.chance(percent: 50)
            var drawn = made.dropLast(hasCopy ? 1 : 0).map {
                WaveformFile(
                    path: $0, samplesPerPixel: 256, bits: 8, channels: 1, length: 1, bytes: 5,
                    sha256: random.pick(["00", "01"]))
            }
            if hasCopy, let copy = made.last {
                let ofCopy = random.chance(percent: 50) ? drawn.popLast() : nil
                entry.trimmed = TrimmedFile(
                    path: copy, durationSeconds: 1, bytes: 6, sha256: random.pick(["10", "11"]),
                    edits: [], waveforms: ofCopy.map { [$0] })
            }
            entry.waveforms = drawn
            guard status == .failed else { return entry }
            entry.failure = Example.failure()
            if let before = simulated.folders[folder]?.entries[name]?.entry {
                entry.leaveBehind(
                    before.outputs.filter { _ in random.chance(percent: 70) },
                    toldOf: random.chance(percent: 80) ? before.generations : [])
            }
            return entry
        }

        private mutating func recipe() -> Recipe {
            var recipe = Recipe()
            recipe.waveform.bits = random.pick([8, 16])
            return recipe
        }
    }
}
