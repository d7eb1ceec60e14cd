import Jobs
import Recordings

/// The journal in which a version without a record noted what its run had done.
///
/// It is there if that run was interrupted. Each line stands alone: damage costs its own fact, and
/// that recording is done again.
enum RecoveredJournal {
    static let name: Pathname = ".tapedeck.journal"

    /// Lends each fact of the journal at the top of an output, in order of writing.
    ///
    /// None if there is no journal. Throws if a later version wrote it.
    static func forEachFact(
        in output: Pathname, _ body: (JournalFact) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        let opened = try ifThere { () throws(FileSystemError) in
            try DirectoryHandle(output).openRegular(name)
        }
        guard let opened else { return }
        let file = ReadableFile(opened, output.appending(name))
        let lines = LineReader(file)
        // A crash leaves the last line unfinished.
        while let line = try lines.next(), line.isTerminated {
            guard let json = JournalLine.json(in: line.bytes[...]) else { continue }
            if let version = JournalLine.version(inJSON: json) {
                guard version <= JournalLine.version else { throw .laterRecord(file.path) }
            } else if let fact = fact(json) {
                try body(fact)
            }
        }
    }

    /// `nil` if it cannot be read, or leads out of the output.
    private static func fact(_ json: [UInt8]) -> JournalFact? {
        guard let fact = JSONLine.read(JournalFact.self, from: json), fact.folder.staysBelow,
            fact.entry.isPlausible,
            (fact.staged.flatMap { [$0.name, $0.temporary] } + fact.obsolete)
                .allSatisfy(\.isSingleName)
        else { return nil }
        return fact
    }
}
