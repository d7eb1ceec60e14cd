import Foundation
import Jobs
import Recordings
import Synchronization
import TestSupport
import Testing

@testable import Workers

/// A recording `A/b.wav` that was `old/a.wav`, of which there are two outputs.
@Suite struct AdoptionPassTests {
    private let one: OneRecording
    private let time: Int64 = 1_778_049_123_000_000_001

    init() throws {
        one = try OneRecording()
        one.world.makeFolder(one.world.output.appending("old"))
        for (name, bytes) in [("a.wav.dat", [1, 2, 3]), ("a.wav", [4])] as [(Pathname, [UInt8])] {
            let path = one.world.folder.write(bytes, to: Pathname("output/old").appending(name))
            try FileSystem.setModified(path, nanoseconds: time)
        }
    }

    private func adopt(
        isPatient: Bool = false, formerNanoseconds: Int64? = nil,
        cancellation: Cancellation = Cancellation(), linker: DirectoryHandle.Linker? = nil
    ) -> Job.Action {
        var source = one.source
        source.context.value.isPatient = isPatient
        let order = AdoptionOrder(
            source: source, folder: "old",
            formerNanoseconds: formerNanoseconds ?? source.stamp.modifiedNanoseconds,
            files: [
                .init(old: "a.wav.dat", new: "b.wav.dat", sha256: digest([1, 2, 3])),
                .init(old: "a.wav", new: "b.wav", sha256: digest([4])),
            ])
        var pass = AdoptionPass(
            order: order, places: one.world.places, ownership: one.world.ownership,
            cancellation: cancellation)
        if let linker { pass.linker = linker }
        return pass.run()
    }

    private func digest(_ bytes: [UInt8]) -> String { SHA256.hexadecimal(of: bytes) }

    private func staged(_ action: Job.Action) throws -> [StagedFile] {
        guard case .adopted(let staged) = action else {
            Issue.record("it was not adopted: \(action)")
            return []
        }
        #expect(staged.map(\.name) == ["b.wav.dat", "b.wav"])
        return staged
    }

    private func number(_ path: Pathname) throws -> UInt64 {
        try FileSystem.status(one.world.output.appending(path)).number
    }

    /// What is there beside the old outputs.
    private var new: [Pathname] {
        one.outputs.filter { !["A", "old", "old/a.wav", "old/a.wav.dat"].contains($0) }
    }

    /// As a file system answers that will not link.
    private static func refusal(_ code: Int32) -> DirectoryHandle.Linker {
        { _, _, _, _ in
            errno = code
            return -1
        }
    }

    /// - Parameter areLinks: whether they are the same files as the old ones.
    private func expectBothAreThere(after action: Job.Action, areLinks: Bool) throws {
        let outputs = [("old/a.wav.dat", [1, 2, 3]), ("old/a.wav", [4])] as [(Pathname, [UInt8])]
        for (file, (old, bytes)) in zip(try staged(action), outputs) {
            #expect(
                try (number(Pathname("A").appending(file.temporary)) == number(old)) == areLinks)
            let path = one.world.output.appending("A").appending(file.temporary)
            #expect(TestFolder.bytes(of: path) == bytes)
            #expect(
                try TestWorld.stamp(of: path)
                    == FileStamp(bytes: Int64(bytes.count), modifiedNanoseconds: time))
            // The old names go only when nothing names them any more.
            #expect(TestFolder.bytes(of: one.world.output.appending(old)) == bytes)
        }
    }

    @Test func outputsAreHardLinkedToNewNames() throws {
        try expectBothAreThere(after: adopt(), areLinks: true)
    }

    @Test(arguments: [EXDEV, EPERM, EMLINK])
    func outputsAreCopiedWhenHardLinkingFails(code: Int32) throws {
        try expectBothAreThere(after: adopt(linker: Self.refusal(code)), areLinks: false)
    }

    @Test func outputsAreCopiedWhenRecordingTimestampChanged() throws {
        for (name, nanoseconds) in [("old/a.wav.dat", 5), ("old/a.wav", 5)] as [(Pathname, Int64)] {
            let path = one.world.output.appending(name)
            try FileSystem.setModified(path, nanoseconds: nanoseconds)
        }
        try expectBothAreThere(after: adopt(formerNanoseconds: 5), areLinks: false)
        for old in ["old/a.wav.dat", "old/a.wav"] as [Pathname] {
            let path = one.world.output.appending(old)
            #expect(try TestWorld.stamp(of: path).modifiedNanoseconds == 5)
        }
    }

    /// As after a copy of the output, which has the times of the copying.
    @Test func outputsWithOtherTimesAreRecognisedByDigest() throws {
        for name in ["old/a.wav.dat", "old/a.wav"] as [Pathname] {
            try FileSystem.setModified(one.world.output.appending(name), nanoseconds: 77)
        }
        try expectBothAreThere(after: adopt(), areLinks: false)
    }

    @Test(arguments: [nil, 77 as Int64])
    func otherFileOfOldNameIsRefused(nanoseconds: Int64?) throws {
        one.world.folder.write([5], to: "output/old/a.wav")
        let path = one.world.output.appending("old/a.wav")
        try FileSystem.setModified(path, nanoseconds: nanoseconds ?? time + 1)
        guard case .failed = adopt() else { return #expect(Bool(false), "it was adopted") }
        #expect(new == [])
    }

    @Test func recordingChangedSinceScanIsRefused() throws {
        try FileSystem.setModified(one.path, nanoseconds: 5)
        #expect(OneRecording.reason(adopt()) == .changed)
        let stamp = try TestWorld.stamp(of: one.path)
        #expect(adopt(isPatient: true) == .sourceChanged(stamp))
        #expect(new == [])
    }

    @Test func missingRecordingIsReportedAsVanished() throws {
        try FileSystem.remove(one.path)
        #expect(OneRecording.reason(adopt()) == .vanished)
        #expect(adopt(isPatient: true) == .sourceChanged(nil))
        #expect(new == [])
    }

    @Test(arguments: [nil, EXDEV])
    func missingOldOutputLeavesNoNewFiles(code: Int32?) throws {
        try FileSystem.remove(one.world.output.appending("old/a.wav"))
        for isPatient in [false, true] {
            let action = adopt(isPatient: isPatient, linker: code.map(Self.refusal))
            #expect(OneRecording.reason(action) == .vanished)
            #expect(new == [])
        }
    }

    @Test func failedHardLinkLeavesNoNewFiles() {
        let action = adopt(linker: { folder, old, newFolder, new in
            guard old == "a.wav" else { return DirectoryHandle.link(folder, old, newFolder, new) }
            errno = ENOSPC
            return -1
        })
        #expect(OneRecording.reason(action) == .noSpace)
        #expect(new == [])
    }

    @Test func cancelledAdoptionLeavesNoNewFiles() {
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(adopt(cancellation: cancellation) == .cancelled)
        #expect(new == [])
    }

    @Test func adoptionCancelledDuringCopyLeavesNoNewFiles() {
        let cancellation = Cancellation()
        let action = adopt(
            cancellation: cancellation,
            linker: { folder, old, newFolder, new in
                guard old == "a.wav" else {
                    return DirectoryHandle.link(folder, old, newFolder, new)
                }
                cancellation.cancel()
                errno = EXDEV
                return -1
            })
        #expect(action == .cancelled)
        #expect(new == [])
    }
}
