import ArgumentParser
import Glibc
import Recordings

/// Command-line arguments as text, without losing a byte.
///
/// The argument parser needs text, but a path may be any bytes. If an argument is not UTF-8, or has
/// characters from U+10FF80 on, its bytes from 0x80 on are mapped to characters from U+10FF80 on.
enum ArgumentText {
    private static let firstStandIn: UInt32 = 0x10FF80
    private static let firstByte: UInt32 = 0x80

    /// The arguments after the program's name, for the parser.
    static var ofThisProcess: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            // Proof: the system's argument list, zero-terminated, unchanged for the process's life.
            CommandLine.unsafeArgv[index].map { word in
                text(of: Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
            }
        }
    }

    static func text(of bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self),
            text.unicodeScalars.allSatisfy({ $0.value < firstStandIn })
        {
            return text
        }
        let scalars = bytes.compactMap { byte in
            Unicode.Scalar(
                byte < firstByte ? UInt32(byte) : firstStandIn - firstByte + UInt32(byte))
        }
        return String(String.UnicodeScalarView(scalars))
    }

    static func bytes(of text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar in
            scalar.value < firstStandIn
                ? Array(String(scalar).utf8)
                : [UInt8(truncatingIfNeeded: scalar.value - firstStandIn + firstByte)]
        }
    }
}

extension Pathname: ExpressibleByArgument {
    /// Decodes a path that `ArgumentText` encoded.
    package init(argument: String) {
        self.init(bytes: ArgumentText.bytes(of: argument))
    }

    package static var defaultCompletionKind: CompletionKind { .file() }
}
