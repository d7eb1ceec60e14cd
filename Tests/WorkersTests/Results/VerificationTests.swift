import Foundation
import Jobs
import Recordings
import ReducerKit
import Synchronization
import TestSupport
import Testing

@testable import Workers

@Suite struct VerificationTests {
    private let world = TestWorld()
    private let root: Pathname
    private var output: Pathname { root.appending("tapedeck") }

    init() throws {
        root = try FileSystem.resolve(world.root)
        OutputFolder.makeMarked(root.appending("tapedeck"))
    }

    /// A recording with a waveform and a trimmed copy, whose entry is true.
    private func addEntry(_ name: Pathname, in folder: Pathname = .empty) throws -> ManifestEntry {
        let recording = world.add(folder.appending(name), Array(name.bytes))
        var entry = ManifestEntry(
            name: name, status: .done, source: try FileSystem.status(recording).stamp)
        let waveform = Array("waveform".utf8)
        let copy = Array("copy".utf8)
        let path = Pathname("tapedeck").appending(folder).appending(name)
        world.add(path, copy)
        world.add(path.adding(suffix: ".dat"), waveform)
        entry.waveforms = [
            WaveformFile(
                path: name.adding(suffix: ".dat"), samplesPerPixel: 256, bits: 8, channels: 1,
                length: 1, bytes: 8, sha256: SHA256.hexadecimal(of: waveform))
        ]
        entry.trimmed = TrimmedFile(
            path: name, durationSeconds: 1, bytes: 4,
            sha256: SHA256.hexadecimal(of: copy), edits: [])
        entry.sourceSHA256 = SHA256.hexadecimal(of: name.bytes)
        return entry
    }

    private func write(_ entries: [ManifestEntry], in folder: Pathname = .empty) throws {
        try OutputFolder.settle(entries, in: folder, of: output)
    }

    private func add(_ fact: JournalFact) throws {
        try OutputFolder.change(output) { try $0.add([fact]) }
    }

    /// What is told, a line each, and the numbers behind it.
    private func verify(
        jobs: Int = 2, recordings: Pathname? = nil, in folder: Pathname = .empty
    ) throws -> (told: [String], summary: VerificationSummary) {
        let told = Mutex<[String]>([])
        let verification = try Verification(
            ResultTree(output: output, folder: folder), recordings: recordings)
        let summary = verification.carryOut(jobs: jobs) { event in
            told.withLock { $0.append(VerificationTests.line(event)) }
        }
        return (told.withLock { $0 }, summary)
    }

    private static func line(_ event: Verification.Event) -> String {
        switch event {
        case .discrepancy(let found): "\(found.path) \(found.subject) \(found.finding)"
        case .trouble(let trouble): "\(trouble.path.lastComponent) \(trouble.trouble)"
        }
    }

    @Test func intactResultsHaveNoDiscrepancies() throws {
        try write([addEntry("a.wav"), addEntry("b.wav")])
        try write([addEntry("c.wav", in: "A")], in: "A")
        let (told, summary) = try verify()
        #expect(told == [])
        #expect(summary.outputs == 6 && summary.recordings == 3 && summary.discrepancies == 0)
        #expect(try verify(in: "A").summary.recordings == 1)
    }

    @Test func everyAlteredByteIsDetected() throws {
        let entry = try addEntry("a.wav")
        try write([entry])
        for place in 0..<8 {
            var bytes = Array("waveform".utf8)
            bytes[place] ^= 1
            world.add("tapedeck/a.wav.dat", bytes)
            #expect(try verify().told == ["a.wav.dat output altered"])
        }
        // Nobody wrote to it, if its time is the same.
        let time = try #require(entry.source).modifiedNanoseconds
        world.add("tapedeck/a.wav.dat", Array("Waveform".utf8))
        try FileSystem.setModified(output.appending("a.wav.dat"), nanoseconds: time)
        #expect(try verify().told == ["a.wav.dat output corrupt"])
        world.add("tapedeck/a.wav.dat", Array("waveform!".utf8))
        #expect(try verify().told == ["a.wav.dat output altered"])
    }

    @Test func waveformsOfCopiesAreChecked() throws {
        var entry = try addEntry("a.wav")
        var drawn = try #require(entry.waveforms?[0])
        drawn.path = "a.wav.trimmed.dat"
        entry.trimmed?.waveforms = [drawn]
        world.add("tapedeck/a.wav.trimmed.dat", Array("waveform".utf8))
        try write([entry])
        #expect(try verify().summary.outputs == 3)
        world.add("tapedeck/a.wav.trimmed.dat", Array("Waveform".utf8))
        #expect(try verify().told == ["a.wav.trimmed.dat output altered"])
    }

