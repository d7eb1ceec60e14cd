/// Identifies a recording within a run: its index in the job table.
package struct RecordingID: Hashable, Comparable, Codable, Sendable {
    package let index: Int32

    package init(_ index: Int) {
        self.index = Int32(index)
    }

    package static func < (left: RecordingID, right: RecordingID) -> Bool {
        left.index < right.index
    }
}

/// Identifies a folder within a run: its slot in the folder index, and the slot's generation.
package struct FolderID: Hashable, Comparable, Codable, Sendable {
    package let index: Int32
    /// How many folders used this slot before; a slot is reused once its folder is gone.
    package let generation: Int32

    package init(_ index: Int, generation: Int32 = 0) {
        self.index = Int32(index)
        self.generation = generation
    }

    package static func < (left: FolderID, right: FolderID) -> Bool {
        (left.index, left.generation) < (right.index, right.generation)
    }
}
