import Jobs
import Recordings

/// Any value of a run on one line, from its own parts: a new kind of command needs no words here.
enum ValueText {
    /// As in `job(3, listen(source: (folder: A, name: b.wav), stages: waveform+levels))`.
    ///
    /// Absent parts are left out, and so are the names of types.
    /// - Complexity: O(the value), though the line may be short.
    static func words(_ value: Any) -> String {
        if let text = leaf(value) { return text }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            return mirror.children.first.map { words($0.value) } ?? "none"
        case .enum:
            guard let (name, payload) = mirror.children.first else { return "\(value)" }
            let inner = payloadWords(payload)
            return (name ?? "") + (inner.isEmpty ? "" : "(\(inner))")
        case .collection:
            return "[" + mirror.children.map { words($0.value) }.joined(separator: ", ") + "]"
        case .set, .dictionary:
            // In no order of their own, so by how the members are spelled.
            let members = mirror.children.map { words($0.value) }.sorted()
            return "[" + members.joined(separator: ", ") + "]"
        default:
            // A thing of one part, such as an identity, is that part.
            guard mirror.children.count != 1, !mirror.children.isEmpty else {
                return mirror.children.first.map { words($0.value) } ?? "\(value)"
            }
            return "(" + parts(mirror).joined(separator: ", ") + ")"
        }
    }

    private static func payloadWords(_ payload: Any) -> String {
        let mirror = Mirror(reflecting: payload)
        switch mirror.displayStyle {
        case .tuple: return parts(mirror).joined(separator: ", ")
        // One pair of brackets is enough.
        case .struct where leaf(payload) == nil && mirror.children.count > 1:
            return parts(mirror).joined(separator: ", ")
        // An absent payload says nothing.
        case .optional where mirror.children.isEmpty: return ""
        default: return words(payload)
        }
    }

    private static func parts(_ mirror: Mirror) -> [String] {
        mirror.children.compactMap { label, value in
            let inner = Mirror(reflecting: value)
            guard inner.displayStyle != .optional || !inner.children.isEmpty else { return nil }
            let text = words(value)
            // Parts without a name are counted: ".0".
            guard let label, !label.hasPrefix(".") else { return text }
            return "\(label): \(text)"
        }
    }

    private static func leaf(_ value: Any) -> String? {
        switch value {
        case let path as Pathname: path.displayText
        case let text as String: "\"\(Pathname(text).displayText)\""
        case let stages as Stages: stages.names.joined(separator: "+")
        case let id as FolderID:
            id.generation == 0 ? "\(id.index)" : "\(id.index).\(id.generation)"
        default: nil
        }
    }
}

extension ValueText {
    /// The first place at which two values of one type are not equal, and what is there.
    struct Difference: Equatable, Sendable {
        /// From outside to inside, as in `[1].job.listen.stages`.
        var place: String
        var left: String
        var right: String
    }

    /// `nil` where they are spelled alike.
    static func firstDifference(_ left: Any, _ right: Any, at place: String = "") -> Difference? {
        guard words(left) != words(right) else { return nil }
        let (a, b) = (Mirror(reflecting: left), Mirror(reflecting: right))
        let here = Difference(place: place, left: words(left), right: words(right))
        let isUnordered = a.displayStyle == .dictionary || a.displayStyle == .set
        guard leaf(left) == nil, !isUnordered, a.displayStyle == b.displayStyle else {
            return here
        }
        let (lefts, rights) = (Array(a.children), Array(b.children))
        for (index, (old, new)) in zip(lefts, rights).enumerated() {
            // Other cases of an enum have nothing to compare.
            guard old.label == new.label else { return here }
            let inner = place + step(old.label, index, in: a.displayStyle)
            if let found = firstDifference(old.value, new.value, at: inner) { return found }
        }
        guard lefts.count != rights.count, a.displayStyle == .collection else { return here }
        let index = min(lefts.count, rights.count)
        return Difference(
            place: place + "[\(index)]",
            left: lefts.count > index ? words(lefts[index].value) : "nothing",
            right: rights.count > index ? words(rights[index].value) : "nothing")
    }

    private static func step(
        _ label: String?, _ index: Int, in style: Mirror.DisplayStyle?
    ) -> String {
        switch style {
        case .collection: return "[\(index)]"
        case .optional: return ""
        default:
            guard let label, !label.hasPrefix(".") else { return "" }
            return ".\(label)"
        }
    }
}
