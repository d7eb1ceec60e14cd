/// A JSON object from its members; `nil` members are omitted.
struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
    private struct Member: Encodable {
        let value: any Encodable

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private var members: [String: Member] = [:]
    private var others: [any Encodable] = []

    init(dictionaryLiteral members: (String, (any Encodable)?)...) {
        for (name, value) in members { self.members[name] = value.map(Member.init) }
    }

    /// This object with all members of another value added.
    func with(_ other: any Encodable) -> JSONObject {
        var both = self
        both.others.append(other)
        return both
    }

    func encode(to encoder: any Encoder) throws {
        try members.encode(to: encoder)
        for other in others { try other.encode(to: encoder) }
    }
}
