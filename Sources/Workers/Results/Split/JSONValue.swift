/// Any JSON, to keep what others have added to a list.
enum JSONValue: Hashable, Codable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self =
            if value.decodeNil() { .null } else if let bool = try? value.decode(Bool.self) {
                .bool(bool)
            } else if let integer = try? value.decode(Int64.self) {
                .integer(integer)
            } else if let number = try? value.decode(Double.self) {
                .number(number)
            } else if let text = try? value.decode(String.self) {
                .text(text)
            } else if let array = try? value.decode([JSONValue].self) { .array(array) } else {
                .object(try value.decode([String: JSONValue].self))
            }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .array(let array): try value.encode(array)
        case .object(let object): try value.encode(object)
        }
    }
}
