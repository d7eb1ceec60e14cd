import NIOHTTP1

/// The part of a body that a request asks for (RFC 9110, 14).
enum ByteRange: Equatable {
    case whole
    case part(Range<Int64>)
    /// The range begins after the end.
    case unsatisfiable

    /// - Parameters:
    ///   - tag: of the present body; a range of another is not wanted.
    ///   - length: of the body.
    init(_ headers: HTTPHeaders, tag: String, length: Int64) {
        let wanted = headers.first(name: "range") ?? ""
        // Several ranges may be answered with the whole.
        guard wanted.hasPrefix("bytes="), !wanted.contains(","),
            headers.first(name: "if-range").map({ $0 == tag }) ?? true
        else {
            self = .whole
            return
        }
        let sides = wanted.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        let numbers = sides.map { side -> Int64? in
            side.allSatisfy { ("0"..."9").contains($0) } ? Int64(side) : nil
        }
        guard sides.count == 2 else {
            self = .whole
            return
        }
        switch (numbers[0], numbers[1]) {
        case (nil, let last?) where sides[0].isEmpty:
            self = last > 0 && length > 0 ? .part(max(0, length - last)..<length) : .unsatisfiable
        case (let first?, nil) where sides[1].isEmpty:
            self = first < length ? .part(first..<length) : .unsatisfiable
        case (let first?, let last?) where first <= last:
            self =
                first < length ? .part(first..<min(length - 1, last) + 1) : .unsatisfiable
        default: self = .whole
        }
    }
}
