import ReducerKit

/// The folders of a run that have recordings, found by identity in constant time.
package struct FolderTable: Hashable, Codable, Sendable {
    private var folders: [Folder] = []
    /// Where a folder is, by its identity; -1 where it is not here.
    private var places: [Int32] = []

    package init() {}

    package var isEmpty: Bool { folders.isEmpty }

    /// Identities, ascending.
    package var ids: [FolderID] {
        places.indices.filter { places[$0] >= 0 }.map { FolderID($0) }
    }

    package func contains(_ id: FolderID) -> Bool { place(of: id) != nil }

    /// Lends a folder that is here: a copy would cost a count for each of its collections.
    package subscript(id: FolderID) -> Folder {
        _read { yield folders[Int(places[Int(id.index)])] }
        _modify { yield &folders[Int(places[Int(id.index)])] }
    }

    /// Adds a folder under an identity that is free.
    package mutating func insert(_ folder: Folder, as id: FolderID) {
        precondition(!contains(id), "a folder was inserted twice")
        while places.count <= Int(id.index) { places.append(-1) }
        places[Int(id.index)] = Int32(folders.count)
        folders.append(folder)
    }

    private func place(of id: FolderID) -> Int? {
        let index = Int(id.index)
        guard places.indices.contains(index), places[index] >= 0 else { return nil }
        return Int(places[index])
    }
}