    @Test func missingAndNonRegularFilesAreReported() throws {
        try write([addEntry("a.wav")])
        try FileSystem.remove(output.appending("a.wav"))
        try FileSystem.remove(output.appending("a.wav.dat"))
        try FileSystem.makeFolder(output.appending("a.wav.dat"))
        try FileSystem.remove(root.appending("a.wav"))
        world.addPipe("a.wav")
        let (told, summary) = try verify()
        #expect(
            told == [
                "a.wav recording notAFile", "a.wav output missing", "a.wav.dat output notAFile",
            ])
        #expect(summary.discrepancies == 3)
        try FileSystem.remove(root.appending("a.wav"))
        #expect(try verify().told.first == "a.wav recording missing")
    }

    @Test func changedRecordingsAreReported() throws {
        let entry = try addEntry("a.wav")
        let stamp = try #require(entry.source)
        let path = root.appending("a.wav")
        try write([entry])
        try FileSystem.setModified(path, nanoseconds: 5)
        let later = FileStamp(bytes: stamp.bytes, modifiedNanoseconds: 5)
        func finding(_ found: FileStamp, sameBytes: Bool) -> String {
            let finding = Discrepancy.Finding.changed(
                from: stamp, to: found, sameBytes: sameBytes)
            return "a.wav recording \(finding)"
        }
        #expect(try verify().told == [finding(later, sameBytes: true)])
        // Other bytes of the same length, under the same time.
        world.add("a.wav", Array("A.WAV".utf8))
        try FileSystem.setModified(path, nanoseconds: stamp.modifiedNanoseconds)
        #expect(try verify().told == ["a.wav recording corrupt"])
        try FileSystem.setModified(path, nanoseconds: 5)
        #expect(try verify().told == [finding(later, sameBytes: false)])
        world.add("a.wav", [1])
        try FileSystem.setModified(path, nanoseconds: 5)
        let shorter = FileStamp(bytes: 1, modifiedNanoseconds: 5)
        #expect(try verify().told == [finding(shorter, sameBytes: false)])
    }

    @Test func failedEntriesAreCheckedForLeftBehindFiles() throws {
        let stamp = try FileSystem.status(world.add("a.wav")).stamp
        var failed = ManifestEntry(name: "a.wav", status: .failed, source: stamp)
        failed.failure = Example.failure()
        failed.leftBehind = ["a.wav.dat", "a.wav.flac"]
        world.add("tapedeck/a.wav.dat", [9])
        let unseen = ManifestEntry(name: "b.wav", status: .failed, source: nil)
        try write([failed, unseen])
        let (told, summary) = try verify()
        #expect(told == ["a.wav.flac output missing"])
        #expect(summary.outputs == 2 && summary.recordings == 1)
        try FileSystem.setModified(root.appending("a.wav"), nanoseconds: 5)
        #expect(try verify().told.count == 2)
    }

    @Test func leftBehindFilesAreCheckedByTheirOldChecksum() throws {
        let entry = try addEntry("a.wav")
        var failed = ManifestEntry(name: "a.wav", status: .failed, source: entry.source)
        failed.failure = Example.failure()
        failed.leaveBehind(entry.outputs, toldOf: entry.generations)
        try write([failed])
        #expect(try verify().told == [])
        world.add("tapedeck/a.wav.dat", Array("Waveform".utf8))
        #expect(try verify().told == ["a.wav.dat output altered"])
    }

    /// It may be gone by now.
    @Test func obsoleteFilesAreNotReportedAsMissing() throws {
        var entry = try addEntry("a.wav")
        var earlier = entry
        earlier.waveforms?[0].path = "a.wav.json"
        entry.leaveBehind(["a.wav.json", "a.wav.flac"], toldOf: earlier.generations)
        try write([entry])
        let (told, summary) = try verify()
        #expect(told == [] && summary.outputs == entry.made.count)
        try add(JournalFact(folder: .empty, entry: entry))
        #expect(try verify().told == [])
    }

    @Test func outputsOfMissingRecordingsAreStillChecked() throws {
        var entry = try addEntry("a.wav")
        entry.status = .sourceMissing
        var failed = ManifestEntry(name: "b.wav", status: .sourceMissing, source: entry.source)
        failed.failure = Example.failure()
        failed.leftBehind = ["b.wav.dat"]
        world.add("tapedeck/b.wav.dat")
        try write([entry, failed])
        try FileSystem.remove(root.appending("a.wav"))
        let (told, summary) = try verify()
        #expect(told == [])
        #expect(summary.outputs == 3 && summary.recordings == 0)
        // Something of that name again is nothing that was promised.
        world.add("a.wav", [1])
        #expect(try verify().told == [])
        world.add("tapedeck/a.wav.dat", Array("Waveform".utf8))
        try FileSystem.remove(output.appending("b.wav.dat"))
        #expect(try verify().told == ["a.wav.dat output altered", "b.wav.dat output missing"])
    }

    @Test func stagedOutputsAreFoundUnderTemporaryNames() throws {
        let entry = try addEntry("a.wav")
        let staged = StagedFile(temporary: ".tapedeck.7.partial", name: "a.wav.dat")
        try FileSystem.rename(
            output.appending("a.wav.dat"), to: output.appending(staged.temporary))
        try add(JournalFact(folder: .empty, entry: entry, staged: [staged]))
        #expect(try verify().told == [])
        try FileSystem.rename(
            output.appending(staged.temporary), to: output.appending("a.wav.dat"))
        #expect(try verify().told == [])
        try FileSystem.remove(output.appending("a.wav.dat"))
        #expect(try verify().told == ["a.wav.dat output missing"])
    }

    @Test(arguments: [1, 2, 7])
    func eventsAreReportedInOrderWithAnyJobCount(jobs: Int) throws {
        for folder in ["A", "B", "C"] as [Pathname] {
            try write(try (10..<30).map { try addEntry(Pathname("\($0)"), in: folder) }, in: folder)
        }
        for number in 10..<30 where number % 3 != 0 {
            world.add(Pathname("tapedeck/A/\(number).dat"), [1])
            world.add(Pathname("tapedeck/C/\(number)"), [UInt8](repeating: 0, count: number))
        }
        let (told, summary) = try verify(jobs: jobs)
        let kept = (10..<30).filter { $0 % 3 != 0 }
        #expect(
            told == kept.map { "A/\($0).dat output altered" }
                + kept.map { "C/\($0) output altered" })
        #expect(summary.discrepancies == told.count && summary.unreadable == 0)
    }

    @Test func recordingsFolderCanBeOverridden() throws {
        try write([addEntry("a.wav")])
        let elsewhere = world.folder.path("elsewhere")
        #expect(throws: RunRefusal.pathMissing(elsewhere)) {
            try verify(recordings: elsewhere)
        }
        let file = world.add("b.wav")
        #expect(throws: RunRefusal.pathMissing(file)) { try verify(recordings: file) }
        try FileSystem.makeFolder(elsewhere)
        #expect(try verify(recordings: elsewhere).told == ["a.wav recording missing"])
        try FileSystem.rename(root.appending("a.wav"), to: elsewhere.appending("a.wav"))
        #expect(try verify(recordings: elsewhere).told == [])
    }

    @Test func recordingsPathIsRequiredWhenRecordLacksIt() throws {
        try write([addEntry("a.wav")])
        try OutputFolder.change(output) { record in
            try record.write { (database) throws(FileSystemError) in
                try database.execute("DELETE FROM meta")
            }
        }
        let shown = ResultTree(output: output).shownOutput
        #expect(throws: RunRefusal.recordingsUnknown(output: shown)) { try verify() }
        #expect(try verify(recordings: root).told == [])
    }

    @Test func damagedRecordIsReported() throws {
        try write((0..<300).map { try addEntry(Pathname("\($0).wav")) })
        // The last half; the beginning says what there is and whose it is.
        let path = output.appending(".tapedeck")
        var bytes = TestFolder.bytes(of: path)
        for place in bytes.count / 2..<bytes.count { bytes[place] ^= 0x5A }
        world.add("tapedeck/.tapedeck", bytes)
        let (told, summary) = try verify()
        #expect(told.first?.hasPrefix(".tapedeck unreadable") == true)
        #expect(summary.unreadable > 0)
    }

    @Test func verificationWritesNothing() throws {
        try write([addEntry("a.wav")])
        // But for the time of the output, in which SQLite makes files while the record is read.
        func look() -> [FileSystem.Status?] {
            TestWorld.tree(root).filter { root.appending($0) != output }
                .map { try? FileSystem.status(root.appending($0)) }
        }
        let before = look()
        _ = try verify()
        #expect(look() == before)
    }

    @Test func filesAreUnreadableWhenDescriptorsRunOut() async {
        // In a process of its own, whose limit is nobody else's.
        await #expect(processExitsWith: .success) {
            let tests = try VerificationTests()
            try tests.write([tests.addEntry("a.wav"), tests.addEntry("b.wav")])
            try FileSystem.remove(tests.output.appending("a.wav"))
            let told = Mutex<[String]>([])
            let verification = try Verification(ResultTree(output: tests.output), recordings: nil)
            // The manifest is read before the first event; from then on nothing can be opened.
            let summary = verification.carryOut(jobs: 1) { event in
                setOpenFileLimit(0)
                told.withLock { $0.append(VerificationTests.line(event)) }
            }
            setOpenFileLimit(1024)
            let detail = FileSystemError("", code: EMFILE).detail
            let names = ["a.wav.dat", "b.wav", "b.wav", "b.wav.dat"]
            #expect(
                told.withLock { $0 } == ["a.wav output missing"]
                    + names.map { "\($0) unreadable(detail: \"\(detail)\")" })
            #expect(summary.discrepancies == 1 && summary.unreadable == 4)
            #expect(summary.outputs == 1 && summary.recordings == 1)
        }
    }
}

/// Says how many files this process may have open, as far as the system lets us.
private func setOpenFileLimit(_ count: rlim_t) {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = min(count, limit.rlim_max)
    setrlimit(resource, &limit)
}
