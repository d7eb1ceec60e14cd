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

/// What a manifest's entry promises.
struct Promises {
    struct File {
        var name: Pathname
        var bytes: Int64
        var sha256: String
    }

    var name = Pathname.empty
    var status = ManifestEntry.Status.done
    /// The recording's state when it was last there.
    var source: FileStamp?
    var sourceSHA256: String?
    var outputs: [File] = []
    var leftBehind: [Pathname] = []
    /// Of the journal: temporary names of outputs.
    var staged: [StagedFile] = []
}

extension Promises {
    /// From a manifest's entry.
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var name: Pathname?
        var promises = Promises()
        var earlier: [File] = []
        var hasFailed = false
        try json.object { (json, key) throws(JSONCursor.Malformed) in
            switch key {
            case "name": name = try Pathname(nameIn: &json)
            case "status": promises.status = try json.spelled()
            case "source": promises.source = try FileStamp(&json)
            case "sourceSHA256": promises.sourceSHA256 = try json.text()
            case "waveforms":
                promises.outputs += try json.array { (json) throws(JSONCursor.Malformed) in
                    try File(&json)
                }
            case "trimmed": promises.outputs.append(try File(&json))
            case "earlier":
                for files in try json.array(File.earlier) { earlier += files }
            case "failure":
                hasFailed = true
                try json.passOver()
            case "leftBehind":
                promises.leftBehind = try json.array { (json) throws(JSONCursor.Malformed) in
                    try Pathname(nameIn: &json)
                }
            default: try json.passOver()
            }
        }
        promises.name = try json.require(name)
        self = promises
        keep(earlier, hasFailed: hasFailed)
    }

    init(_ fact: JournalFact) {
        let entry = fact.entry
        name = entry.name
        status = entry.status
        source = entry.source
        sourceSHA256 = entry.sourceSHA256
        outputs = File.all(entry.waveforms, entry.trimmed)
        leftBehind = entry.leftBehind ?? []
        staged = fact.staged
        let earlier = (entry.earlier ?? []).flatMap { File.all($0.waveforms, $0.trimmed) }
        keep(earlier, hasFailed: entry.failure != nil)
    }

    /// Takes in what was said of files that are left behind; of the rest nothing is known but that
    /// they are there.
    ///
    /// Of a recording that has not failed they are to go, and nobody misses them.
    private mutating func keep(_ earlier: [File], hasFailed: Bool) {
        guard hasFailed else {
            leftBehind = []
            return
        }
        outputs += earlier
        guard !leftBehind.isEmpty else { return }
        let known = Set(outputs.map(\.name))
        leftBehind.removeAll(where: known.contains)
    }
}

extension Promises.File {
    /// What was made at one time.
    fileprivate static func all(
        _ waveforms: [WaveformFile]?, _ copy: TrimmedFile?
    ) -> [Promises.File] {
        let drawn = (waveforms ?? []).map {
            Promises.File(name: $0.path, bytes: $0.bytes, sha256: $0.sha256)
        }
        guard let copy else { return drawn }
        return drawn + [Promises.File(name: copy.path, bytes: copy.bytes, sha256: copy.sha256)]
    }

    /// The files of an earlier state of a recording.
    fileprivate static func earlier(
        _ json: inout JSONCursor
    ) throws(JSONCursor.Malformed) -> [Promises.File] {
        var files: [Promises.File] = []
        try json.object { (json, key) throws(JSONCursor.Malformed) in
            switch key {
            case "waveforms":
                files += try json.array { (json) throws(JSONCursor.Malformed) in
                    try Promises.File(&json)
                }
            case "trimmed": files.append(try Promises.File(&json))
            default: try json.passOver()
            }
        }
        return files
    }

    fileprivate init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var path: Pathname?
        var bytes: Int64?
        var sha256: String?
        try json.object { (json, key) throws(JSONCursor.Malformed) in
            switch key {
            case "path": path = try Pathname(nameIn: &json)
            case "bytes": bytes = try json.integer()
            case "sha256": sha256 = try json.text()
            default: try json.passOver()
            }
        }
        name = try json.require(path)
        self.bytes = try json.require(bytes)
        self.sha256 = try json.require(sha256)
    }
}
