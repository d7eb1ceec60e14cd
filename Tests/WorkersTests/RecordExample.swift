import Recordings
import TestSupport

@testable import Workers

/// Outcomes that records and journals are tested with.
enum RecordExample {
    /// Names that a line, a string or a checksum might stumble over.
    static let awkwardNames: [Pathname] = [
        "b.wav", "a \"quoted\\\" name\n.wav", "é.wav", "e\u{301}.wav", "🎙️.wav",
        "\u{1}\r\u{2028}.wav",
        Pathname(bytes: [0x63, 0xE9, 0x2E, 0x77]), "\\",
    ]

    /// A recording that is done, with a waveform under a temporary name, and a file to be deleted.
    static func fact(_ name: Pathname, in folder: Pathname = "A") -> JournalFact {
        var entry = Example.doneEntry(name)
        entry.recipe = Recipe()
        return JournalFact(
            folder: folder, entry: entry,
            staged: [
                StagedFile(temporary: ".tapedeck.1.partial", name: name.adding(suffix: ".dat"))
            ],
            obsolete: [name.adding(suffix: ".json")])
    }
}

extension RecoveredJournal {
    /// The facts of a journal with this text, in order of writing.
    static func facts(of text: [UInt8]) throws(FileSystemError) -> [JournalFact] {
        let folder = TestFolder()
        folder.write(text, to: RecoveredJournal.name)
        return try facts(in: folder.path)
    }

    static func facts(in output: Pathname) throws(FileSystemError) -> [JournalFact] {
        var facts: [JournalFact] = []
        try forEachFact(in: output) { facts.append($0) }
        return facts
    }
}
