/// Records of a recording's outputs from an earlier run.
///
/// They identify these files if something else takes their names or they are deleted, and map
/// times of a copy that may be the last one.
package struct EarlierOutputs: Hashable, Codable, Sendable {
    package var format: AudioFormat?
    /// The recording's state then; the outputs carry its timestamp.
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
    /// The records of these files; if several list the same file, the first one wins.
    package func telling(of names: some Collection<Pathname>) -> [EarlierOutputs] {
        var wanted = Set(names)
        return compactMap { outputs in
            var told = outputs
            var drawn = (outputs.waveforms ?? []).filter { wanted.remove($0.path) != nil }
            if let trimmed = outputs.trimmed {
                let ofCopy = (trimmed.waveforms ?? []).filter { wanted.remove($0.path) != nil }
                told.trimmed?.waveforms = ofCopy.isEmpty ? nil : ofCopy
                if wanted.remove(trimmed.path) == nil {
                    // A waveform may outlive its copy.
                    told.trimmed = nil
                    drawn += ofCopy
                }
            }
            told.waveforms = drawn.isEmpty ? nil : drawn
            return told.names.isEmpty ? nil : told
        }
    }
}

extension ManifestEntry {
    /// Records of its current files, then of earlier ones.
    package var generations: [EarlierOutputs] {
        guard let source, trimmed != nil || waveforms?.isEmpty == false else {
            return earlier ?? []
        }
        let own = EarlierOutputs(
            format: format, source: source, trimmed: trimmed, waveforms: waveforms)
        return [own] + (earlier ?? [])
    }

    /// Adds files to `leftBehind`, with what `others` record of them.
    package mutating func leaveBehind(_ names: [Pathname], toldOf others: [EarlierOutputs]) {
        guard !names.isEmpty else { return }
        leftBehind = (leftBehind ?? []) + names
        let told = others.telling(of: names)
        if !told.isEmpty { earlier = (earlier ?? []) + told }
    }

    /// Limits `leftBehind`, and the records of those files, to these names.
    package mutating func leaveBehind(only names: [Pathname]) {
        leftBehind = names.isEmpty ? nil : names
        let told = (earlier ?? []).telling(of: names)
        earlier = told.isEmpty ? nil : told
    }
}
