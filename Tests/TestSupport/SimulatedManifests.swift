import Jobs
import Recordings

// Manifests on the simulated disk, as `ManifestQueue` has them.

extension SimulatedWorld {
    mutating func writeManifests(
        _ orders: [JobStore.Command]
    ) throws(SimulatedCrash) -> [JobStore.Action] {
        if goesWrong() {
            happened(.recordFailed)
            return orders.compactMap { command in
                guard case .writeManifest(let id, _) = command else { return nil }
                return .manifestFailed(id, manifestFailure())
            }
        }
        try disk.step()
        record.update(orders.compactMap(\.manifestOrder))
        var isNew: [Bool] = []
        var isLost: [Bool] = []
        var mustSync = false
        for case .writeManifest(_, let order) in orders {
            let manifest = record.folders[order.folder]?.manifest(order)
            isNew.append(disk.manifest(in: order.folder) != manifest)
            isLost.append(goesWrong())
            guard isLost.last == false else { continue }
            if isNew.last == true, let manifest {
                let file = SimulatedDisk.File(
                    content: .manifest(manifest),
                    stamp: FileStamp(bytes: 1, modifiedNanoseconds: 0))
                try disk.write(file, as: SimulatedWorld.temporary("manifest"), in: order.folder)
            }
            mustSync = mustSync || isNew.last == true
        }
        let isSyncLost = mustSync && goesWrong()
        if mustSync, !isSyncLost { try disk.sync() }
        var answers: [JobStore.Action] = []
        for (index, command) in orders.enumerated() {
            guard case .writeManifest(let id, let order) = command else { continue }
            let isWritten = try put(
                order, isNew: isNew[index], isLost: isLost[index] || isSyncLost)
            if !isWritten { happened(.manifestFailed) }
            answers.append(
                isWritten ? .manifestWritten(id) : .manifestFailed(id, manifestFailure()))
        }
        return answers
    }

    /// - Returns: whether all are gone.
    private mutating func remove(
        _ names: [Pathname], in folder: Pathname
    ) throws(SimulatedCrash) -> Bool {
        for name in names {
            if goesWrong() { return false }
            try disk.remove(name, in: folder)
        }
        return true
    }

    private mutating func manifestFailure() -> RecordingFailure {
        let reasons: [RecordingFailure.Reason] = [.noSpace, .readOnly, .inputOutput, .other]
        return Example.failure(random.pick(reasons), in: .manifest)
    }

    /// - Returns: whether all went well.
    private mutating func put(
        _ order: ManifestOrder, isNew: Bool, isLost: Bool
    ) throws(SimulatedCrash) -> Bool {
        let temporary = SimulatedWorld.temporary("manifest")
        if isLost || goesWrong() {
            try disk.remove(temporary, in: order.folder)
            return false
        }
        if isNew {
            try disk.rename(temporary, to: OutputNames.manifest, in: order.folder)
        }
        let obsolete = record.folders[order.folder]?.obsoleteFiles.map(\.name) ?? []
        chronicle.beginRemoval(of: obsolete, in: order.folder)
        if try !remove(obsolete, in: order.folder) {
            chronicle.crash()
            return false
        }
        if order.isLast { try disk.remove(OutputNames.manifest, in: order.folder) }
        if order.isLast || !obsolete.isEmpty { try disk.sync() }
        try disk.step()
        record.didPrint(order.folder, disk.manifest(in: order.folder), removed: obsolete)
        return true
    }
}

extension JobStore.Command {
    fileprivate var manifestOrder: ManifestOrder? {
        if case .writeManifest(_, let order) = self { order } else { nil }
    }
}
