import Recordings
import ReducerKit

package enum EarlierResults {
    /// Outputs of an entry that are not as they were written.
    ///
    /// Outputs bear their source's time, so that this shows without reading them.
    /// - Parameter stamp: of the file of a name in the folder; `nil` where there is none.
    package static func damage(
        to entry: SettledEntry, stamp: (Pathname) -> FileStamp?
    ) -> [OutputDamage] {
        guard let source = entry.source else { return [] }
        func damage(_ file: SettledEntry.Output, _ stage: Stages) -> OutputDamage? {
            let written = source.ofOutput(bytes: file.bytes)
            let found = stamp(file.path)
            guard let found else {
                return OutputDamage(name: file.path, kind: .missing, stage: stage)
            }
            if found.matches(written) { return nil }
            let isRetimed = found.bytes == written.bytes
            return OutputDamage(
                name: file.path, kind: isRetimed ? .retimed : .altered, stage: stage)
        }
        let copy = entry.copy.map { [$0] } ?? []
        return entry.waveforms.compactMap { damage($0, .waveform) }
            + (copy + entry.copyWaveforms).compactMap { damage($0, .trim) }
    }
}

extension ManifestEntry {
    /// Whether all its outputs are its own, in its folder.
    ///
    /// Otherwise it is not to be believed: they will be removed when they are obsolete.
    package var ownsItsOutputs: Bool {
        (outputs + (earlier ?? []).flatMap(\.names)).allSatisfy { $0.mayBeOutput(of: name) }
    }
}

extension Pathname {
    /// Whether this is a name in the folder of an output that was made of a recording.
    func mayBeOutput(of recording: Pathname) -> Bool {
        recording.isSingleName && isSingleName && begins(with: recording)
    }
}
