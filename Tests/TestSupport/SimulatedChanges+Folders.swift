import Jobs
import Recordings

// What others do to the folders of a tree while it is watched.

extension SimulatedWorld {
    private static let folderNames: [Pathname] = ["sub", "new", "old"]

    mutating func makeFolder(in folder: Pathname) {
        let name = random.pick(SimulatedWorld.folderNames)
        let path = folder.appending(name)
        guard folder.components.count < 3, sources.recordings[folder]?[name] == nil,
            !sources.folders.contains(path)
        else { return }
        happened(.folderMade)
        sources.makeFolder(path)
        // It may be moved in, with files in it.
        if random.chance(percent: 50) {
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                put(
                    random.pick(SimulatedSources.names), in: path,
                    identity: sources.newIdentity(), isOpen: false, isWhole: true)
            }
        }
        tell(.changed, name, in: folder)
    }

    mutating func removeFolder() {
        guard sources.folders.count > 1 else { return }
        let folder = random.pick(Array(sources.folders.dropFirst()))
        happened(.folderRemoved)
        for path in sources.folders.reversed() where folder.contains(path) {
            if let identity = sources.folderIdentities[path] { notices.tellGone(identity) }
            if path == folder { tell(.changed, folder.lastComponent, in: folder.parent) }
        }
        sources.removeFolder(folder)
    }

    mutating func renameFolder(into parent: Pathname) {
        guard sources.folders.count > 1 else { return }
        let folder = random.pick(Array(sources.folders.dropFirst()))
        let name = random.pick(SimulatedWorld.folderNames)
        let new = parent.appending(name)
        guard !folder.contains(parent), parent.components.count < 3,
            !sources.folders.contains(new), sources.recordings[parent]?[name] == nil
        else { return }
        happened(.folderRenamed)
        tell(.changed, folder.lastComponent, in: folder.parent)
        tell(.changed, name, in: parent)
        if let identity = sources.folderIdentities[folder] { notices.tellGone(identity) }
        sources.moveFolder(folder, to: new)
    }

    mutating func unmount() {
        happened(.unmounted)
        sources.mount = random.pick([.bare, .gone])
        notices.unmount()
    }

    mutating func mount() {
        sources.mount = .there
        happened(.mounted)
    }
}
