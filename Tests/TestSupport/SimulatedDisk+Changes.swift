import Jobs
import Recordings

extension SimulatedDisk {
    /// Opens a file for writing from its beginning, and writes it.
    mutating func write(
        _ file: File, as name: Pathname, in folder: Pathname
    ) throws(SimulatedCrash) {
        // At its name before its bytes are complete.
        let begun = File(
            content: .garbage, stamp: FileStamp(bytes: 0, modifiedNanoseconds: .max))
        for state in [begun, file] {
            try step()
            touched.insert(folder)
            if let id = names[folder]?[name] {
                files[id] = state
                unsynced.insert(id)
            } else {
                make(state, as: name, in: folder)
            }
        }
    }

    /// Gives a file that is there a second name.
    mutating func link(
        _ old: Pathname, in folder: Pathname, to new: Pathname, in newFolder: Pathname
    ) throws(SimulatedCrash) {
        try step()
        guard let id = names[folder]?[old] else { return }
        change(Change(folder: newFolder, from: nil, to: new, file: id))
    }

    private mutating func make(_ file: File, as name: Pathname, in folder: Pathname) {
        files.append(file)
        durable.append(nil)
        unsynced.insert(files.count - 1)
        change(Change(folder: folder, from: nil, to: name, file: files.count - 1))
    }

    /// - Returns: whether there was a file to rename.
    @discardableResult
    mutating func rename(
        _ old: Pathname, to new: Pathname, in folder: Pathname
    ) throws(SimulatedCrash) -> Bool {
        try step()
        guard let id = names[folder]?[old] else { return false }
        change(Change(folder: folder, from: old, to: new, file: id))
        return true
    }

    mutating func remove(_ name: Pathname, in folder: Pathname) throws(SimulatedCrash) {
        try step()
        guard let id = names[folder]?[name] else { return }
        change(Change(folder: folder, from: name, to: nil, file: id))
    }

    /// `syncfs`.
    mutating func sync() throws(SimulatedCrash) {
        try step()
        settle()
    }

    private mutating func settle() {
        for id in unsynced { durable[id] = files[id] }
        unsynced = []
        durableNames = names
        changes = []
    }

    /// `fsync` of a file.
    mutating func sync(_ name: Pathname, in folder: Pathname) throws(SimulatedCrash) {
        try step()
        guard let id = names[folder]?[name] else { return }
        durable[id] = files[id]
        unsynced.remove(id)
    }

    /// `fsync` of a folder.
    mutating func syncNames(in folder: Pathname) throws(SimulatedCrash) {
        try step()
        durableNames[folder] = names[folder]
        changes.removeAll { $0.folder == folder }
    }

    /// What somebody else did to a file, so long ago that all is on the disk for certain.
    mutating func disturb(_ name: Pathname, in folder: Pathname, leaving file: File?) {
        guard let id = names[folder]?[name] else { return }
        settle()
        touched.insert(folder)
        if let file {
            files[id] = file
            durable[id] = file
        } else {
            names[folder]?[name] = nil
            durableNames[folder]?[name] = nil
        }
    }

    /// Takes over the files that a record names.
    mutating func takeRemains(of record: SimulatedRecord, from other: SimulatedDisk) {
        for (path, folder) in record.folders {
            for name in Set(folder.files.map(\.name)).sorted() {
                if let file = other.file(name, in: path) { make(file, as: name, in: path) }
            }
        }
        settle()
    }

    private mutating func change(_ change: Change) {
        touched.insert(change.folder)
        changes.append(change)
        SimulatedDisk.apply(change, to: &names)
    }

    static func apply(_ change: Change, to names: inout Names) {
        if let from = change.from, names[change.folder]?[from] == change.file {
            names[change.folder]?[from] = nil
        }
        if let to = change.to { names[change.folder, default: [:]][to] = change.file }
    }
}
