import Recordings
import ReducerKit

extension Job.State {
    /// Takes over the entry and the outputs that it had under another name.
    package mutating func adopt(_ earlier: ManifestEntry, from folder: Pathname) -> Job.Next {
        var entry = earlier
        entry.name = name
        entry.status = .done
        entry.source = stamp
        // Outputs to be deleted are deleted from their old folder.
        entry.leaveBehind(only: [])
        var files: [AdoptionOrder.Renaming] = []
        var ofCopy = entry.trimmed?.waveforms
        guard let former = earlier.source, rename(&entry.waveforms, of: .source, &files),
            entry.trimmed == nil || rename(&ofCopy, of: .trimmed, &files)
        else {
            mayBeTimesOnly = false
            return start(earlier.stages, previous: nil)
        }
        entry.trimmed?.waveforms = ofCopy
        if let copy = entry.trimmed, let format = entry.format {
            let container = context.value.recipe.trim.container(for: format)
            let own = context.value.names.trimmed(name, as: container)
            files.append(AdoptionOrder.Renaming(old: copy.path, new: own, sha256: copy.sha256))
            entry.trimmed?.path = own
        }
        phase = .adopting(Boxed(entry))
        return .order(
            .adopt(
                AdoptionOrder(
                    source: source, folder: folder,
                    formerNanoseconds: former.modifiedNanoseconds, files: files,
                    attempt: attempts)))
    }

    /// Gives waveforms the names that they have to have; `false` if these are not the recipe's.
    private func rename(
        _ waveforms: inout [WaveformFile]?, of subject: WaveformRecipe.Subject,
        _ files: inout [AdoptionOrder.Renaming]
    ) -> Bool {
        let names = context.value.names.waveforms(
            of: name, context.value.recipe.waveform, drawing: subject)
        guard (waveforms ?? []).count == names.count else { return false }
        for (index, name) in names.enumerated() {
            guard let file = waveforms?[index] else { return false }
            files.append(AdoptionOrder.Renaming(old: file.path, new: name, sha256: file.sha256))
            waveforms?[index].path = name
        }
        return true
    }
}
