import CLibraryOutput

/// The text that the decoders' libraries print.
///
/// libsndfile and libmpg123 print some errors to standard output and standard error, where they
/// would break the lines that other programs read.
package enum LibraryOutput {
    /// Longer text is truncated to this many Unicode scalars.
    package static let mostCharacters = 500

    /// Runs `body`, and captures what libraries print on this thread meanwhile; `nil` if they print
    /// nothing.
    ///
    /// Other threads are not captured, not even if `body` starts them.
    package static func capture<Result>(
        _ body: () -> Result
    ) -> (result: Result, printed: String?) {
        let start = library_output_begin()
        let result = body()
        var count = 0
        let text = library_output_end(start, &count)
        // The bytes are valid until this thread prints again; the string below copies them.
        let bytes = UnsafeRawBufferPointer(start: text, count: count)
        return (result, count > 0 ? message(of: String(decoding: bytes, as: UTF8.self)) : nil)
    }

    /// Joins the lines of `text` and removes control characters; `nil` if nothing is left.
    static func message(of text: String) -> String? {
        let lines = text.unicodeScalars.split { $0.properties.generalCategory == .control }
            .map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
        let joined = lines.map { String(String.UnicodeScalarView($0)) }.joined(separator: "; ")
        let kept = joined.unicodeScalars.prefix(mostCharacters)
        return kept.isEmpty ? nil : String(String.UnicodeScalarView(kept))
    }
}
