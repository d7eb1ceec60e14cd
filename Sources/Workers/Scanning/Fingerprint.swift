import Jobs
import Recordings

/// A number made of many facts: the same facts in the same order give the same number, in every run
/// and on every machine, and others another one but for a coincidence.
///
/// FNV-1a (Fowler, Noll and Vo) with 64 bits. It need not withstand anybody who wants two folders
/// to look alike.
struct Fingerprint {
    private static let prime: UInt64 = 0x0000_0100_0000_01B3

    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Takes in a name, or some other text that holds no zero.
    mutating func mix(_ text: [UInt8]) {
        var value = value
        for byte in text { value = (value ^ UInt64(byte)) &* Fingerprint.prime }
        // So that two names are not one longer one.
        self.value = value &* Fingerprint.prime
    }

    /// Takes in a number at once.
    mutating func mix(_ number: UInt64) {
        value = (value ^ number) &* Fingerprint.prime
        // What the upper bits say would reach no others by itself.
        value ^= value >> 32
    }
}

extension Fingerprint {
    mutating func mix(_ name: Pathname) { mix(name.bytes) }

    mutating func mix(_ number: Int64) { mix(UInt64(bitPattern: number)) }

    mutating func mix(_ number: Int) { mix(UInt64(bitPattern: Int64(number))) }

    /// Takes in what was seen of a recording; earlier work is none of it.
    mutating func mix(_ sighting: ScannedFile) {
        mix(sighting.name)
        switch sighting.finding {
        case .file(let stamp):
            mix(UInt64(bitPattern: stamp.bytes))
            mix(UInt64(bitPattern: stamp.modifiedNanoseconds))
        case .failure(let failure):
            mix(Array(failure.reason.rawValue.utf8))
            mix(failure.code ?? 0)
        }
        mix(sighting.identity ?? 0)
    }
}
