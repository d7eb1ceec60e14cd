/// Files that were made of a recording earlier, and what was said of them then.
///
/// So they are known again when something takes their place or they are to go, and the times of a
/// copy that may be the last one can still be told.
package struct EarlierOutputs: Hashable, Codable, Sendable {
    package var format: AudioFormat?
    /// The recording's state then, whose time they bear.
    package var source: FileStamp
    package var trimmed: TrimmedFile?
    package var waveforms: [WaveformFile]?

    package init(
        format: AudioFormat?, source: FileStamp, trimmed: TrimmedFile?, waveforms: [WaveformFile]?
    ) {
        self.format = format
        self.source = source
        self.trimmed = trimmed
        self.waveforms = waveforms
    }
}

extension [EarlierOutputs] {
    /// What is said of these files, of each by the first that tells of it.
    package func telling(of names: some Collection<Pathname>) -> [EarlierOutputs] {
        var wanted = Set(names)
        return compactMap { outputs in
            var told = outputs
            told.waveforms = outputs.waveforms?.filter { wanted.remove($0.path) != nil }
            if told.waveforms?.isEmpty == true { told.waveforms = nil }
            if let trimmed = outputs.trimmed, wanted.remove(trimmed.path) == nil {
                told.trimmed = nil
            }
            return told.names.isEmpty ? nil : told
        }
    }
}

extension ManifestEntry {
    /// What it says of its own files, and then of earlier ones.
    package var generations: [EarlierOutputs] {
        guard let source, trimmed != nil || waveforms?.isEmpty == false else {
            return earlier ?? []
        }
        let own = EarlierOutputs(
            format: format, source: source, trimmed: trimmed, waveforms: waveforms)
        return [own] + (earlier ?? [])
    }

    /// Names files that others tell of as left behind, too.
    package mutating func leaveBehind(_ names: [Pathname], toldOf others: [EarlierOutputs]) {
        guard !names.isEmpty else { return }
        leftBehind = (leftBehind ?? []) + names
        let told = others.telling(of: names)
        if !told.isEmpty { earlier = (earlier ?? []) + told }
    }

    /// Names no other files as left behind than these.
    package mutating func leaveBehind(only names: [Pathname]) {
        leftBehind = names.isEmpty ? nil : names
        let told = (earlier ?? []).telling(of: names)
        earlier = told.isEmpty ? nil : told
    }
}
