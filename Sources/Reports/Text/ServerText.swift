import Recordings

/// What is said of a server of pages.
package enum ServerText {
    /// - Parameter tokenFile: the file with the token that is asked for.
    package static func line(_ url: String, tokenFile: Pathname? = nil) -> String {
        "look and listen: \(url)"
            + (tokenFile.map { "?token=, and the token in \($0.displayText)" } ?? "")
    }

    package static func notBound(_ address: String, detail: String) -> String {
        "cannot listen on \(address): \(detail); give another address, such as 127.0.0.1:8018"
    }
}
