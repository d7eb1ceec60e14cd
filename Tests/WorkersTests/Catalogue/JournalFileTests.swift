import Foundation
import Recordings
import Synchronization
import TestSupport
import Testing

@testable import Workers

@Suite struct JournalFileTests {
    private let folder = TestFolder()
    private var path: Pathname { folder.path(JournalFile.name) }
    private let facts = ["a.wav", "b.wav", "c.wav"].map { JournalExample.fact($0) }

    private func recovered() throws -> RecoveredJournal {
        try RecoveredJournal.read(in: folder.path)
    }

    private func append(_ facts: [JournalFact]) throws {
        var journal = JournalFile(in: folder.path)
        try journal.append(facts)
    }

    @Test func appendedRecordsAreReadBack() throws {
        let facts = JournalExample.awkwardNames.map { JournalExample.fact($0, in: $0) }
        var journal = JournalFile(in: folder.path)
        try journal.append(Array(facts[..<3]))
        try journal.append(Array(facts[3...]))
        let recovered = try recovered()
        #expect(recovered.folders == JournalExample.awkwardNames.sorted())
        for fact in facts { #expect(try recovered.facts(in: fact.folder) == [fact]) }
        #expect(recovered.damaged.isEmpty && !recovered.hasTornTail)
    }

    @Test func recordsAreReadBackInAppendOrder() throws {
        var journal = JournalFile(in: folder.path)
        for fact in facts + facts.reversed() { try journal.append([fact]) }
        #expect(try recovered().facts(in: "A") == facts + facts.reversed())
    }

    @Test func journalHasHeaderLineAndOneLinePerRecord() throws {
        try append(facts)
        try append(facts)
        let lines = JournalExample.lines(of: TestFolder.bytes(of: path))
        #expect(lines.count == 7)
        #expect(lines[0] == JournalLine.header)
        // printf '{"journal":1}' | sha256sum
        #expect(String(decoding: lines[0], as: UTF8.self) == "3ea7b8299a8f4e1d {\"journal\":1}\n")
        #expect(lines[1].count { $0 == JournalLine.newline } == 1)
    }

    @Test func journalWithoutRecordsLeavesFolderUntouched() throws {
        try FileSystem.setModified(folder.path, nanoseconds: 5)
        let before = try FileSystem.status(folder.path)
        var journal = JournalFile(in: folder.path)
        try journal.append([])
        try journal.keep(only: ["A"])
        try journal.remove()
        #expect(try FileSystem.status(folder.path) == before)
        #expect(TestWorld.tree(folder.path).isEmpty)
    }

    @Test func tornTailIsTruncatedBeforeAppending() throws {
        try append(facts)
        let whole = TestFolder.bytes(of: path)
        let last = try #require(JournalExample.lines(of: whole).last)
        for count in stride(from: whole.count - last.count, to: whole.count, by: 17) {
            folder.write(Array(whole[..<count]), to: JournalFile.name)
            try append([facts[0]])
            let recovered = try recovered()
            #expect(try recovered.facts(in: "A") == [facts[0], facts[1], facts[0]])
            #expect(recovered.damaged.isEmpty && !recovered.hasTornTail)
        }
    }

    @Test func journalWithTornHeaderIsRestarted() throws {
        folder.write(Array(JournalLine.header.dropLast(3)), to: JournalFile.name)
        try append([facts[0]])
        #expect(try recovered().allFacts == [facts[0]])
        #expect(JournalExample.lines(of: TestFolder.bytes(of: path)).count == 2)
    }

    @Test func longTornTailIsTruncated() throws {
        try append([facts[0]])
        let tail = [UInt8](repeating: 0, count: 200_000)
        folder.write(TestFolder.bytes(of: path) + tail, to: JournalFile.name)
        try append([facts[1]])
        #expect(try recovered().allFacts == [facts[0], facts[1]])
    }

    /// A disk that is full after so many bytes.
    private static func failingWriter(after limit: Int) -> FileSystem.Writer {
        let left = LockedCount(limit)
        return { descriptor, bytes in
            let count = left.take(bytes.count)
            guard count > 0 else {
                errno = ENOSPC
                return -1
            }
            return write(descriptor, bytes.baseAddress, count)
        }
    }

    private func journal(writing write: @escaping FileSystem.Writer) -> JournalFile {
        JournalFile(write: write) { [path = folder.path] () throws(FileSystemError) in
            try DirectoryHandle(path)
        }
    }

    @Test(arguments: [0, 1, 40, 500, 1200])
    func failedAppendLeavesJournalUnchanged(limit: Int) throws {
        try append([facts[0]])
        let before = TestFolder.bytes(of: path)
        var journal = self.journal(writing: Self.failingWriter(after: limit))
        #expect(throws: FileSystemError(path, code: ENOSPC)) {
            try journal.append([facts[1], facts[2]])
        }
        #expect(TestFolder.bytes(of: path) == before)
        #expect(try recovered().allFacts == [facts[0]])
    }

