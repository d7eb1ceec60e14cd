import Audio
import Jobs
import Recordings

/// One file that is to be held against what a manifest says of it; only ever read.
struct FileCheck: Sendable {
    enum Promise: Hashable, Sendable {
        /// An output of this length and digest.
        case bytes(Int64, sha256: String)
        /// An output of which no more is known.
        case existence
        /// A recording, and its digest where that was kept.
        case stamp(FileStamp, sha256: String?)
    }

    /// How it is told of: relative to the output, or to the root.
    var shown: Pathname
    var path: Pathname
    /// Where an output may still be that a run was about to move to its place.
    var temporary: Pathname?
    var promise: Promise

    var subject: Discrepancy.Subject {
        if case .stamp = promise { .recording } else { .output }
    }

    /// What is to be told of the file; `nil` where all is well.
    ///
    /// Reads the file in chunks, and not at all where its length tells enough.
    func carryOut() -> Verification.Event? {
        do throws(FileSystemError) {
            return try finding(look(at:)).map {
                .discrepancy(Discrepancy(path: shown, subject: subject, finding: $0))
            }
        } catch {
            let trouble = ResultTrouble.unreadable(detail: error.detail)
            return .trouble(ResultTree.Trouble(path: RunPlaces.shown(path), trouble: trouble))
        }
    }

    /// What does not hold in the place where the file is to be, unless it is still to be moved
    /// there.
    ///
    /// The place comes first: later runs use temporary names again.
    /// - Parameter look: what does not hold of the file with this path.
    func finding(
        _ look: (Pathname) throws(FileSystemError) -> Discrepancy.Finding?
    ) throws(FileSystemError) -> Discrepancy.Finding? {
        guard let finding = try look(path) else { return nil }
        guard let temporary else { return finding }
        guard try look(temporary) != nil else { return nil }
        // A run may have moved it between the two looks.
        return try look(path)
    }

    /// What does not hold of the file with this path; throws where that cannot be known just now.
    func look(at place: Pathname) throws(FileSystemError) -> Discrepancy.Finding? {
        do throws(FileSystemError) {
            let status = try FileSystem.status(place)
            guard status.kind == .regular else { return .notAFile }
            switch promise {
            case .existence: return nil
            case .bytes(let bytes, let sha256):
                guard status.stamp.bytes == bytes else { return .altered }
                return try digest(of: place) == sha256 ? nil : .altered
            case .stamp(let stamp, let sha256):
                return try finding(stamp, sha256, found: status.stamp, at: place)
            }
        } catch {
            return try FileCheck.finding(error)
        }
    }

    /// What an error tells of the file that was looked at; throws it where it tells of the system
    /// alone.
    static func finding(
        _ error: FileSystemError
    ) throws(FileSystemError) -> Discrepancy.Finding {
        switch RecordingFailure.Reason(errno: error.code) {
        case .tooManyOpenFiles, .unavailable: throw error
        case .vanished: .missing
        default: .unreadable(detail: error.detail)
        }
    }

    private func finding(
        _ stamp: FileStamp, _ sha256: String?, found: FileStamp, at place: Pathname
    ) throws(FileSystemError) -> Discrepancy.Finding? {
        var sameBytes = false
        if let sha256, found.bytes == stamp.bytes {
            sameBytes = try digest(of: place) == sha256
            if !sameBytes, found == stamp { return .altered }
        }
        return found == stamp ? nil : .changed(from: stamp, to: found, sameBytes: sameBytes)
    }

    private func digest(of place: Pathname) throws(FileSystemError) -> String {
        try StagedOutput.receipt(of: place).sha256
    }
}
