import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct BenchFilesTests {
    private let world = TestWorld()

    private func library(
        _ path: Pathname, minutes: Double = 5
    ) throws -> BenchLibrary {
        let scratch = try BenchScratch()
        defer { scratch.remove() }
        return try BenchLibrary(at: path, limitSeconds: 60 * minutes, scratch, BenchStop())
    }

    private func addRecording(_ name: Pathname, seconds: Double = 1) {
        world.add(name, SmallWAV.bytes(SmallWAV.voice(seconds: seconds)))
    }

    @Test func findsWhatARunWouldWorkOn() throws {
        addRecording("b.wav")
        addRecording("A/c.wav")
        addRecording("A/.hidden.wav")
        addRecording("results/d.wav")
        world.add("results/.tapedeck", Array("x".utf8))
        world.add("notes.txt")
        world.add("A/memo.m4a")
        let library = try library(world.root)
        #expect(Set(library.entries.map(\.path.lastComponent)) == ["b.wav", "c.wav"])
        #expect(library.sound.found == 3 && library.sound.undecodable == 1)
        #expect(library.sound.seconds == 6)
        let one = try self.library(world.root.appending("A/c.wav"))
        #expect(one.entries.map(\.path) == [world.root.appending("A/c.wav")])
    }

    @Test func choosesTheSameOnesEachTime() throws {
        for number in 10..<40 { addRecording(Pathname("\(number).wav"), seconds: 0.1) }
        let one = try library(world.root, minutes: 0.2)
        let two = try library(world.root, minutes: 0.2)
        #expect(one.entries.map(\.path) == two.entries.map(\.path))
        #expect(one.entries.count == 5 && one.sound.found == 30)
        #expect(one.sound == two.sound)
        #expect(try library(world.root, minutes: 0.3).sound.digest != one.sound.digest)
    }

    @Test func saysWhyThereIsNothingToMeasure() throws {
        #expect(throws: BenchRefusal.noRecordings(world.root)) { try library(world.root) }
        let missing = world.root.appending("x")
        #expect(throws: BenchRefusal.path(.pathMissing(missing))) { try library(missing) }
        world.add("A/memo.m4a")
        world.add("b.wav")
        let error = #expect(throws: BenchRefusal.self) { try library(world.root) }
        guard case .noneDecodable(world.root, count: 2, _, let failure) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(failure.reason == .unrecognisedFormat)
    }

    @Test func keepsAReportAndReadsItAgain() throws {
        let path = world.folder.path("base.json")
        #expect(try BaselineFile.read(path) == nil)
        try BaselineFile.write(Example.benchReport(), to: path)
        #expect(try BaselineFile.read(path) == Example.benchReport())
    }

    @Test func refusesAFileThatIsNoBaseline() throws {
        let path = world.folder.write(Array("{\"event\": \"summary\"}".utf8), to: "base.json")
        #expect(throws: BenchRefusal.foreignBaseline(path)) { try BaselineFile.read(path) }
        world.folder.write([0, 1, 2], to: "base.json")
        #expect(throws: BenchRefusal.foreignBaseline(path)) { try BaselineFile.read(path) }
        let later = Array("{\"event\": \"benchmark\", \"format\": 99}".utf8)
        world.folder.write(later, to: "base.json")
        #expect(throws: BenchRefusal.otherFormat(path, 99)) { try BaselineFile.read(path) }
        world.folder.write([], to: "base.json")
        #expect(try BaselineFile.read(path) == nil)
        let nowhere = world.folder.path("nowhere/base.json")
        #expect(throws: BenchRefusal.self) { try BaselineFile.read(nowhere) }
        #expect(throws: BenchRefusal.self) { try BaselineFile.read(world.root) }
    }

    @Test func makesRecordingsWithSilencesInThem() throws {
        let paths = try BenchSounds.make(in: world.root, seconds: 8, BenchStop())
        #expect(paths.count == 5)
        var library = try BenchLibrary(made: paths)
        let scratch = try BenchScratch()
        defer { scratch.remove() }
        var pass = BenchPass(scratch, BenchStop())
        try pass.warmUp(&library)
        try pass.round()
        #expect(library.sound.undecodable == 0)
        #expect(abs(library.sound.seconds - 40) < 0.2)
        // Each stage of each: so something is cut in all of them.
        #expect(pass.lines.count == 5 * BenchStage.allCases.count)
        for line in pass.lines where line.stage == .decode {
            #expect(line.ratioToDecoding == Example.spread(1))
        }
        #expect(TestWorld.tree(scratch.path) == ["stages"])
    }

    @Test func leavesNothingOfTheScratchFolder() throws {
        let scratch = try BenchScratch()
        try FileSystem.makeFolder(scratch.path.appending("A/B"))
        try FileSystem.makeFolder(scratch.path.appending("C"))
        TestWorld.link(scratch.path.appending("A/link"), to: world.root)
        addRecording("b.wav")
        scratch.remove("C")
        #expect(TestWorld.tree(scratch.path) == ["A", "A/B", "A/link"])
        scratch.remove()
        #expect(throws: FileSystemError.self) { try FileSystem.status(scratch.path) }
        #expect(TestWorld.tree(world.root) == ["b.wav"])
    }
}
