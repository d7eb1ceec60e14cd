import Jobs
import Recordings

extension FailureText {
    /// A list of paths as displayed.
    static func name(ofList list: Pathname) -> String {
        list == "-" ? "the list" : list.displayText
    }

    /// Why a list of paths cannot be followed.
    /// - Parameter list: its name as displayed.
    static func sentence(for refusal: ListRefusal, of list: String) -> String {
        switch refusal {
        case .unreadable(let detail): "\(list) cannot be read: \(detail)"
        case .notAFolder(let path):
            "\(path.displayText) is not a folder; the paths in \(list) are relative to one"
        case .missing(1, let path, let folder):
            "\(path.displayText), which is in \(list), does not exist in \(folder.displayText), to"
                + " which its paths are relative"
        case .missing(let count, let path, let folder):
            "\(CountText.grouped(count)) of the paths in \(list) do not exist in"
                + " \(folder.displayText), to which they are relative, such as"
                + " \(path.displayText)"
        case .elsewhere(let path, let folder):
            "\(path.displayText), which is in \(list), is not in \(folder.displayText)"
        }
    }
}

extension FailureText {
    /// What a user may have meant by a path that does not exist.
    static func missing(_ path: Pathname) -> String {
        let name = path.displayText
        if name.contains("://") {
            return "\(name) is an address, not a file; download it first"
        }
        let last = path.lastComponent.displayText
        guard last.contains(where: { "*?[".contains($0) }) else { return "\(name) does not exist" }
        let folder = path.parent.isEmpty ? "." : path.parent.displayText
        return "\(name) does not exist; a pattern belongs after --include, as in \(folder)"
            + " --include '\(last)'"
    }
}

extension RecordingFailure {
    var isAboutTheOutput: Bool {
        [
            .noSpace, .readOnly, .tooLarge, .nameTooLong, .tooManyOpenFiles, .permissionDenied,
            .nameTaken, .leadsElsewhere, .placeTaken, .outputGone, .other,
        ]
        .contains(reason)
    }
}

extension String {
    /// The text without trailing whitespace and full stops, which libraries append.
    var trimmedText: String {
        var text = self[...]
        while let last = text.last, last.isWhitespace || last == "." { text.removeLast() }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
