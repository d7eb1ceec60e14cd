import CSync
import Foundation
import Recordings
import TestSupport
import Testing

@testable import Audio

@Suite struct WriteBehindTests {
    private let folder = TestFolder()

    /// What became of a file, and what was told of it.
    private struct Written: Equatable {
        var bytes: [UInt8]
        var told: [UInt8]
        var isToldInOrder: Bool
    }

    /// Writes pieces at their places through a buffer of two pages.
    private func write(
        _ pieces: [(at: Int, [UInt8])], expected: Int64? = 50_000
    ) throws -> Written {
        let path = folder.write([], to: "file")
        let descriptor = open(path.text, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var told: [UInt8] = []
        let behind = WriteBehind(to: descriptor, expected: expected, most: 8192) { told += $0 }
        for piece in pieces {
            #expect(piece.1.withUnsafeBytes { behind.write($0, at: Int64(piece.at)) })
        }
        #expect(behind.finish())
        return Written(
            bytes: TestFolder.bytes(of: path), told: told, isToldInOrder: behind.isToldInOrder)
    }

    /// Bytes of which no page is like another, from a place on.
    private func bytes(_ count: Int, from first: Int = 0) -> [UInt8] {
        (first..<first + count).map {
            UInt8(truncatingIfNeeded: (UInt64($0 + 1) &* 0x9E37_79B9_7F4A_7C15) >> 56)
        }
    }

    @Test(arguments: [0, 1, 8191, 8192, 8193, 50_000], [50_000, WriteBehind.directBytes])
    func writesWhatItGetsAndTellsOfIt(count: Int, expected: Int64) throws {
        let all = bytes(count)
        let pieces = stride(from: 0, to: count, by: 777).map {
            (at: $0, Array(all[$0..<min(count, $0 + 777)]))
        }
        let written = try write(pieces, expected: expected)
        #expect(written == Written(bytes: all, told: all, isToldInOrder: true))
    }

    @Test func changesWhatHasNotLeftYet() throws {
        let written = try write([(0, bytes(5000)), (0, [9, 9]), (4999, [9, 9]), (5001, [1])])
        let all = [9, 9] + bytes(4997, from: 2) + [9, 9, 1]
        #expect(written == Written(bytes: all, told: all, isToldInOrder: true))
    }

    @Test(arguments: [50_000, WriteBehind.directBytes])
    func leavesAHeaderAloneThatIsTheSameAgain(expected: Int64) throws {
        let all = bytes(20_000)
        let written = try write([(0, all), (0, Array(all[..<44]))], expected: expected)
        #expect(written == Written(bytes: all, told: all, isToldInOrder: true))
    }

    @Test(arguments: [50_000, WriteBehind.directBytes], [0, 40, 4095, 5000])
    func changesWhatHasLeft(expected: Int64, place: Int) throws {
        var all = bytes(20_000)
        let written = try write([(0, all), (place, [255, 254, 253])], expected: expected)
        all.replaceSubrange(place..<place + 3, with: [255, 254, 253])
        #expect(written.bytes == all)
        #expect(!written.isToldInOrder)
    }

    @Test func writesAgainWhatIsHalfBehindAndHalfHere() throws {
        let all = bytes(10_000)
        // The first two pages have left.
        let same = try write([(0, all), (8000, Array(all[8000..<9000]))])
        #expect(same.bytes == all)
        let other = [UInt8](repeating: 255, count: 1000)
        let changed = try write([(0, all), (8000, other), (10_000, [1])])
        var expected = all + [1]
        expected.replaceSubrange(8000..<9000, with: other)
        #expect(changed.bytes == expected)
        #expect(!changed.isToldInOrder)
    }

    @Test func leavesAGapWhereItIsToldTo() throws {
        let written = try write(
            [(0, [1]), (9000, bytes(9000))], expected: WriteBehind.directBytes)
        let gap = [UInt8](repeating: 0, count: 8999)
        #expect(written.bytes == [[1], gap, bytes(9000)].flatMap { $0 })
        #expect(!written.isToldInOrder)
    }

    /// Whatever is written in whatever order, the file holds it, and who is told in order knows it.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func isAFileLikeAnyOther(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var all: [UInt8] = []
        var pieces: [(at: Int, [UInt8])] = []
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let goesBack = Int.random(in: 0..<4, using: &random) == 0
            let place = goesBack ? Int.random(in: 0...all.count, using: &random) : all.count
            let count = Int.random(in: 0...10_000, using: &random)
            let isSame = place + count <= all.count && Bool.random(using: &random)
            let new = isSame ? Array(all[place..<place + count]) : bytes(count, from: place * 5)
            all.replaceSubrange(place..<min(all.count, place + count), with: new)
            pieces.append((place, new))
        }
        let expected: Int64? = [nil, 50_000, WriteBehind.directBytes].randomElement(using: &random)!
        let written = try write(pieces, expected: expected)
        #expect(written.bytes == all)
        if written.isToldInOrder { #expect(written.told == all) }
    }

