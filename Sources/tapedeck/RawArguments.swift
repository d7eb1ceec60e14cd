import Recordings

/// The command line as the bytes the system gave.
///
/// Arguments as strings have lost what is not UTF-8, and with it the only way to open such a file.
struct RawArguments {
    /// The arguments that text cannot hold, in order.
    private let awkward: [Pathname]

    /// - Parameter arguments: all of them, without the program's name.
    init(_ arguments: [Pathname] = RawArguments.ofThisProcess) {
        awkward = arguments.filter { !$0.isUTF8 }
    }

    /// The paths that the user typed, given the texts that were parsed from them, in order.
    func paths(for texts: [String]) -> [Pathname] {
        // Two names may look alike as text, so each is given out once.
        var rest = awkward
        return texts.map { text in
            guard let index = rest.firstIndex(where: { $0.isSpelled(text) }) else {
                return Pathname(text)
            }
            return rest.remove(at: index)
        }
    }

    /// The path that the user typed behind an option or, as in `--output=path`, in one word with
    /// it.
    func path(for text: String) -> Pathname {
        for argument in awkward {
            if argument.isSpelled(text) { return argument }
            let parts = argument.bytes.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, argument.bytes.starts(with: "--".utf8) {
                let value = Pathname(bytes: Array(parts[1]))
                if value.isSpelled(text) { return value }
            }
        }
        return Pathname(text)
    }

    private static var ofThisProcess: [Pathname] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            guard let argument = CommandLine.unsafeArgv[index] else { return nil }
            // Proof: the system's argument list, zero-terminated, unchanged for the process's life.
            var bytes: [UInt8] = []
            var place = argument
            while place.pointee != 0 {
                bytes.append(UInt8(bitPattern: place.pointee))
                place += 1
            }
            return Pathname(bytes: bytes)
        }
    }
}

extension Pathname {
    /// Whether this is how the name looks as text, to the byte: strings compare more leniently.
    fileprivate func isSpelled(_ shown: String) -> Bool {
        text.utf8.elementsEqual(shown.utf8)
    }
}
