import Jobs
import Reports
import Workers

/// The command-line words of a key and its value.
enum SettingsWords {
    /// Options that may be repeated; others take a list in one word.
    private static let repeated: Set = ["--raw", "--include", "--exclude"]

    /// The option names whose values are true or false.
    private static let flags = Set(
        SettingsText.options(Settings()).filter(\.isFlag).map(\.name))

    /// - Parameter members: the options that this table may have.
    static func words(
        for entry: SettingsDocument.Entry, _ members: [Settings.Member]
    ) throws(SettingsDocument.Fault) -> [String] {
        let option = "--" + entry.key
        guard members.contains(where: { $0.option == option }) else {
            throw SettingsDocument.Fault(line: entry.line, unknown(entry.key, members))
        }
        if flags.contains(option) {
            guard case .boolean(let isOn) = entry.value else {
                throw SettingsDocument.Fault(
                    line: entry.line, "\(entry.key) is true or false, without quotes")
            }
            return [isOn ? option : "--no-\(entry.key)"]
        }
        var texts: [String] = []
        for value in values(of: entry) {
            switch value {
            case .text(let text), .number(let text): texts.append(text)
            case .boolean, .list, .other:
                throw SettingsDocument.Fault(
                    line: entry.line,
                    "\(entry.key) takes a text in quotes or a number, as after \(option)")
            }
        }
        guard !texts.contains(where: \.isEmpty) else {
            throw SettingsDocument.Fault(line: entry.line, "\(entry.key) has no value")
        }
        guard repeated.contains(option) else {
            return ["\(option)=\(texts.isEmpty ? "none" : texts.joined(separator: ","))"]
        }
        // An empty list stands for none, as an empty pattern does.
        return texts.isEmpty ? [option, ""] : texts.map { "\(option)=\($0)" }
    }

    private static func values(of entry: SettingsDocument.Entry) -> [SettingsDocument.Value] {
        if case .list(let values) = entry.value { return values }
        return [entry.value]
    }

    private static func unknown(_ key: String, _ members: [Settings.Member]) -> String {
        let option = "--" + key
        if Settings.members.contains(where: { $0.option == option }) {
            return "'\(key)' is for all folders; put it before the first table"
        }
        let names = members.map { String($0.option.dropFirst(2)) } + ["preset"]
        let suggestion = Suggestion.nearest(to: key, among: names)
        return "there is no setting '\(key)'"
            + (suggestion.map { "; did you mean '\($0)'?" }
                ?? "; tapedeck config --init writes a file that lists all")
    }
}

/// What somebody may have meant who misspelt a name.
enum Suggestion {
    /// The nearest name, if it is near enough: no more than a third of its letters differ.
    static func nearest(to word: String, among names: [String]) -> String? {
        let ranked = names.map { (name: $0, distance: distance(word, $0)) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        guard let ranked, ranked.distance * 3 <= max(3, ranked.name.count) else { return nil }
        return ranked.name
    }

    /// The letters to insert, delete or replace (Levenshtein).
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var corner = row[0]
            row[0] = index + 1
            for place in right.indices {
                let replaced = corner + (letter == right[place] ? 0 : 1)
                corner = row[place + 1]
                row[place + 1] = min(replaced, corner + 1, row[place] + 1)
            }
        }
        return row[right.count]
    }
}
