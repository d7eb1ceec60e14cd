import ArgumentParser
import Recordings
import Workers

/// Words in a command line that asks for nothing that can be done, and which the parser would
/// answer with something else than what is wrong.
struct MisreadArguments {
    let commands: [String]
    /// Whether there is a file or a folder at a path.
    let isThere: (Pathname) -> Bool

    /// - Throws: `ValidationError`, whose sentence says what is to be written instead.
    func check(_ arguments: [String]) throws {
        // `help` explains the whole where it does not know the part.
        let command = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
        if let command { try checkCommand(command) }
        let words = arguments.prefix { $0 != "--" }
        guard !words.contains("--help"), !words.contains("-h") else { return }
        for word in words { try checkDash(word) }
    }

    private func checkCommand(_ word: String) throws {
        guard word != "", !word.hasPrefix("-"), word != "help", !commands.contains(word) else {
            return
        }
        let path = Pathname(argument: word)
        let name = path.displayText
        let known = commands.dropLast().joined(separator: ", ") + " and " + (commands.last ?? "")
        throw ValidationError(
            isThere(path)
                ? "'\(name)' is no command, but there is such a path; write run before it"
                : "'\(name)' is no command; there are \(known)")
    }

    /// The letters behind a single dash are options each, `h` among them: a name that begins so
    /// would ask for help.
    private func checkDash(_ word: String) throws {
        guard word.hasPrefix("-"), word.count > 2, word.dropFirst().first?.isLetter == true else {
            return
        }
        let name = Pathname(argument: word).displayText
        throw ValidationError("'\(name)' is no option; before a name that begins so, write ./")
    }
}
