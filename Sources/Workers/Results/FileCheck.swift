import Audio
import Jobs
import Recordings

/// Checks one file against its manifest entry; read-only.
struct FileCheck: Sendable {
    enum Promise: Hashable, Sendable {
        /// An output of this length and digest, and of this time unless it is unknown.
        case bytes(Int64, sha256: String, modifiedNanoseconds: Int64?)
        /// An output of which only the name is known.
        case existence
        /// A recording, with its digest if recorded.
        case stamp(FileStamp, sha256: String?)
    }

    /// The path for display, relative to the output or the root.
    var shown: Pathname
    var path: Pathname
    /// The temporary name of an output whose rename into place may be pending.
    var temporary: Pathname?
    var promise: Promise
    var role = Discrepancy.Role.waveform

    var subject: Discrepancy.Subject {
        if case .stamp = promise { .recording } else { .output }
    }

    /// The event to report; `nil` if the file is intact.
    ///
    /// Reads the file in chunks, or not at all if its length already differs.
    func carryOut() -> Verification.Event? {
        do throws(FileSystemError) {
            guard let found = try finding(look(at:)) else { return nil }
            var discrepancy = Discrepancy(path: shown, subject: subject, finding: found)
            discrepancy.role = role
            return .discrepancy(discrepancy)
        } catch {
            let trouble = ResultTrouble.unreadable(detail: error.detail)
            return .trouble(ResultTree.Trouble(path: RunPlaces.shown(path), trouble: trouble))
        }
    }

    /// The discrepancy at the file's path, unless the file is still under its temporary name.
    ///
    /// The path comes first, because later runs may reuse temporary names.
    /// - Parameter look: returns the discrepancy of the file at a path.
    func finding(
        _ look: (Pathname) throws(FileSystemError) -> Discrepancy.Finding?
    ) throws(FileSystemError) -> Discrepancy.Finding? {
        guard let finding = try look(path) else { return nil }
        guard let temporary else { return finding }
        guard try look(temporary) != nil else { return nil }
        // A run may have renamed it between the two checks.
        return try look(path)
    }

    /// The discrepancy of the file at this path; throws if it cannot be checked just now.
    func look(at place: Pathname) throws(FileSystemError) -> Discrepancy.Finding? {
        do throws(FileSystemError) {
            let status = try FileSystem.status(place)
            guard status.kind == .regular else { return .notAFile }
            switch promise {
            case .existence: return nil
            case .bytes(let bytes, let sha256, let time):
                if status.stamp.bytes == bytes, try digest(of: place) == sha256 { return nil }
                return status.stamp.modifiedNanoseconds == time ? .corrupt : .altered
            case .stamp(let stamp, let sha256):
                return try finding(stamp, sha256, found: status.stamp, at: place)
            }
        } catch {
            return try FileCheck.finding(error)
        }
    }

    /// The discrepancy that an error implies; rethrows errors of the system alone.
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
            if !sameBytes, found == stamp { return .corrupt }
        }
        return found == stamp ? nil : .changed(from: stamp, to: found, sameBytes: sameBytes)
    }

    private func digest(of place: Pathname) throws(FileSystemError) -> String {
        try StagedOutput.receipt(of: place).sha256
    }
}
