/// The folders of a run that have recordings, found by identity in constant time.
package struct FolderTable: Hashable, Codable, Sendable {
    private var folders: [FolderID: Folder] = [:]

    package init() {}

    package var isEmpty: Bool { folders.isEmpty }

    /// Identities, ascending.
    package var ids: [FolderID] { folders.keys.sorted() }

    package func contains(_ id: FolderID) -> Bool { folders[id] != nil }

    package func contains(where holds: (Folder) -> Bool) -> Bool {
        folders.values.contains(where: holds)
    }

    /// Lends a folder that is here: a copy would cost a count for each of its collections.
    package subscript(id: FolderID) -> Folder {
        _read { yield folders[id, default: FolderTable.none()] }
        _modify { yield &folders[id, default: FolderTable.none()] }
    }

    private static func none() -> Folder { preconditionFailure("there is no such folder") }

    /// Adds a folder under an identity that is free.
    package mutating func insert(_ folder: Folder, as id: FolderID) {
        precondition(!contains(id), "a folder was inserted twice")
        folders[id] = folder
    }

    /// Takes a folder out.
    package mutating func remove(_ id: FolderID) -> Folder? { folders.removeValue(forKey: id) }
}
