import NIOHTTP1
import Testing

@testable import PageServer

/// Which part of a body of ten bytes a request gets (RFC 9110, 14).
@Suite struct ByteRangeTests {
    private func range(_ value: String?, length: Int64 = 10, of tag: String? = nil) -> ByteRange {
        var headers = HTTPHeaders()
        if let value { headers.add(name: "Range", value: value) }
        if let tag { headers.add(name: "If-Range", value: tag) }
        return ByteRange(headers, tag: "\"1\"", length: length)
    }

    @Test(arguments: [
        (nil, ByteRange.whole), ("bytes=0-", .part(0..<10)), ("bytes=3-5", .part(3..<6)),
        ("bytes=3-99", .part(3..<10)), ("bytes=9-9", .part(9..<10)), ("bytes=-4", .part(6..<10)),
        ("bytes=-99", .part(0..<10)), ("bytes=10-", .unsatisfiable),
        ("bytes=10-12", .unsatisfiable),
        ("bytes=-0", .unsatisfiable), ("bytes=2-9223372036854775807", .part(2..<10)),
        ("bytes=9223372036854775807-9223372036854775807", .unsatisfiable),
        ("bytes=-9223372036854775807", .part(0..<10)),
        // What is no single range is as if it was not there.
        ("bytes=5-3", .whole), ("bytes=0-1,4-5", .whole), ("bytes=", .whole), ("bytes=-", .whole),
        ("bytes=a-b", .whole), ("bytes=+1-2", .whole), ("bytes= 1-2", .whole), ("rows=1-2", .whole),
        ("bytes=1-2-3", .whole), ("bytes=99999999999999999999-", .whole),
    ])
    func rangeOfTenBytes(value: String?, expected: ByteRange) {
        #expect(range(value) == expected)
    }

    @Test func emptyBodyHasNoRange() {
        #expect(range("bytes=0-", length: 0) == .unsatisfiable)
        #expect(range("bytes=-1", length: 0) == .unsatisfiable)
        #expect(range(nil, length: 0) == .whole)
    }

    @Test func rangeOfAnotherContentIsNotWanted() {
        #expect(range("bytes=1-2", of: "\"1\"") == .part(1..<3))
        #expect(range("bytes=1-2", of: "\"2\"") == .whole)
        #expect(range("bytes=1-2", of: "Sat, 29 Oct 1994 19:43:31 GMT") == .whole)
    }
}
