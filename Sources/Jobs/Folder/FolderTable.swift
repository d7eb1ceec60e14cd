import ReducerKit

/// The folders of a run that have recordings, found by identity in constant time.
package struct FolderTable: Hashable, Codable, Sendable {
    private var folders: [Folder] = []
    /// Whose they are, in the same order.
    private var owners: [FolderID] = []
    /// Where a folder is, by its identity; -1 where it is not here.
    private var places: [Int32] = []

    package init() {}

    package var isEmpty: Bool { folders.isEmpty }

    /// Identities, ascending.
    package var ids: [FolderID] { owners.sorted() }

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
        owners.append(id)
    }

    /// Takes a folder out.
    package mutating func remove(_ id: FolderID) -> Folder? {
        guard let place = place(of: id) else { return nil }
        let folder = folders[place]
        places[Int(id.index)] = -1
        let last = folders.count - 1
        if place != last {
            folders.swapAt(place, last)
            owners.swapAt(place, last)
            places[Int(owners[place].index)] = Int32(place)
        }
        folders.removeLast()
        owners.removeLast()
        return folder
    }

    private func place(of id: FolderID) -> Int? {
        let index = Int(id.index)
        guard places.indices.contains(index), places[index] >= 0 else { return nil }
        let place = Int(places[index])
        return owners[place] == id ? place : nil
    }
}
