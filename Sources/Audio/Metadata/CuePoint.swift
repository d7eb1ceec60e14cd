import Recordings

/// A marked place or stretch of a recording.
struct CuePoint: Hashable {
    /// By which other chunks name it.
    var id: UInt32
    var frame: Int64
    /// Bytes of text, in whatever encoding the file has.
    var label: [UInt8] = []
    var note: [UInt8] = []
    /// The frames of a stretch; 0 for a place.
    var length: Int64 = 0
    /// What a stretch is, such as `rgn `, and its text.
    var purpose: [UInt8] = []

    /// More than anybody marks by hand.
    static let most = 10_000
}

extension [CuePoint] {
    /// Where they are in a copy that keeps these edits; those whose place or whole stretch is cut
    /// are returned apart.
    func moved(by edits: EditList) -> (kept: [CuePoint], cut: [CuePoint]) {
        guard let map = TimeMap(edits.edits, of: edits.sourceFrameCount) else { return ([], self) }
        var (kept, cut): ([CuePoint], [CuePoint]) = ([], [])
        for var cue in self {
            let end =
                cue.frame + Swift.min(cue.length, Swift.max(0, map.sourceFrameCount - cue.frame))
            switch (map.trimmed(ofSource: cue.frame), map.trimmed(ofSource: end)) {
            case (.kept(let frame)?, let last?):
                cue.length = last.frame - frame
                cue.frame = frame
                kept.append(cue)
            case (.cut(_, let joint)?, let last?) where last.frame > joint:
                cue.length = last.frame - joint
                cue.frame = joint
                kept.append(cue)
            default: cut.append(cue)
            }
        }
        return (kept, cut)
    }
}

extension TimeMap.Place {
    /// The frame of the copy, or that of the joint.
    fileprivate var frame: Int64 {
        switch self {
        case .kept(let frame): frame
        case .cut(_, let joint): joint
        }
    }
}
