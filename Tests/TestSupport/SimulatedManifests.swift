import Jobs
import Recordings

// Manifests on the simulated disk, as `ManifestQueue` has them.

extension SimulatedWorld {
    mutating func writeManifests(
        _ orders: [JobStore.Command]
    ) throws(SimulatedCrash) -> [JobStore.Action] {
        var isNew: [Bool] = []
        var isLost: [Bool] = []
        var mustSync = false
        for case .writeManifest(_, let order) in orders {
            let manifest = Manifest(order)
            isNew.append(disk.manifest(in: order.folder) != manifest)
            isLost.append(goesWrong())
            guard isLost.last == false else { continue }
            if isNew.last == true {
                let file = SimulatedDisk.File(
                    content: .manifest(manifest),
                    stamp: FileStamp(bytes: 1, modifiedNanoseconds: 0))
                try disk.write(file, as: SimulatedWorld.temporary("manifest"), in: order.folder)
            }
            mustSync = mustSync || isNew.last == true || !order.leaving.isEmpty
            isLost[isLost.count - 1] = try !remove(order.leaving, in: order.folder)
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
        chronicle.beginRemoval(of: order.obsolete, in: order.folder)
        if try !remove(order.obsolete, in: order.folder) {
            chronicle.crash()
            return false
        }
        if order.isLast { try disk.remove(OutputNames.manifest, in: order.folder) }
        return true
    }
}

extension Manifest {
    init(_ order: ManifestOrder) {
        self.init(
            folder: order.folder, recipe: order.recipe.value, recipeFingerprint: "",
            recordings: order.entries.map(\.value))
    }
}
