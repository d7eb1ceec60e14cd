import Exports
import Recordings

/// What the list beside split files says of one of them.
///
/// The list is `metadata.jsonl`, as Hugging Face's `audiofolder` reads it.
struct SplitLine: Hashable, Codable {
    static let listName: Pathname = "metadata.jsonl"
    /// The folder of split files beside results.
    static let folderName: Pathname = "segments"

    var name: String
    /// Of the recording.
    var recording: String
    /// From 1; `nil` if the file has all channels.
    var channel: Int?
    var startSeconds: Double
    var endSeconds: Double
    var levelDBFS: Double?
    var signalToNoiseDecibels: Double?
    var confidence: Double?
    var bytes: Int64
    var sha256: String
    /// The recording's; split files have its time.
    var source: FileStamp
    /// What somebody else has added, such as a transcript.
    var others: [String: JSONValue] = [:]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name = "file_name"
        case recording, channel, startSeconds, endSeconds, levelDBFS, signalToNoiseDecibels,
            confidence
        case bytes, sha256, source
    }

    /// The line of a file that is still to be written.
    init(_ name: String, _ recording: String, _ stretch: Stretch, _ source: FileStamp) {
        (self.name, self.recording, self.source) = (name, recording, source)
        channel = stretch.channel
        startSeconds = stretch.start.rounded(toDecimals: 6)
        endSeconds = stretch.end.rounded(toDecimals: 6)
        levelDBFS = stretch.levelDBFS?.rounded(toDecimals: 1)
        signalToNoiseDecibels = stretch.signalToNoiseDecibels?.rounded(toDecimals: 1)
        confidence = stretch.confidence?.rounded(toDecimals: 2)
        (bytes, sha256) = (0, "")
    }

    /// What is listed in a folder, `nil` for lines of others; nothing if there is no list.
    static func lines(in place: Pathname) throws(FileSystemError) -> [SplitLine?] {
        let text = try ifThere { () throws(FileSystemError) in
            try FileSystem.contents(of: place.appending(listName))
        }
        return (text ?? []).split(separator: UInt8(ascii: "\n")).map { SplitLine(Array($0)) }
    }

    private init?(_ text: [UInt8]) {
        guard var line = JSONLine.read(SplitLine.self, from: text),
            let all = JSONLine.read([String: JSONValue].self, from: text)
        else { return nil }
        let own = Set(CodingKeys.allCases.map(\.rawValue))
        line.others = all.filter { !own.contains($0.key) }
        self = line
    }

    /// With a line end.
    ///
    /// Times and levels have decimals even if they are whole: readers take a column's type from its
    /// first lines, and would cut off what comes later.
    var text: [UInt8] {
        var members = others.mapValues { JSONLine.text($0) }
        func set(_ key: CodingKeys, _ value: String?) { members[key.rawValue] = value }
        set(.name, ExportValue.json(name))
        set(.recording, ExportValue.json(recording))
        set(.channel, channel.map(String.init))
        set(.startSeconds, ExportValue.seconds(startSeconds))
        set(.endSeconds, ExportValue.seconds(endSeconds))
        set(.levelDBFS, levelDBFS.map { ExportValue.decimal($0, 1) })
        set(.signalToNoiseDecibels, signalToNoiseDecibels.map { ExportValue.decimal($0, 1) })
        set(.confidence, confidence.map { ExportValue.decimal($0, 2) })
        set(.bytes, String(bytes))
        set(.sha256, ExportValue.json(sha256))
        set(.source, JSONLine.text(source))
        let line = members.sorted { $0.key < $1.key }
            .map { ExportValue.json($0) + ":" + $1 }.joined(separator: ",")
        return Array("{\(line)}\n".utf8)
    }

    /// Whether another line is of the same file, written from the same samples.
    func isMade(as other: SplitLine) -> Bool {
        var (own, other) = (self, other)
        (own.bytes, own.sha256, own.others) = (0, "", [:])
        (other.bytes, other.sha256, other.others) = (0, "", [:])
        return own == other
    }
}