    @Test func tellsNoMoreThanItHoldsOfWhatHasNoLengthBeforehand() throws {
        let short = try write([(0, bytes(8192))], expected: nil)
        #expect(short == Written(bytes: bytes(8192), told: bytes(8192), isToldInOrder: true))
        let long = try write([(0, bytes(8193))], expected: nil)
        #expect(long == Written(bytes: bytes(8193), told: bytes(8192), isToldInOrder: false))
    }

    @Test func knowsTheBeginning() throws {
        let path = folder.write([], to: "file")
        let descriptor = open(path.text, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let behind = WriteBehind(to: descriptor, expected: nil, most: 8192) { _ in }
        #expect(behind.beginning(5) == [])
        for count in [10, 20_000] {
            let all = bytes(count)
            #expect(all.withUnsafeBytes { behind.write($0, at: 0) })
            #expect(behind.beginning(5) == Array(all[..<5]))
        }
        #expect([UInt8](repeating: 9, count: 2).withUnsafeBytes { behind.write($0, at: 3) })
        let changed = bytes(3) + [9, 9] + bytes(1, from: 5)
        #expect(behind.beginning(6) == changed)
        #expect(behind.finish())
    }

    @Test func saysThatThereIsNoRoom() throws {
        let descriptor = open("/dev/full", O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let behind = WriteBehind(
            to: descriptor, expected: WriteBehind.directBytes, most: 8192
        ) { _ in #expect(Bool(false), "nothing has left") }
        #expect(bytes(8192).withUnsafeBytes { behind.write($0, at: 0) })
        #expect(!bytes(1).withUnsafeBytes { behind.write($0, at: 8192) })
        #expect(errno == ENOSPC)
        #expect(!behind.finish())
    }
}

// MARK: - Past the cache

extension WriteBehindTests {
    /// A file whose system call answers as it is told to, once for each answer.
    private final class Unwilling {
        /// Bytes that are written instead of all, or a negative error number.
        var answers: [Int]
        var calls = 0
        let descriptor: Int32

        init(_ answers: [Int], _ path: Pathname) {
            self.answers = answers
            descriptor = open(path.text, O_RDWR | O_CLOEXEC)
        }

        deinit { close(descriptor) }

        func put(_ source: UnsafeRawBufferPointer, at place: Int64) -> Int {
            calls += 1
            let answer = answers.isEmpty ? source.count : answers.removeFirst()
            if answer < 0 {
                errno = Int32(-answer)
                return -1
            }
            // The test's own call goes through the cache, whatever its place and length.
            _ = fcntl(descriptor, F_SETFL, O_RDWR)
            return pwrite(descriptor, source.baseAddress, min(answer, source.count), off_t(place))
        }
    }

    /// Whether this folder's file system can write past the cache, asked without `WriteBehind`.
    private var mayBeDirect: Bool {
        let descriptor = open(folder.write([], to: "probe").text, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        return begin_direct_writing(descriptor, UInt32(WriteBehind.pageBytes)) != 0
    }

    @Test func goesPastTheCacheWithLongFilesAlone() throws {
        let descriptor = open(folder.write([], to: "file").text, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        for (expected, isLong) in [
            (nil, false), (WriteBehind.directBytes - 1, false), (WriteBehind.directBytes, true),
        ] as [(Int64?, Bool)] {
            let behind = WriteBehind(to: descriptor, expected: expected) { _ in }
            #expect(behind.isDirect == (isLong && mayBeDirect))
            #expect(bytes(20_000).withUnsafeBytes { behind.write($0, at: 0) })
            #expect(behind.finish())
            #expect(!behind.isDirect)
        }
    }

    /// Without that it would only be refused, and go through the cache.
    @Test func leavesFromWhereDirectWritingWantsIt() throws {
        let descriptor = open(folder.write([], to: "file").text, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var places: [UInt] = []
        let behind = WriteBehind(
            to: descriptor, expected: WriteBehind.directBytes, most: 8192,
            put: { bytes, _ in
                places.append(UInt(bitPattern: bytes.baseAddress))
                return bytes.count
            }, told: { _ in })
        for place in 0..<8 {
            #expect(bytes(4096).withUnsafeBytes { behind.write($0, at: Int64(4096 * place)) })
        }
        #expect(behind.finish())
        #expect(!places.isEmpty && places.allSatisfy { $0.isMultiple(of: 4096) })
    }

    @Test(arguments: [
        [-Int(EINTR)], [100], [4096], [4096, 10, -Int(EINTR), 7], [-Int(EINTR), -Int(EINTR), 1],
    ])
    func goesOnWhereTheSystemWroteLess(answers: [Int]) throws {
        let path = folder.write([], to: "file")
        let file = Unwilling(answers, path)
        var told: [UInt8] = []
        let behind = WriteBehind(
            to: file.descriptor, expected: WriteBehind.directBytes, most: 8192,
            put: { file.put($0, at: $1) }, told: { told += $0 })
        let all = bytes(20_000)
        #expect(all.withUnsafeBytes { behind.write($0, at: 0) })
        // What follows a piece of odd length could not go past the cache.
        let isOdd = answers.contains { $0 > 0 && !$0.isMultiple(of: 4096) }
        #expect(behind.isDirect == (mayBeDirect && !isOdd))
        #expect(behind.finish())
        #expect(TestFolder.bytes(of: path) == all)
        #expect(told == all)
        #expect(behind.isToldInOrder)
        #expect(file.calls == 3 + answers.count)
    }

    @Test func takesTheCacheWhereTheSystemRefuses() throws {
        let path = folder.write([], to: "file")
        let file = Unwilling([-Int(EINVAL)], path)
        let behind = WriteBehind(
            to: file.descriptor, expected: WriteBehind.directBytes, most: 8192,
            put: { file.put($0, at: $1) }, told: { _ in })
        // Without direct writing it is an error like any other.
        let mayBeDirect = behind.isDirect
        let all = bytes(20_000)
        #expect(all.withUnsafeBytes { behind.write($0, at: 0) } == mayBeDirect)
        #expect(!behind.isDirect)
        guard mayBeDirect else { return }
        #expect(behind.finish())
        #expect(TestFolder.bytes(of: path) == all)
    }

    @Test(arguments: [[-Int(EIO)], [4096, -Int(EIO)], [4096, 0]])
    func saysThatItFailed(answers: [Int]) throws {
        let file = Unwilling(answers, folder.write([], to: "file"))
        let behind = WriteBehind(
            to: file.descriptor, expected: 50_000, most: 8192, put: { file.put($0, at: $1) },
            told: { _ in #expect(Bool(false), "it has not left whole") })
        #expect(!bytes(8193).withUnsafeBytes { behind.write($0, at: 0) })
        #expect(errno == (answers.last == 0 ? ENOSPC : EIO))
    }
}
