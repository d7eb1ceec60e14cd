import CNettle
import Recordings

/// An incremental SHA-256 (FIPS 180-4).
///
/// A value type: a copy continues independently. Hashes about 1.4 GB a second if the processor has
/// SHA instructions.
struct SHA256 {
    /// The size of a digest in bytes.
    private static let digestBytes = 32

    private var context = sha256_ctx()
    /// The number of bytes hashed so far.
    private(set) var bytes: Int64 = 0

    init() { nettle_sha256_init(&context) }

    /// Hashes the next bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.baseAddress else { return }
        self.bytes += Int64(bytes.count)
        nettle_sha256_update(
            &context, bytes.count, first.assumingMemoryBound(to: UInt8.self))
    }

    /// Hashes the next bytes.
    mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The digest of the bytes so far; more may follow.
    var digest: [UInt8] {
        // Nettle resets the context when it returns a digest, so a copy is finished.
        var finished = context
        return [UInt8](unsafeUninitializedCapacity: SHA256.digestBytes) { digest, count in
            finish_sha256(&finished, digest.baseAddress)
            count = SHA256.digestBytes
        }
    }

    /// The digest of a whole array, in hexadecimal.
    static func hexadecimal(of bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.hexadecimal
    }

    /// The digest in lower-case hexadecimal.
    var hexadecimal: String { Pathname(bytes: digest).hexadecimal }
}
