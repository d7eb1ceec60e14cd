extension JSONCursor {
    /// Passes over a value of any kind, which must be valid, without making anything of it.
    mutating func skip() throws(Malformed) {
        // Whether each container around the place is an object, the innermost in the lowest bit.
        var objects: UInt64 = 0
        var level = 0
        repeat {
            let mark = peek()
            let isObject = mark == UInt8(ascii: "{")
            if isObject || mark == UInt8(ascii: "[") {
                place += 1
                level += 1
                guard depth + level <= JSONCursor.deepest else { throw malformed }
                objects = objects << 1 | (isObject ? 1 : 0)
                if peek() != JSONCursor.end(ofObject: isObject) {
                    if isObject { _ = try key() }
                    continue
                }
            } else {
                try skipScalar(mark)
            }
            try skipEnds(&objects, &level)
        } while level > 0
    }

    /// Passes over what stands behind a value, up to the next one or the end of the outermost.
    @inline(__always)
    private mutating func skipEnds(_ objects: inout UInt64, _ level: inout Int) throws(Malformed) {
        while level > 0 {
            let isObject = objects & 1 == 1
            let mark = peek()
            if mark == UInt8(ascii: ",") {
                place += 1
                if isObject { _ = try key() }
                return
            }
            guard mark == JSONCursor.end(ofObject: isObject) else { throw malformed }
            place += 1
            level -= 1
            objects >>= 1
        }
    }

    @inline(__always)
    private static func end(ofObject isObject: Bool) -> UInt8 {
        isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    }

    @inline(__always)
    private mutating func skipScalar(_ mark: UInt8?) throws(Malformed) {
        switch mark {
        case UInt8(ascii: "\""): _ = try rawString()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
        case UInt8(ascii: "n"): try word("null")
        default: _ = try spelledNumber()
        }
    }
}
