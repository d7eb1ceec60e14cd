import Recordings

/// The command line as the bytes the system gave.
///
/// Arguments as strings have lost what is not UTF-8, and with it the only way to open such a file.
enum RawArguments {
    /// The path that the user typed, given the text that was parsed from it.
    static func path(for text: String) -> Pathname {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            // Proof: the system's argument list, zero-terminated, unchanged for the process's life.
            var bytes: [UInt8] = []
            var place = argument
            while place.pointee != 0 {
                bytes.append(UInt8(bitPattern: place.pointee))
                place += 1
            }
            let path = Pathname(bytes: bytes)
            if !path.isUTF8, path.text == text { return path }
        }
        return Pathname(text)
    }
}
