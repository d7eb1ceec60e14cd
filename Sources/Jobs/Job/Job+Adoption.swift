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
        let drawn = context.value.names.waveforms(of: name, context.value.recipe.waveform)
        guard let waveforms = entry.waveforms, waveforms.count == drawn.count,
            let former = earlier.source
        else {
            mayBeTimesOnly = false
            return start(entry.stages, previous: nil)
        }
        var files: [AdoptionOrder.Renaming] = []
        for (index, name) in drawn.enumerated() {
            let file = waveforms[index]
            files.append(AdoptionOrder.Renaming(old: file.path, new: name, sha256: file.sha256))
            entry.waveforms?[index].path = name
        }
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
}
