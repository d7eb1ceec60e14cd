import Recordings

/// How the files of a split recording are called: a template with fields in braces.
package struct SegmentNaming: Hashable, Sendable {
    /// A field of a template.
    package enum Field: String, CaseIterable, Sendable {
        /// The recording's name without its extension.
        case stem
        /// The recording's whole name.
        case name
        /// The segment's number, from 1.
        case index
        /// The number of the channel, from 1, if each was listened to by itself; else empty.
        case channel
        /// Seconds, to the millisecond.
        case start, end
    }

    private enum Part: Hashable, Sendable {
        case text(String)
        /// With leading zeros, up to so many digits before the point.
        case field(Field, digits: Int)
    }

    package static let standard = "{stem}_{index:4}_{start}"

    private var parts: [Part] = []
    private var namesChannel = false

    /// `nil` unless all braces enclose a field, files of a recording differ, and names are those of
    /// files in one folder.
    package init?(_ template: String) {
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { return nil }
            let inside = rest[rest.index(after: open)..<close]
            let words = inside.split(separator: ":", omittingEmptySubsequences: false)
            let digits = words.count == 2 ? Int(words[1]) ?? 0 : 1
            guard let field = Field(rawValue: String(words[0])), words.count <= 2,
                (1...9).contains(digits)
            else { return nil }
            parts.append(.text(String(rest[..<open])))
            parts.append(.field(field, digits: digits))
            rest = rest[close...].dropFirst()
        }
        parts.append(.text(String(rest)))
        let fields = parts.compactMap { if case .field(let field, _) = $0 { field } else { nil } }
        namesChannel = fields.contains(.channel)
        let isPlain = !template.unicodeScalars.contains { $0 == "/" || $0.value < 0x20 }
        guard isPlain, !rest.contains("}"), !template.hasPrefix("."),
            fields.contains(where: { [.index, .start, .end].contains($0) })
        else { return nil }
    }

    /// The name of a segment's file, without extension.
    /// - Parameter sharesStem: whether another recording in the folder has the same stem, so that
    ///   the whole name stands for it.
    package func name(
        of recording: Pathname, sharesStem: Bool, _ number: Int, _ stretch: Stretch
    ) -> Pathname {
        let channel = stretch.channel.map(String.init) ?? ""
        // Otherwise the files of two channels would have the same names.
        let suffix = namesChannel || channel.isEmpty ? "" : "-" + channel
        return parts.reduce(.empty) { name, part in
            switch part {
            case .text(let text): name.adding(suffix: text)
            case .field(.stem, _) where !sharesStem:
                Pathname(bytes: name.bytes + recording.stem.bytes).adding(suffix: suffix)
            case .field(.stem, _), .field(.name, _):
                Pathname(bytes: name.bytes + recording.bytes).adding(suffix: suffix)
            case .field(.channel, _): name.adding(suffix: channel)
            case .field(.index, let digits):
                name.adding(suffix: ExportValue.padded(Int64(number), to: digits))
            case .field(.start, let digits):
                name.adding(suffix: SegmentNaming.seconds(stretch.start, digits))
            case .field(.end, let digits):
                name.adding(suffix: SegmentNaming.seconds(stretch.end, digits))
            }
        }
    }

    private static func seconds(_ seconds: Double, _ digits: Int) -> String {
        let millis = Int64((seconds * 1000).rounded())
        return ExportValue.padded(millis / 1000, to: digits) + "."
            + ExportValue.padded(millis % 1000, to: 3)
    }
}

extension Pathname {
    /// A name without its extension.
    package var stem: Pathname {
        guard let dot = bytes.dropFirst().lastIndex(of: UInt8(ascii: ".")) else { return self }
        return Pathname(bytes: Array(bytes[..<dot]))
    }
}
