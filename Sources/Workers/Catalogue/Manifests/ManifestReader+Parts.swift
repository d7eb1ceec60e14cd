import Recordings

private typealias Malformed = JSONCursor.Malformed

extension FileStamp {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var bytes: Int64?
        var modified: Int64?
        try json.object { (json, key) throws(Malformed) in
            switch key {
            case "bytes": bytes = try json.integer()
            case "modifiedNanoseconds": modified = try json.integer()
            default: try json.skip()
            }
        }
        self.init(
            bytes: try json.require(bytes), modifiedNanoseconds: try json.require(modified))
    }
}

extension AudioFormat {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var container: AudioContainer?
        var encoding: SampleEncoding?
        var rate: Int64?
        var channels: Int64?
        var frames: Int64?
        try json.object { (json, key) throws(Malformed) in
            switch key {
            case "container": container = try json.spelled()
            case "encoding": encoding = try json.spelled()
            case "sampleRateHertz": rate = try json.integer()
            case "channels": channels = try json.integer()
            case "frames": frames = try json.integer()
            // The duration follows from these.
            default: try json.skip()
            }
        }
        guard let container, let encoding, let rate, let channels, let frames,
            (1...1_000_000_000).contains(rate), (1...65_535).contains(channels),
            (0...AudioFormat.mostFrames).contains(frames)
        else { throw json.malformed }
        self.init(
            container: container, encoding: encoding, sampleRateHertz: Int(rate),
            channels: Int(channels), frames: frames)
    }

    /// More than any disk holds, and few enough to be counted with.
    private static let mostFrames: Int64 = 1_000_000_000_000_000
}

extension Levels {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        self.init(
            peakDBFS: [], rmsDBFS: [], dcOffset: [], clippedSamples: [], samplesBeyondFullScale: [])
        try json.object { (json, key) throws(Malformed) in
            switch key {
            case "peakDBFS": peakDBFS = try json.decibels()
            case "rmsDBFS": rmsDBFS = try json.decibels()
            case "dcOffset": dcOffset = try json.numbers()
            case "clippedSamples": clippedSamples = try json.counts()
            case "samplesBeyondFullScale": samplesBeyondFullScale = try json.counts()
            case "nonFiniteSamples": nonFiniteSamples = try json.counts()
            default: try json.skip()
            }
        }
    }
}

extension WaveformFile {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var path: Pathname?
        self.init(
            path: .empty, samplesPerPixel: 0, bits: 0, channels: 0, length: 0, bytes: 0, sha256: "")
        try json.object { (json, key) throws(Malformed) in
            switch key {
            case "path": path = try Pathname(nameIn: &json)
            case "samplesPerPixel": samplesPerPixel = Int(try json.integer())
            case "bits": bits = Int(try json.integer())
            case "channels": channels = Int(try json.integer())
            case "length": length = Int(try json.integer())
            case "bytes": bytes = try json.integer()
            case "sha256": sha256 = try json.text()
            default: try json.skip()
            }
        }
        self.path = try json.require(path)
    }
}

extension TrimmedFile {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var path: Pathname?
        self.init(path: .empty, durationSeconds: 0, bytes: 0, sha256: "", edits: [])
        try json.object { (json, key) throws(Malformed) in
            switch key {
            case "path": path = try Pathname(nameIn: &json)
            case "durationSeconds": durationSeconds = try json.number()
            case "bytes": bytes = try json.integer()
            case "sha256": sha256 = try json.text()
            case "edits":
                edits = try json.array { (json) throws(Malformed) in try Edit(&json) }
            default: try json.skip()
            }
        }
        self.path = try json.require(path)
    }
}

extension Edit {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var source: Range<Int64>?
        var trimmed: Int64?
        try json.object { (json, key) throws(Malformed) in
            switch key {
            case "sourceFrames":
                let (start, end) = try json.pair { (json) throws(Malformed) in
                    try json.integer()
                }
                guard start <= end else { throw json.malformed }
                source = start..<end
            case "trimmedFrame": trimmed = try json.integer()
            default: try json.skip()
            }
        }
        self.init(sourceFrames: try json.require(source), trimmedFrame: try json.require(trimmed))
    }
}

extension RecordingFailure {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var stage: Stage?
        var reason: Reason?
        var failure = RecordingFailure(stage: .decode, reason: .other)
        failure.decoding = nil
        try json.object { (json, key) throws(Malformed) in
            switch key {
            case "stage": stage = try json.spelled()
            case "reason": reason = try json.spelled()
            case "detail": failure.detail = try json.text()
            case "code": failure.code = Int(try json.integer())
            case "decoding": failure.decoding = Int(try json.integer())
            case "frame": failure.frame = try json.integer()
            case "expected": failure.expected = try json.integer()
            default: try json.skip()
            }
        }
        failure.stage = try json.require(stage)
        failure.reason = try json.require(reason)
        self = failure
    }
}

extension RecordingWarning {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        var kind: Kind?
        var warning = RecordingWarning(.damaged)
        try json.object { (json, key) throws(Malformed) in
            switch key {
            case "kind": kind = try json.spelled()
            case "frame": warning.frame = try json.integer()
            case "lostSeconds": warning.lostSeconds = try json.number()
            default: try json.skip()
            }
        }
        warning.kind = try json.require(kind)
        self = warning
    }
}

extension Recipe {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        self.init()
        try json.object { (json, key) throws(Malformed) in
            switch key {
            case "waveform": try waveform.read(&json)
            case "silence": try silence.read(&json)
            case "trim": try trim.read(&json)
            default: try json.skip()
            }
        }
    }
}

extension WaveformRecipe {
    fileprivate mutating func read(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        try json.object { (json, key) throws(Malformed) in
            switch key {
            case "samplesPerPixel": samplesPerPixel = try json.counts()
            case "bits": bits = Int(try json.integer())
            case "format": format = try json.spelled()
            case "splitChannels": splitChannels = try json.bool()
            default: try json.skip()
            }
        }
    }
}

extension TrimRecipe {
    fileprivate mutating func read(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        // Where a recipe does not say it, there is no longest one.
        longestGapSeconds = nil
        try json.object { (json, key) throws(Malformed) in
            switch key {
            case "mode": mode = try json.spelled()
            case "keepSilenceSeconds": keepSilenceSeconds = try json.number()
            case "longestGapSeconds": longestGapSeconds = try json.number()
            case "keptGapShare": keptGapShare = try json.number()
            case "fadeMilliseconds": fadeMilliseconds = try json.number()
            case "format": format = try json.spelled()
            default: try json.skip()
            }
        }
    }
}

extension JSONCursor {
    /// An array of exactly two.
    @inline(__always)
    mutating func pair<Element>(
        _ element: (inout JSONCursor) throws(Malformed) -> Element
    ) throws(Malformed) -> (Element, Element) {
        try expect("[")
        let first = try element(&self)
        try expect(",")
        let second = try element(&self)
        try expect("]")
        return (first, second)
    }

    fileprivate mutating func numbers() throws(Malformed) -> [Double] {
        try array { (json) throws(Malformed) in try json.number() }
    }

    fileprivate mutating func decibels() throws(Malformed) -> [Double?] {
        try array { (json) throws(Malformed) in
            try json.optional { (json) throws(Malformed) in try json.number() }
        }
    }

    fileprivate mutating func counts() throws(Malformed) -> [Int] {
        try array { (json) throws(Malformed) in Int(try json.integer()) }
    }
}
