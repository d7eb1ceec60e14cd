import Recordings

/// A manifest that is as `ManifestText` spells it: an entry a line, between a first and a last one.
struct ManifestLines {
    private let lines: LineReader

    init(_ path: Pathname) throws(FileSystemError) {
        lines = LineReader(try ReadableFile(path))
    }

    /// What the manifest says, read once; `nil` where it is spelled otherwise, or is damaged.
    ///
    /// The first line and the last make a manifest without entries, and each line between them an
    /// entry. So what holds of these holds of the whole.
    func read<Entries>(
        into none: Entries, _ add: ManifestSkimmer.Adder<Entries>
    ) throws(FileSystemError) -> ManifestSkimmer.Skimmed<Entries>? {
        guard try lines.begins(with: ManifestText.beginning.bytes),
            var frame = try lines.next()?.bytes, frame.ends(with: ManifestText.opening)
        else { return nil }
        let opening = frame.count - 1
        guard let entries = try entries(into: none, add, &frame), try lines.next() == nil else {
            return nil
        }
        return try? ManifestSkimmer.read(frame) { (json) throws(JSONCursor.Malformed) in
            // An array of that name may also be somewhere else.
            guard json.place == opening else { throw json.malformed }
            try json.expect("[")
            try json.expect("]")
            return entries
        }
    }

    /// Reads entries up to the last line, which goes behind the first; `nil` where there is none.
    private func entries<Entries>(
        into none: Entries, _ add: ManifestSkimmer.Adder<Entries>, _ frame: inout [UInt8]
    ) throws(FileSystemError) -> Entries? {
        var entries = none
        var expectsEntry = true
        while var line = try lines.next()?.bytes {
            guard expectsEntry else {
                frame += line
                return entries
            }
            expectsEntry = line.last == UInt8(ascii: ",")
            if expectsEntry { line.removeLast() }
            do throws(JSONCursor.Malformed) {
                try JSONCursor.read(line) { (json) throws(JSONCursor.Malformed) in
                    try add(&entries, &json)
                }
            } catch {
                return nil
            }
        }
        return nil
    }
}

extension [UInt8] {
    fileprivate func ends(with end: StaticString) -> Bool {
        // A literal is there for ever.
        suffix(end.utf8CodeUnitCount)
            .elementsEqual(UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount))
    }
}
