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
        cancellation: Cancellation = Cancellation(), linker: FileSystem.Linker? = nil
    ) -> Job.Action {
        var source = one.source
        source.setting.value.isPatient = isPatient
        let order = AdoptionOrder(
            source: source, folder: "old",
            formerNanoseconds: formerNanoseconds ?? source.stamp.modifiedNanoseconds,
            files: [
                .init(old: "a.wav.dat", new: "b.wav.dat"), .init(old: "a.wav", new: "b.wav"),
            ])
        var pass = AdoptionPass(
            order: order, places: one.world.places, tag: "1", cancellation: cancellation)
        if let linker { pass.linker = linker }
        return pass.run()
    }

    private let staged = [
        StagedFile(temporary: ".tapedeck.1.0.partial", name: "b.wav.dat"),
        StagedFile(temporary: ".tapedeck.1.1.partial", name: "b.wav"),
    ]

    private func number(_ path: Pathname) throws -> UInt64 {
        try FileSystem.status(one.world.output.appending(path)).number
    }

    /// What is there beside the old outputs.
    private var new: [Pathname] {
        one.outputs.filter { !["A", "old", "old/a.wav", "old/a.wav.dat"].contains($0) }
    }

    /// As a file system answers that will not link.
    private static func refusal(_ code: Int32) -> FileSystem.Linker {
        { _, _ in
            errno = code
            return -1
        }
    }

    private func expectBothAreThere() throws {
        for (file, old, bytes) in [
            (staged[0], "old/a.wav.dat", [1, 2, 3]), (staged[1], "old/a.wav", [4]),
        ] as [(StagedFile, Pathname, [UInt8])] {
            let path = one.world.output.appending("A").appending(file.temporary)
            #expect(TestFolder.bytes(of: path) == bytes)
            #expect(
                try TestWorld.stamp(of: path)
                    == FileStamp(bytes: Int64(bytes.count), modifiedNanoseconds: time))
            // The old names go only when nothing names them any more.
            #expect(TestFolder.bytes(of: one.world.output.appending(old)) == bytes)
        }
    }

    @Test func givesTheSameFilesOtherNames() throws {
        #expect(adopt() == .adopted(staged))
        try expectBothAreThere()
        #expect(try number("A/.tapedeck.1.0.partial") == number("old/a.wav.dat"))
        #expect(try number("A/.tapedeck.1.1.partial") == number("old/a.wav"))
    }

    @Test(arguments: [EXDEV, EPERM, EMLINK])
    func copiesFromOneDiskToAnother(code: Int32) throws {
        #expect(adopt(linker: Self.refusal(code)) == .adopted(staged))
        try expectBothAreThere()
        #expect(try number("A/.tapedeck.1.0.partial") != number("old/a.wav.dat"))
    }

    @Test func whereTheRecordingBearsAnotherTimeItsFilesDoAndTheOldOnesKeepTheirs() throws {
        for (name, nanoseconds) in [("old/a.wav.dat", 5), ("old/a.wav", 5)] as [(Pathname, Int64)] {
            let path = one.world.output.appending(name)
            try FileSystem.setModified(path, nanoseconds: nanoseconds)
        }
        #expect(adopt(formerNanoseconds: 5) == .adopted(staged))
        try expectBothAreThere()
        for old in ["old/a.wav.dat", "old/a.wav"] as [Pathname] {
            let path = one.world.output.appending(old)
            #expect(try TestWorld.stamp(of: path).modifiedNanoseconds == 5)
        }
    }

    @Test func takesThePlaceOfWhatACrashLeft() throws {
        one.world.makeFolder(one.world.output.appending("A"))
        one.world.folder.write([9], to: "output/A/.tapedeck.1.0.partial")
        #expect(adopt() == .adopted(staged))
        try expectBothAreThere()
    }

    @Test func refusesARecordingThatIsNotWhatTheScanSaw() throws {
        try FileSystem.setModified(one.path, nanoseconds: 5)
        #expect(OneRecording.reason(adopt()) == .changed)
        let stamp = try TestWorld.stamp(of: one.path)
        #expect(adopt(isPatient: true) == .sourceChanged(stamp))
        #expect(new == [])
    }

    @Test func saysThatARecordingIsGone() throws {
        try FileSystem.remove(one.path)
        #expect(OneRecording.reason(adopt()) == .vanished)
        #expect(adopt(isPatient: true) == .sourceChanged(nil))
        #expect(new == [])
    }

    @Test(arguments: [nil, EXDEV])
    func leavesNothingWhereAnOldOutputIsMissing(code: Int32?) throws {
        try FileSystem.remove(one.world.output.appending("old/a.wav"))
        for isPatient in [false, true] {
            let action = adopt(isPatient: isPatient, linker: code.map(Self.refusal))
            #expect(OneRecording.reason(action) == .vanished)
            #expect(new == [])
        }
    }

    @Test func leavesNothingWhereALinkCannotBeMade() {
        let action = adopt(linker: { old, new in
            guard old.lastComponent == "a.wav" else { return FileSystem.makeLink(old, new) }
            errno = ENOSPC
            return -1
        })
        #expect(OneRecording.reason(action) == .noSpace)
        #expect(new == [])
    }

    @Test func leavesNothingWhenItIsToldToStop() {
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(adopt(cancellation: cancellation) == .cancelled)
        #expect(new == [])
    }

    @Test func leavesNothingWhenItIsToldToStopWhileItCopies() {
        let cancellation = Cancellation()
        let action = adopt(
            cancellation: cancellation,
            linker: { old, new in
                guard old.lastComponent == "a.wav" else { return FileSystem.makeLink(old, new) }
                cancellation.cancel()
                errno = EXDEV
                return -1
            })
        #expect(action == .cancelled)
        #expect(new == [])
    }
}