    @Test func failedFirstAppendLeavesNoFile() throws {
        var journal = self.journal(writing: Self.failingWriter(after: 30))
        #expect(throws: FileSystemError(path, code: ENOSPC)) { try journal.append(facts) }
        #expect(TestWorld.tree(folder.path).isEmpty)
    }

    @Test func appendSucceedsAfterFailedAppend() throws {
        // The first fact and its header fit, the second does not, and then there is room again.
        let room = LockedCount(1)
        var journal = self.journal { descriptor, bytes in
            if room.take(0) == 0, room.isExhausted {
                room.add(1)
                errno = EIO
                return -1
            }
            _ = room.take(1)
            return write(descriptor, bytes.baseAddress, bytes.count)
        }
        try journal.append([facts[0]])
        #expect(throws: FileSystemError.self) { try journal.append([facts[1]]) }
        try journal.append([facts[2]])
        #expect(try recovered().allFacts == [facts[0], facts[2]])
    }

    @Test func symlinkOrFolderAsJournalIsRefused() throws {
        let target = folder.write([], to: "other")
        TestWorld.link(path, to: target)
        #expect(throws: FileSystemError(path, code: ENOTSOCK)) { try append(facts) }
        #expect(throws: FileSystemError(path, code: ENOTSOCK)) { try recovered() }
        #expect(TestFolder.bytes(of: target).isEmpty)
        try FileSystem.remove(path)
        try FileSystem.makeFolder(path)
        #expect(throws: FileSystemError(path, code: ENOTSOCK)) { try append(facts) }
        #expect(throws: FileSystemError(path, code: ENOTSOCK)) { try recovered() }
    }

    @Test func laterJournalVersionIsRefusedAndUntouched() throws {
        let later = JournalLine.line(Array(#"{"journal":2,"new":[true]}"#.utf8))
        folder.write(later, to: JournalFile.name)
        #expect(throws: FileSystemError.laterJournal(path)) { try append(facts) }
        #expect(throws: FileSystemError.laterJournal(path)) { try recovered() }
        var journal = JournalFile(in: folder.path)
        #expect(throws: FileSystemError.laterJournal(path)) { try journal.keep(only: ["A"]) }
        #expect(TestFolder.bytes(of: path) == later)
    }

    @Test func removedJournalIsRecreatedOnNextAppend() throws {
        var journal = JournalFile(in: folder.path)
        try journal.append(facts)
        try journal.remove()
        #expect(TestWorld.tree(folder.path).isEmpty)
        try journal.append([facts[2]])
        #expect(try recovered().allFacts == [facts[2]])
    }

    @Test func keepDropsRecordsOfOtherFolders() throws {
        let others = ["B", "A/x", Pathname.empty].map { JournalExample.fact("z.wav", in: $0) }
        var journal = JournalFile(in: folder.path)
        try journal.append([others[0], facts[0], others[1], facts[1], others[2]])
        try journal.keep(only: ["A", .empty, "C"])
        #expect(try recovered().folders == [.empty, "A"])
        #expect(try recovered().facts(in: "A") == [facts[0], facts[1]])
        #expect(TestWorld.tree(folder.path) == [JournalFile.name])
        try journal.append([facts[2]])
        #expect(try recovered().facts(in: "A") == facts)
        try journal.keep(only: ["C"])
        #expect(TestWorld.tree(folder.path).isEmpty)
    }
}

/// A number that a writer counts down.
private final class LockedCount: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) {
        left = Mutex(count)
    }

    var isExhausted: Bool { left.withLock { $0 == 0 } }

    /// As much of `count` as is left.
    func take(_ count: Int) -> Int {
        left.withLock { left in
            let taken = min(left, count)
            left -= taken
            return taken
        }
    }

    func add(_ count: Int) {
        left.withLock { $0 += count }
    }
}
