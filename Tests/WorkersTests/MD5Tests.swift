import Testing

@testable import Workers

@Suite struct MD5Tests {
    private func hexadecimal(_ digest: [UInt8]) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The examples of RFC 1321.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
    ])
    func isTheStandardsOwn(text: String, digest: String) {
        var (whole, pieces) = (MD5(), MD5())
        Array(text.utf8).withUnsafeBytes { whole.update($0) }
        for byte in text.utf8 { [byte].withUnsafeBytes { pieces.update($0) } }
        #expect(hexadecimal(whole.digest) == digest)
        // It goes on after it was asked.
        #expect(hexadecimal(pieces.digest) == digest && pieces.digest == whole.digest)
    }
}
