import Foundation
import Recordings
import TestSupport

@testable import Workers

/// A folder with recordings and room for an output folder beside them.
///
/// What file names may be is wider than what Foundation takes, so everything goes by bytes.
final class TestWorld {
    let folder = TestFolder()

    var root: Pathname { folder.path("source") }
    var output: Pathname { folder.path("output") }
    var places: RunPlaces { RunPlaces(root: root, output: output, targets: [.folder(.empty)]) }

    init() {
        makeFolder(root)
    }

    func makeFolder(_ path: Pathname) {
        do {
            try FileSystem.makeFolder(path)
        } catch {
            preconditionFailure("\(path) cannot be made: \(error.detail)")
        }
    }

    /// Writes a file below the root, with the folders above it, and returns its path.
    @discardableResult
    func add(_ name: Pathname, _ bytes: [UInt8] = [1, 2, 3]) -> Pathname {
        let path = root.appending(name)
        makeFolder(path.parent)
        return folder.write(bytes, to: Pathname("source").appending(name))
    }

    /// Makes a link that leads to `target`, which need not exist.
    static func link(_ path: Pathname, to target: Pathname) {
        let result = target.withCString { target in path.withCString { symlink(target, $0) } }
        precondition(result == 0, "\(path) cannot be made a link.")
    }

    /// Makes a named pipe below the root.
    func addPipe(_ name: Pathname) {
        let result = root.appending(name).withCString { mkfifo($0, 0o644) }
        precondition(result == 0, "\(name) cannot be made a pipe.")
    }

    /// Every name below a folder, ascending, relative to it.
    static func tree(_ folder: Pathname, below path: Pathname = .empty) -> [Pathname] {
        let names = (try? FileSystem.names(in: folder.appending(path))) ?? []
        return names.sorted { $0.name < $1.name }.flatMap { entry in
            let name = path.appending(entry.name)
            return [name] + (entry.kind == .folder ? tree(folder, below: name) : [])
        }
    }

    static func stamp(of path: Pathname) throws -> FileStamp {
        try FileSystem.status(path).stamp
    }
}

/// A WAV file of 16-bit samples in one channel.
enum SmallWAV {
    static let sampleRateHertz = 8000

    static func bytes(_ samples: [Int16]) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let data = samples.flatMap { little(Int($0), 2) }
        let format =
            little(1, 2) + little(1, 2) + little(sampleRateHertz, 4)
            + little(2 * sampleRateHertz, 4) + little(2, 2) + little(16, 2)
        return Array("RIFF".utf8) + little(36 + data.count, 4) + Array("WAVEfmt ".utf8)
            + little(16, 4) + format + Array("data".utf8) + little(data.count, 4) + data
    }

    /// Seconds of digital silence, of a loud tone, and of digital silence.
    static func tone(
        after leading: Double = 1, seconds: Double = 1, before trailing: Double = 1
    ) -> [Int16] {
        let rate = Double(sampleRateHertz)
        let silence = { [Int16](repeating: 0, count: Int($0 * rate)) }
        let tone = (0..<Int(seconds * rate)).map { frame in
            Int16((16_384 * sin(2 * .pi * 440 * Double(frame) / rate)).rounded())
        }
        return silence(leading) + tone + silence(trailing)
    }
}
