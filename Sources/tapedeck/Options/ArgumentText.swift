import ArgumentParser
import Recordings

/// Words of the command line as text that has lost nothing.
///
/// A path may be any bytes, and the parser of arguments takes text. So a byte that is no part of
/// UTF-8 goes through it as a character that nobody types: those from U+10FF80 on stand for the
/// bytes from 0x80 on. Where such a character was typed all the same, its bytes go that way too, so
/// that every word comes back as it was.
enum ArgumentText {
    private static let firstStandIn: UInt32 = 0x10FF80
    private static let firstByte: UInt32 = 0x80

    /// The words behind the program's name, for the parser.
    static var ofThisProcess: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            guard let argument = CommandLine.unsafeArgv[index] else { return nil }
            // Proof: the system's argument list, zero-terminated, unchanged for the process's life.
            var bytes: [UInt8] = []
            var place = argument
            while place.pointee != 0 {
                bytes.append(UInt8(bitPattern: place.pointee))
                place += 1
            }
            return text(of: bytes)
        }
    }

    static func text(of bytes: [UInt8]) -> String {
        var scalars = String.UnicodeScalarView()
        var iterator = bytes.makeIterator()
        var parser = UTF8.ForwardParser()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                let scalar = UTF8.decode(encoded)
                if scalar.value < firstStandIn {
                    scalars.append(scalar)
                } else {
                    scalars += bytes[offset..<offset + encoded.count].compactMap(standIn)
                }
                offset += encoded.count
            case .error(let length):
                scalars += bytes[offset..<offset + length].compactMap(standIn)
                offset += length
            case .emptyInput:
                return String(scalars)
            }
        }
    }

    static func bytes(of text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar in
            scalar.value < firstStandIn
                ? Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                : [UInt8(truncatingIfNeeded: scalar.value - firstStandIn + firstByte)]
        }
    }

    /// What stands for a byte, none of which is below 0x80.
    private static func standIn(for byte: UInt8) -> Unicode.Scalar? {
        Unicode.Scalar(firstStandIn - firstByte + UInt32(byte))
    }
}

extension Pathname: ExpressibleByArgument {
    /// A path as `ArgumentText` has it.
    package init(argument: String) {
        self.init(bytes: ArgumentText.bytes(of: argument))
    }

    package static var defaultCompletionKind: CompletionKind { .file() }
}
