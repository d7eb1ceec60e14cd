import Recordings

/// A chunk of a WAV, W64, AIFF or CAF file that says something about the sound.
struct MetadataChunk: Hashable {
    /// Four characters.
    let id: String
    var body: [UInt8]

    /// What changes when the beginning of a recording is cut.
    struct Cut {
        let edits: EditList
        let rate: Int
        /// The line that the coding history gets.
        let history: String

        /// The frames that are cut in front.
        var frames: Int64 { edits.edits.first?.source.lowerBound ?? 0 }
    }

    /// The chunk as it is in a copy.
    func moved(_ cut: Cut) -> MetadataChunk {
        var chunk = self
        switch id {
        case "bext": chunk.moveBroadcast(cut)
        case "iXML": chunk.moveProduction(cut)
        case "cart": chunk.moveTimers(cut)
        case "guan": chunk.moveGUANO(cut)
        default: break
        }
        return chunk
    }
}

// MARK: - Broadcast

extension MetadataChunk {
    /// The frames since midnight at which a broadcast file begins; `nil` of any other chunk.
    var timeReference: UInt64? {
        guard id == "bext", body.count >= 346 else { return nil }
        return integer(body[338..<346], bigEndian: false)
    }

    /// Moves the time reference, and adds a line to the coding history (EBU Tech 3285 and R 98).
    private mutating func moveBroadcast(_ cut: Cut) {
        let reference = 338..<346
        guard body.count >= 348 else { return }
        set(reference, integer(body[reference], bigEndian: false) &+ UInt64(cut.frames))
        // Version 2 has five loudness values, which are those of the whole; this means none.
        if body[346] >= 2, body.count >= 422 {
            for place in stride(from: 412, to: 422, by: 2) { set(place..<place + 2, 0x7FFF) }
        }
        guard body.count >= 602 else { return }
        while body.count > 602, body.last == 0 { body.removeLast() }
        if body.count > 602, !body.suffix(2).elementsEqual("\r\n".utf8) { body += "\r\n".utf8 }
        body += cut.history.utf8
    }

    private mutating func set(_ place: Range<Int>, _ number: UInt64) {
        for (index, byte) in place.enumerated() {
            body[byte] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))
        }
    }

    /// Moves the post timers of AES46, in frames; one whose place was cut is unset.
    private mutating func moveTimers(_ cut: Cut) {
        guard let map = TimeMap(cut.edits.edits, of: cut.edits.sourceFrameCount) else { return }
        for timer in stride(from: 684, to: 748, by: 8) where timer + 8 <= body.count {
            let place = timer + 4..<timer + 8
            guard body[timer..<timer + 4].contains(where: { $0 != 0 }) else { continue }
            let frame = Int64(integer(body[place], bigEndian: false))
            if case .kept(let moved)? = map.trimmed(ofSource: frame) {
                set(place, UInt64(moved))
            } else {
                set(timer..<timer + 8, 0)
            }
        }
    }
}

// MARK: - iXML and GUANO

extension MetadataChunk {
    /// Moves the two places where iXML has a time reference, each a number in two halves.
    private mutating func moveProduction(_ cut: Cut) {
        let names = [
            ("TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI", "TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO"),
            ("BWF_TIME_REFERENCE_HIGH", "BWF_TIME_REFERENCE_LOW"),
        ]
        for (high, low) in names {
            guard let upper = number(in: high), let lower = number(in: low) else { continue }
            let moved = (upper.value << 32 | lower.value) &+ UInt64(cut.frames)
            // The later one first, so that the places stay.
            let both = [(upper.place, moved >> 32), (lower.place, moved & 0xFFFF_FFFF)]
            for (place, value) in both.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
                body.replaceSubrange(place, with: String(value).utf8)
            }
        }
    }

    /// Removes what iXML says of the whole recording in ways that are not moved: loudness, and
    /// sync points that count from its beginning.
    /// - Returns: the names of the elements.
    mutating func removeProductionOfWhole() -> [String] {
        ["LOUDNESS", "SYNC_POINT_LIST"].filter { name in
            guard let start = body.firstRange(of: Array("<\(name)>".utf8)),
                let end = body[start.upperBound...].firstRange(of: Array("</\(name)>".utf8))
            else { return false }
            let element = start.lowerBound..<end.upperBound
            let isMoved =
                name == "LOUDNESS"
                || body[element].firstRange(of: Array("RELATIVE".utf8)) != nil
            if isMoved { body.removeSubrange(element) }
            return isMoved
        }
    }

    /// The number of 32 bits in an element, and where it is.
    private func number(in name: String) -> (place: Range<Int>, value: UInt64)? {
        guard let start = body.firstRange(of: Array("<\(name)>".utf8)),
            let end = body[start.upperBound...].firstRange(of: Array("</\(name)>".utf8))
        else { return nil }
        let place = start.upperBound..<end.lowerBound
        guard let value = UInt32(String(decoding: body[place], as: UTF8.self)) else { return nil }
        return (place, UInt64(value))
    }

    /// Moves the time of GUANO, and says the length of the copy.
    private mutating func moveGUANO(_ cut: Cut) {
        let rate = Double(max(1, cut.rate))
        var lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = TagText.text(line[..<colon])
            let value = TagText.text(line[(colon + 1)...]) ?? ""
            var told: String?
            if name == "Length", Double(value) != nil {
                told = String((Double(cut.edits.trimmedFrameCount) / rate).rounded(toDecimals: 6))
            }
            if name == "Timestamp", cut.frames > 0 {
                told = RecordedTime.parse(value).flatMap {
                    RecordedTime.later($0, bySeconds: Double(cut.frames) / rate)
                }
            }
            if let told { lines[index] = line[..<colon] + ": \(told)".utf8 }
        }
        body = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }
}
