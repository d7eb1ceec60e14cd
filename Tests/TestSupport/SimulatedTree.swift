import Jobs
import Recordings

// What others do to the tree while it is watched.

extension SimulatedSources {
    /// Where a file is; `nil` where it is not any more.
    func place(of identity: UInt64) -> SimulatedDisk.Place? {
        for (folder, files) in recordings {
            for (name, source) in files where source.identity == identity {
                return SimulatedDisk.Place(folder: folder, name: name)
            }
        }
        return nil
    }

    /// Whether something else bears the name of a file.
    func isFolder(_ name: Pathname, in folder: Pathname) -> Bool {
        folders.contains(folder.appending(name))
    }

    mutating func makeFolder(_ folder: Pathname) {
        guard !folders.contains(folder) else { return }
        folders.append(folder)
        folders.sort()
        recordings[folder] = [:]
        folderIdentities[folder] = newIdentity()
    }

    mutating func removeFolder(_ folder: Pathname) {
        folders.removeAll(where: folder.contains)
        recordings = recordings.filter { !folder.contains($0.key) }
        folderIdentities = folderIdentities.filter { !folder.contains($0.key) }
    }

    mutating func moveFolder(_ old: Pathname, to new: Pathname) {
        func moved(_ path: Pathname) -> Pathname {
            old.relative(path).map { $0.isEmpty ? new : new.appending($0) } ?? path
        }
        folders = folders.map(moved).sorted()
        recordings = Dictionary(uniqueKeysWithValues: recordings.map { (moved($0), $1) })
        folderIdentities = Dictionary(
            uniqueKeysWithValues: folderIdentities.map { (moved($0), $1) })
    }
}
