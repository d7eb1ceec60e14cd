import Recordings

/// Where the facts of a journal are, as its lines are read one by one.
struct JournalPlaces {
    var places: [Pathname: [Range<Int>]] = [:]
    var damaged: [Int] = []
    var hasTornTail = false
    var isOfLaterVersion = false
    private var number = 0
    /// Where the next line begins.
    private var start = 0
    private var isLastLost = false

    mutating func take(_ line: LineReader.Line) {
        number += 1
        defer { start += line.byteCount + 1 }
        guard line.isTerminated else {
            hasTornTail = true
            return
        }
        isLastLost = !line.bytes.withUnsafeBytes { take($0[...]) }
    }

    /// Takes in that there are no more.
    mutating func end() {
        // A line of which the end reached the disk and the middle did not.
        guard isLastLost, !hasTornTail else { return }
        damaged.removeLast()
        hasTornTail = true
    }

    /// Whether anything could be read from a line.
    private mutating func take(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        if let json = JournalLine.json(in: line), take(json, of: line.base) { return true }
        damaged.append(number)
        guard let json = JournalLine.jsonAtEnd(of: line) else { return false }
        return take(json, of: line.base)
    }

    /// Whether the JSON is a fact or a header.
    private mutating func take(_ place: Range<Int>, of text: UnsafeRawBufferPointer) -> Bool {
        let json = Array(text[place])
        if let version = JournalLine.version(inJSON: json) {
            if version > JournalLine.version { isOfLaterVersion = true }
            return true
        }
        // One that leads out of the output was written by nobody who means well.
        guard let folder = folder(in: json), folder.staysBelow else { return false }
        places[folder, default: []].append(start + place.lowerBound..<start + place.upperBound)
        return true
    }

    /// The folder of a fact; the rest of it is passed over, as that is quicker.
    private func folder(in json: [UInt8]) -> Pathname? {
        try? JSONCursor.read(json) { (json) throws(JSONCursor.Malformed) in
            var folder: Pathname?
            try json.object { (json, key) throws(JSONCursor.Malformed) in
                if case "folder" = key {
                    folder = try Pathname(&json)
                } else {
                    try json.passOver()
                }
            }
            return try json.require(folder)
        }
    }
}
