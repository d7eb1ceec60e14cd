/// An output file in the record, whether it is at its name yet or not.
package struct RecordedFile: Hashable, Sendable {
    package enum State: String, Sendable {
        /// What its recording's entry names.
        case current
        /// Retained from before its recording failed; a later success makes it obsolete.
        case kept
        /// To be deleted, or replaced by another of its name.
        case obsolete
    }

    package var name: Pathname
    /// The recording that it was made of.
    package var recording: Pathname
    package var state: State
    /// `nil` if unknown.
    package var kind: OutputFile.Kind?
    /// The complete file's length, and the time of its source; `nil` if unknown.
    package var stamp: FileStamp?
    /// In hexadecimal; `nil` if unknown.
    package var sha256: String?
    /// Its temporary name, until it is at its own for certain.
    package var temporary: Pathname?

    package init(
        name: Pathname, recording: Pathname, state: State, kind: OutputFile.Kind? = nil,
        stamp: FileStamp? = nil, sha256: String? = nil, temporary: Pathname? = nil
    ) {
        self.kind = kind
        self.name = name
        self.recording = recording
        self.state = state
        self.stamp = stamp
        self.sha256 = sha256
        self.temporary = temporary
    }

    /// A file as it was made of a source.
    package init(
        _ file: OutputFile, of recording: Pathname, _ source: FileStamp?, state: State,
        temporary: Pathname? = nil
    ) {
        self.init(
            name: file.path, recording: recording, state: state, kind: file.kind,
            stamp: source?.ofOutput(bytes: file.bytes), sha256: file.sha256, temporary: temporary)
    }
}

extension [RecordedFile] {
    /// The files of a recording after its entry has become `entry`; these are those before.
    ///
    /// Nothing is forgotten: what the entry does not name any more is obsolete.
    /// - Parameters:
    ///   - staged: the entry's files that are complete under temporary names.
    ///   - abandoned: files that could not be renamed, and are deleted instead.
    package func updated(
        for entry: ManifestEntry, staged: [StagedFile] = [], abandoned: [StagedFile] = []
    ) -> [RecordedFile] {
        let left = Set(entry.leftBehind ?? [])
        var retained: Set<Pathname> = []
        var files = self
        // What is obsolete stays so: it may never have come to its name.
        for index in files.indices where files[index].state != .obsolete {
            let name = files[index].name
            let named = entry.file(name)
            let temporary = files[index].temporary
            let isLost = temporary != nil && abandoned.contains { $0.temporary == temporary }
            if isLost || staged.contains(where: { $0.name == name }) {
                files[index].state = .obsolete
            } else if let named, files[index].sha256 == named.sha256 {
                files[index].state = .current
                files[index].kind = named.kind
                retained.insert(name)
            } else if left.contains(name) {
                files[index].state = .kept
                retained.insert(name)
            } else {
                files[index].state = .obsolete
            }
        }
        for file in entry.files where !retained.contains(file.path) {
            let temporary = staged.first { $0.name == file.path }?.temporary
            files.append(
                RecordedFile(
                    file, of: entry.name, entry.source, state: .current, temporary: temporary))
        }
        for name in left.subtracting(retained).sorted() {
            let told = entry.earlier?.first { $0.names.contains(name) }
            if let told, let file = told.files.first(where: { $0.path == name }) {
                files.append(RecordedFile(file, of: entry.name, told.source, state: .kept))
            } else {
                files.append(RecordedFile(name: name, recording: entry.name, state: .kept))
            }
        }
        return files
    }
}
