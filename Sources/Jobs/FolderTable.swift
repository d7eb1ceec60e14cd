import ReducerKit

/// The folders of a run that have recordings, found by identity in constant time.
package struct FolderTable: Hashable, Codable, Sendable {
    private var folders: [Folder?] = []

    package init() {}

    package var isEmpty: Bool { folders.allSatisfy { $0 == nil } }

    /// Identities, ascending.
    package var ids: [FolderID] {
        folders.indices.filter { folders[$0] != nil }.map { FolderID($0) }
    }

    /// Lends the folder: a copy would cost a count for each of its collections.
    package subscript(id: FolderID) -> Folder? {
        _read {
            let index = Int(id.index)
            if folders.indices.contains(index) { yield folders[index] } else { yield nil }
        }
    }

    /// Adds a folder under an identity that is free.
    package mutating func insert(_ folder: Folder, as id: FolderID) {
        while folders.count <= Int(id.index) { folders.append(nil) }
        folders[Int(id.index)] = folder
    }
}

extension FolderTable: KeyedElements {
    package mutating func update<Result>(
        _ id: FolderID, _ body: (inout Folder) -> Result
    ) -> Result? {
        let index = Int(id.index)
        guard folders.indices.contains(index) else { return nil }
        return folders[index]?.lend(body)
    }
}

extension Folder {
    /// In place, which only a call through the optional gives.
    fileprivate mutating func lend<Result>(_ body: (inout Folder) -> Result) -> Result {
        body(&self)
    }
}
