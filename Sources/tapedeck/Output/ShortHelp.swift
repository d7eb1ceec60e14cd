import ArgumentParser

/// The help for `-h`: what most people need of a command with many options.
enum ShortHelp {
    /// The options that are shown.
    private static let usual: Set = [
        "--output", "--jobs", "--quiet", "--verbose", "--json", "--dry-run", "--preset", "--trim",
        "--longest-gap", "--activity", "--export", "--split", "--report", "--exclude", "--serve",
        "--on-failure", "--help",
    ]

    /// - Returns: `nil` if the words do not ask for it, or the command has few options.
    static func text(for words: [String]) -> String? {
        guard let word = words.first, words.prefix(while: { $0 != "--" }).contains("-h") else {
            return nil
        }
        switch word {
        case "run": return text(of: RunCommand.self)
        case "watch": return text(of: WatchCommand.self)
        default: return nil
        }
    }

    static func text(of command: any ParsableCommand.Type, columns: Int? = nil) -> String {
        var lines: [Substring] = []
        var isShown = true
        for line in Tapedeck.helpMessage(for: command, columns: columns)
            .split(separator: "\n", omittingEmptySubsequences: false)
        {
            if line.hasPrefix("  ") {
                // An entry begins; its further lines are indented deeper.
                if !line.hasPrefix("   ") { isShown = shows(line) }
                if isShown { lines.append(line) }
            } else if !line.isEmpty {
                isShown = true
                lines.append(line)
            }
        }
        return text(of: lines, of: command)
    }

    /// The first sentence, the usage, the example, and the sections that are not empty.
    private static func text(
        of lines: [Substring], of command: any ParsableCommand.Type
    ) -> String {
        let name = command.configuration.commandName ?? ""
        var text = command.configuration.abstract + "\n"
        for (line, next) in zip(lines, lines.dropFirst() + [""]) {
            if line.hasPrefix("Example:") {
                text += line + "\n"
            } else if line.hasPrefix("USAGE:") {
                text += "\n" + line + "\n"
            } else if line.hasSuffix(":"), line.uppercased() == line {
                if next.hasPrefix("  ") { text += "\n" + line + "\n" }
            } else if line.hasPrefix("  ") {
                text += line + "\n"
            }
        }
        return text + "\ntapedeck \(name) --help tells of all options.\n"
    }

    private static func shows(_ entry: Substring) -> Bool {
        let names = entry.split { " /,".contains($0) }
        guard let first = names.first, first.hasPrefix("-") else { return true }
        return names.contains { usual.contains(String($0)) }
    }
}
