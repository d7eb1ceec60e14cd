import CNettle
import Recordings

/// The SHA-256 of bytes that come piece by piece, by FIPS 180-4.
///
/// A value: a copy goes on by itself. It takes in about 1.4 GB a second where the processor has
/// instructions for it.
struct SHA256 {
    /// How many bytes a digest has.
    private static let digestBytes = 32

    private var context = sha256_ctx()
    /// How many were taken in.
    private(set) var bytes: Int64 = 0

    init() { nettle_sha256_init(&context) }

    /// Takes in the next bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.baseAddress else { return }
        self.bytes += Int64(bytes.count)
        nettle_sha256_update(
            &context, bytes.count, first.assumingMemoryBound(to: UInt8.self))
    }

    /// Takes in the next bytes.
    mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Of what was taken in so far; more may follow.
    var digest: [UInt8] {
        // Nettle begins anew once it has given a digest, so a copy gives it.
        var finished = context
        return [UInt8](unsafeUninitializedCapacity: SHA256.digestBytes) { digest, count in
            finish_sha256(&finished, digest.baseAddress)
            count = SHA256.digestBytes
        }
    }

    /// Of bytes that are there at once, in hexadecimal.
    static func hexadecimal(of bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.hexadecimal
    }

    /// The digest in lower-case hexadecimal.
    var hexadecimal: String { Pathname(bytes: digest).hexadecimal }
}
