/// What is said of a server of pages.
package enum ServerText {
    package static func line(_ url: String) -> String { "look and listen: \(url)" }

    package static func notBound(_ address: String, detail: String) -> String {
        "cannot listen on \(address): \(detail); give another address, such as 127.0.0.1:8018"
    }
}
