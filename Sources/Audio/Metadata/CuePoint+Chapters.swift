// Chapters of FLAC and Ogg files.

extension [CuePoint] {
    /// The chapters among the fields (xiph.org, "Chapter Extension"), which are removed.
    init(takingChapters comments: inout [VorbisComment], rate: Int) {
        var chapters: [String: CuePoint] = [:]
        var names: [String: [UInt8]] = [:]
        comments.removeAll { comment in
            guard comment.name.hasPrefix("CHAPTER") else { return false }
            let number = comment.name.dropFirst(7).prefix { $0.isNumber }
            let kind = comment.name.dropFirst(7 + number.count)
            guard !number.isEmpty, let id = UInt32(number) else { return false }
            if kind == "NAME" { names[String(number)] = [UInt8](comment.value) }
            if kind.isEmpty, let seconds = comment.text.flatMap(CuePoint.seconds) {
                let frame = Int64((seconds * Double(rate)).rounded())
                chapters[String(number)] = CuePoint(id: id, frame: frame)
            }
            return kind.isEmpty || kind == "NAME"
        }
        let all = chapters.sorted { ($0.value.id, $0.key) < ($1.value.id, $1.key) }.prefix(
            CuePoint.most
        ).map { key, cue in
            var cue = cue
            cue.label = names[key] ?? []
            return cue
        }
        self = all.lastingToTheNext
    }

    /// The chapters, each up to where the next begins.
    var lastingToTheNext: [CuePoint] {
        let starts = map(\.frame).sorted()
        return map { chapter in
            var chapter = chapter
            let next = starts.first { $0 > chapter.frame }
            chapter.length = (next ?? .max) - chapter.frame
            return chapter
        }
    }

    /// The fields of chapters, of at most 999.
    func chapters(atRate rate: Int) -> [VorbisComment] {
        prefix(999).enumerated().flatMap { index, cue in
            let name = "CHAPTER" + CuePoint.padded(index + 1, 3)
            let milliseconds = Int(
                (Double(cue.frame) * 1000 / Double(Swift.max(1, rate))).rounded())
            let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
            let time = [seconds / 3600, seconds / 60 % 60, seconds % 60]
                .map { CuePoint.padded($0, 2) }.joined(separator: ":")
            return [
                VorbisComment(name, time + "." + CuePoint.padded(rest, 3)),
                VorbisComment([UInt8]("\(name)NAME=".utf8) + cue.label),
            ].compactMap(\.self)
        }
    }
}

extension CuePoint {
    fileprivate static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Hours, minutes and seconds: `00:01:02.500`.
    fileprivate static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0) }
        guard parts.count == 3, numbers.count == 3,
            numbers.allSatisfy({ (0..<100_000).contains($0) })
        else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
    }
}
