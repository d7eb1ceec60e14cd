import Audio
import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// One copy, written by several workers.
@Suite struct SharedTrimmingTests {
    private static let rate = 16_000
    private static let frames: Int64 = 90_000

    /// Noise that wanders, in stereo, as a file of a container.
    private static func write(
        _ world: TestWorld, _ name: Pathname, _ container: AudioContainer = .flac,
        _ encoding: SampleEncoding = .pcm16
    ) throws {
        var random = SeededGenerator(seed: 5)
        var level: Float = 0
        let samples = (0..<2 * Int(frames)).map { _ in
            level = 0.95 * level + Float.random(in: -0.05...0.05, using: &random)
            return level
        }
        let format = AudioFormat(
            container: container, encoding: encoding, sampleRateHertz: rate, channels: 2,
            frames: 0)
        var writer = try AudioFileWriter(creating: world.root.appending(name), as: format)
        try writer.write(samples)
        try writer.finish()
    }

    private static func order(
        _ world: TestWorld, _ name: Pathname, workers: Int, container: TrimmedContainer = .same
    ) throws -> TrimmingOrder {
        let source = RecordingSource(
            folder: "", name: name, stamp: try TestWorld.stamp(of: world.root.appending(name)))
        let format = AudioFormat(
            container: .flac, encoding: .pcm16, sampleRateHertz: rate, channels: 2, frames: frames)
        let edits = EditList(keeping: [300..<70_000, 75_000..<frames - 1], of: frames)
        return TrimmingOrder(
            source: source, format: format, edits: edits, container: container, workers: workers)
    }

    /// What comes of it, with the bytes of the copy where there is one.
    private static func trim(
        _ world: TestWorld, _ order: TrimmingOrder, cancellation: Cancellation = Cancellation()
    ) throws -> (action: Job.Action, bytes: [UInt8]) {
        var pass = TrimmingPass(
            order: order, places: world.places, claims: world.claims, cancellation: cancellation,
            isBeingWritten: { _ in nil })
        pass.sectionBytes = 1
        let action = pass.run()
        guard case .trimmed(let file, let staged) = action else { return (action, []) }
        // The temporary name is another each time.
        let named = StagedFile(temporary: "", name: staged.name)
        return (
            .trimmed(file, staged: named),
            TestFolder.bytes(of: world.output.appending(staged.temporary))
        )
    }

    /// Whether several workers come to an end themselves, and do not leave it to one.
    private static func isShared(_ world: TestWorld, _ order: TrimmingOrder) -> Bool {
        var pass = TrimmingPass(
            order: order, places: world.places, claims: world.claims, cancellation: Cancellation(),
            isBeingWritten: { _ in nil })
        pass.sectionBytes = 1
        let path = world.output.appending("shared")
        unlink(path.text)
        guard let created = try? CreatedFile(path) else { return false }
        return pass.writeShared(to: created.file)
    }

    private static let kinds: [(AudioContainer, SampleEncoding, TrimmedContainer)] = [
        (.flac, .pcm16, .same), (.flac, .pcm24, .same), (.wav, .pcm16, .flac),
        (.ogg, .vorbis, .flac),
    ]

    @Test(arguments: kinds.indices) func nothingTellsHowManyWrote(index: Int) throws {
        let (container, encoding, copy) = SharedTrimmingTests.kinds[index]
        let world = TestWorld()
        try SharedTrimmingTests.write(world, "a", container, encoding)
        let orders = try [1, 2, 5].map {
            try SharedTrimmingTests.order(world, "a", workers: $0, container: copy)
        }
        let alone = try SharedTrimmingTests.trim(world, orders[0])
        #expect(alone.bytes.count > 50_000)
        for order in orders.dropFirst() {
            #expect(SharedTrimmingTests.isShared(world, order))
            let together = try SharedTrimmingTests.trim(world, order)
            // With the digest and the number of bytes.
            #expect(together.action == alone.action)
            #expect(together.bytes == alone.bytes)
        }
    }

    @Test func theDigestOfAnotherKindOfCopyIsTakenBeside() throws {
        let world = TestWorld()
        try SharedTrimmingTests.write(world, "a")
        let orders = try [1, 2].map {
            try SharedTrimmingTests.order(world, "a", workers: $0, container: .wav)
        }
        #expect(!SharedTrimmingTests.isShared(world, orders[1]))
        let alone = try SharedTrimmingTests.trim(world, orders[0])
        let together = try SharedTrimmingTests.trim(world, orders[1])
        #expect(together.action == alone.action && together.bytes == alone.bytes)
        guard case .trimmed(let file, _) = together.action else { return #expect(Bool(false)) }
        #expect(file.sha256 == SHA256.hexadecimal(of: together.bytes))
    }

    /// The end is missing, or something in the middle is not what it was.
    @Test(arguments: [true, false]) func whatIsDamagedIsDamagedForAll(endIsMissing: Bool) throws {
        let world = TestWorld()
        try SharedTrimmingTests.write(world, "a")
        var bytes = TestFolder.bytes(of: world.root.appending("a"))
        if endIsMissing {
            bytes.removeLast(bytes.count / 4)
        } else {
            for place in bytes.count / 2..<bytes.count / 2 + 20 { bytes[place] = 0x55 }
        }
        world.add("a", bytes)
        let orders = try [1, 3].map { try SharedTrimmingTests.order(world, "a", workers: $0) }
        let alone = try SharedTrimmingTests.trim(world, orders[0])
        #expect(OneRecording.reason(alone.action) != nil)
        #expect(!SharedTrimmingTests.isShared(world, orders[1]))
        #expect(try SharedTrimmingTests.trim(world, orders[1]).action == alone.action)
        #expect(TestWorld.tree(world.output) == ["shared"])
    }

    @Test func stopsWhenItIsToldTo() throws {
        let world = TestWorld()
        try SharedTrimmingTests.write(world, "a")
        let cancellation = Cancellation()
        cancellation.cancel()
        let order = try SharedTrimmingTests.order(world, "a", workers: 3)
        let answer = try SharedTrimmingTests.trim(world, order, cancellation: cancellation)
        #expect(answer.action == .cancelled)
        #expect(TestWorld.tree(world.output).isEmpty)
    }
}
