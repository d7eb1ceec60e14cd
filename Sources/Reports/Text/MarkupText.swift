/// Text in HTML and XML.
enum MarkupText {
    /// The text of an element, or of an attribute in double quotes (XML 1.0, 2.4).
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}
