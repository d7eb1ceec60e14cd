import Recordings

/// The token that a server asks for, in a file.
package enum ServerToken {
    /// The first line of a file; `nil` if it is no token: 16 to 128 letters, digits, and `-._~`,
    /// which stand in addresses and cookies as they are.
    package static func read(_ path: Pathname) throws(FileSystemError) -> String? {
        let bytes = try FileSystem.contents(of: path, atMost: 4096) ?? []
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let isPlain = line.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "-._~".contains($0))
        }
        return isPlain && (16...128).contains(line.count) ? line : nil
    }
}
