import ArgumentParser
import Recordings
import Workers

/// Words of the command line that the parser would take for something else than was meant, and do
/// something else with, or say nothing about.
struct MisreadArguments {
    let commands: [String]
    /// Whether there is a file or a folder at a path.
    let isThere: (Pathname) -> Bool

    /// - Throws: `ValidationError`, whose sentence says what is to be written instead.
    func check(_ arguments: [String]) throws {
        // `help` explains the whole where it does not know the part.
        let command = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
        if let command { try checkCommand(command) }
        for argument in arguments.prefix(while: { $0 != "--" }) { try checkDash(argument) }
    }

    private func checkCommand(_ word: String) throws {
        guard !word.hasPrefix("-"), word != "help", !commands.contains(word) else { return }
        let path = Pathname(argument: word)
        let name = path.displayText
        let known = commands.dropLast().joined(separator: ", ") + " and " + (commands.last ?? "")
        throw ValidationError(
            isThere(path)
                ? "'\(name)' is no command, but there is such a path: tapedeck run \(name)"
                : "'\(name)' is no command; there are \(known)")
    }

    /// The letters behind a single dash are options each, `h` among them: a name that begins so
    /// would ask for help, and be done with.
    private func checkDash(_ word: String) throws {
        guard word.hasPrefix("-"), !word.hasPrefix("--"), word.count > 2 else { return }
        let path = Pathname(argument: word)
        guard Double(word) == nil, isThere(path) else { return }
        throw ValidationError(
            "'\(path.displayText)' begins with a dash, as options do; write ./\(path.displayText)")
    }
}
