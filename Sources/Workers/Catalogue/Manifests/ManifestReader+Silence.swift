import Recordings

private typealias Malformed = JSONCursor.Malformed

extension SilenceMap {
    init(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        self.init(
            noiseFloorDBFS: nil, signalToNoiseDecibels: nil, confidence: nil, separable: false,
            silent: false, intervalsSeconds: [])
        try json.object { (json, key) throws(Malformed) in
            switch key {
            case "noiseFloorDBFS": noiseFloorDBFS = try json.number()
            case "signalToNoiseDecibels": signalToNoiseDecibels = try json.number()
            case "thresholdDecibels": thresholdDecibels = try json.number()
            case "confidence": confidence = try json.number()
            case "separable": separable = try json.bool()
            case "silent": silent = try json.bool()
            case "intervalsSeconds":
                intervalsSeconds = try json.array { (json) throws(Malformed) in
                    let (start, end) = try json.pair { (json) throws(Malformed) in
                        try json.number()
                    }
                    // Ascending, and no longer than a century: what follows can be counted.
                    guard 0 <= start, start <= end, end < 4e9 else { throw json.malformed }
                    return [start, end]
                }
            default: try json.skip()
            }
        }
    }
}

extension SilenceRecipe {
    mutating func read(_ json: inout JSONCursor) throws(JSONCursor.Malformed) {
        try json.object { (json, key) throws(Malformed) in
            switch key {
            case "detector": detector = try json.spelled()
            case "activity": activity = try json.spelled()
            case "method": method = Int(try json.integer())
            case "minimumSeconds": minimumSeconds = try json.number()
            case "minimumSoundSeconds": minimumSoundSeconds = try json.number()
            case "sensitivityDecibels": sensitivityDecibels = try json.number()
            case "thresholdDBFS": thresholdDBFS = try json.number()
            default: try json.skip()
            }
        }
    }
}
