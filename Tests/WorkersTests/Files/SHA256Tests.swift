import Testing

@testable import Workers

@Suite struct SHA256Tests {
    /// The examples of FIPS 180-4, and nothing at all.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func digestsMatchFIPS180Examples(text: String, digest: String) {
        #expect(SHA256.hexadecimal(of: Array(text.utf8)) == digest)
    }

    @Test func chunkedMillionByteDigestMatchesFIPS180() {
        var hash = SHA256()
        let pieces = [1, 63, 64, 65, 807]
        for _ in 0..<1000 {
            for piece in pieces { hash.update([UInt8](repeating: UInt8(ascii: "a"), count: piece)) }
        }
        #expect(
            hash.hexadecimal
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func updateContinuesAfterDigestIsRead() {
        var hash = SHA256()
        hash.update(Array("ab".utf8))
        let copy = hash
        #expect(hash.hexadecimal == SHA256.hexadecimal(of: Array("ab".utf8)))
        hash.update(Array("c".utf8))
        #expect(hash.hexadecimal == SHA256.hexadecimal(of: Array("abc".utf8)))
        #expect(copy.hexadecimal == SHA256.hexadecimal(of: Array("ab".utf8)))
    }
}
