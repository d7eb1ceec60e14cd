import Recordings
import TestSupport
import Testing

@testable import Workers

/// Facts that journals are tested with.
enum JournalExample {
    /// Names that a line, a string or a checksum might stumble over.
    static let awkwardNames: [Pathname] = [
        "b.wav", "a \"quoted\\\" name\n.wav", "é.wav", "e\u{301}.wav", "🎙️.wav",
        "\u{1}\r\u{2028}.wav",
        Pathname(bytes: [0x63, 0xE9, 0x2E, 0x77]), "\\",
    ]

    static func fact(_ name: Pathname, in folder: Pathname = "A") -> JournalFact {
        var entry = Example.doneEntry(name)
        entry.recipe = Recipe()
        return JournalFact(
            folder: folder, entry: entry,
            staged: [StagedFile(temporary: ".tapedeck.1.partial", name: name)],
            obsolete: [name.adding(suffix: ".json")])
    }

    /// The lines of a journal's bytes, each with its end.
    static func lines(of bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        for byte in bytes {
            lines[lines.count - 1].append(byte)
            if byte == JournalLine.newline { lines.append([]) }
        }
        return lines.filter { !$0.isEmpty }
    }
}

extension RecoveredJournal {
    /// That of a run that came to its end: there is none.
    static var none: RecoveredJournal { of([]) }

    /// A journal that holds these facts.
    static func of(_ facts: [JournalFact]) -> RecoveredJournal {
        let lines = [JournalLine.header] + facts.map { JournalLine.spelling(of: $0) }
        do throws(FileSystemError) {
            return try of(text: Array(lines.joined()))
        } catch {
            preconditionFailure("a journal of this version was refused: \(error)")
        }
    }

    /// A journal that holds this text, whose file is gone by now and can be read all the same.
    static func of(text: [UInt8]) throws(FileSystemError) -> RecoveredJournal {
        let folder = TestFolder()
        folder.write(text, to: JournalFile.name)
        return try .read(in: folder.path)
    }

    /// As `earlierFacts`, as they were written.
    func facts(in folder: Pathname) throws(FileSystemError) -> [JournalFact] {
        var facts: [JournalFact] = []
        try forEachFact(in: folder) { facts.append($0) }
        return facts
    }

    /// What tests compare: all facts, folder by folder.
    var allFacts: [JournalFact] {
        get throws { try folders.flatMap { try facts(in: $0) } }
    }
}
