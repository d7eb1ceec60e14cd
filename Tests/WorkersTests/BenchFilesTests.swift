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
        #expect(Set(library.paths.map(\.lastComponent)) == ["b.wav", "c.wav"])
        #expect(library.sound.found == 3 && library.sound.undecodable == 1)
        #expect(library.sound.seconds == 6)
        let one = try self.library(world.root.appending("A/c.wav"))
        #expect(one.paths == [world.root.appending("A/c.wav")])
    }

    @Test func choosesTheSameOnesEachTime() throws {
        for number in 10..<40 { addRecording(Pathname("\(number).wav"), seconds: 0.1) }
        let one = try library(world.root, minutes: 0.2)
        let two = try library(world.root, minutes: 0.2)
        #expect(one.paths == two.paths && one.sound == two.sound)
        #expect(one.paths.count == 5 && one.sound.found == 30)
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

    @Test func timesEachStageOfEachRecording() throws {
        addRecording("b.wav", seconds: 3)
        addRecording("c.wav", seconds: 3)
        let scratch = try BenchScratch()
        defer { scratch.remove() }
        var library = try library(world.root)
        var pass = try BenchPass(&library, scratch, BenchStop())
        try pass.round()
        #expect(pass.lines.map(\.stage) == BenchStage.allCases)
        #expect(pass.lines.allSatisfy { $0.recordings == 2 && $0.hoursPerMinute.lowest > 0 })
        #expect(pass.lines.first?.ratioToDecoding.median == 1)
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
