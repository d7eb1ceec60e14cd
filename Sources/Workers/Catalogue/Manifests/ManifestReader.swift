import Recordings

// Reads the entries of a manifest by hand: a run with nothing to do does little else, and a general
// decoder takes several times as long as all the rest of it. What it accepts is held against the
// general decoder by a test.

extension ManifestEntry {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var name: Pathname?
        var status: Status?
        var entry = ManifestEntry(name: .empty, status: .done, source: nil)
        try json.object { (json, key) throws(JSONCursor.Malformed) in
            switch key {
            case "name": name = try Pathname(nameIn: &json)
            case "status": status = try json.spelled()
            case "source": entry.source = try FileStamp(&json)
            case "sourceSHA256": entry.sourceSHA256 = try json.text()
            case "format": entry.format = try AudioFormat(&json)
            case "levels": entry.levels = try Levels(&json)
            case "silence": entry.silence = try SilenceMap(&json)
            case "waveforms":
                entry.waveforms = try json.array { (json) throws(JSONCursor.Malformed) in
                    try WaveformFile(&json)
                }
            case "trimmed": entry.trimmed = try TrimmedFile(&json)
            case "notTrimmed": entry.notTrimmed = try json.spelled()
            case "decoding": entry.decoding = try Decoding(&json)
            case "decoderMessage": entry.decoderMessage = try json.text()
            case "warnings":
                entry.warnings = try json.array { (json) throws(JSONCursor.Malformed) in
                    try RecordingWarning(&json)
                }
            case "failure": entry.failure = try RecordingFailure(&json)
            case "leftBehind":
                entry.leftBehind = try json.array { (json) throws(JSONCursor.Malformed) in
                    try Pathname(nameIn: &json)
                }
            case "earlier":
                entry.earlier = try json.array { (json) throws(JSONCursor.Malformed) in
                    try EarlierOutputs(&json)
                }
            case "recipe": entry.recipe = try Recipe(&json)
            default: try json.skip()
            }
        }
        entry.name = try json.require(name)
        entry.status = try json.require(status)
        self = entry
    }
}

extension Decoding {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var library: Library?
        self.init(by: .libsndfile, revision: 1)
        try json.object { (json, key) throws(JSONCursor.Malformed) in
            switch key {
            case "because": because = try json.spelled()
            case "library": library = try json.spelled()
            case "raw": raw = try json.text()
            case "revision": revision = Int(try json.integer())
            default: try json.skip()
            }
        }
        self.library = try json.require(library)
    }
}

extension EarlierOutputs {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var source: FileStamp?
        var format: AudioFormat?
        var trimmed: TrimmedFile?
        var waveforms: [WaveformFile]?
        try json.object { (json, key) throws(JSONCursor.Malformed) in
            switch key {
            case "source": source = try FileStamp(&json)
            case "format": format = try AudioFormat(&json)
            case "trimmed": trimmed = try TrimmedFile(&json)
            case "waveforms":
                waveforms = try json.array { (json) throws(JSONCursor.Malformed) in
                    try WaveformFile(&json)
                }
            default: try json.skip()
            }
        }
        self.init(
            format: format, source: try json.require(source), trimmed: trimmed,
            waveforms: waveforms)
    }
}

extension JSONCursor {
    /// A member without which there is no value.
    func require<Value>(_ value: Value?) throws(Malformed) -> Value {
        guard let value else { throw malformed }
        return value
    }
}

extension Pathname {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        if json.isAtString {
            self.init(bytes: try json.string())
            return
        }
        var spelling: String?
        try json.object { (json, key) throws(JSONCursor.Malformed) in
            if case "bytes" = key { spelling = try json.text() } else { try json.skip() }
        }
        self = try json.require(Pathname(hexadecimal: try json.require(spelling)))
    }

    /// A name in a folder; anything else could lead out of it.
    init(nameIn json: inout JSONCursor) throws(JSONCursor.Malformed) {
        let name = try Pathname(&json)
        self = try json.require(name.isSingleName ? name : nil)
    }
}
