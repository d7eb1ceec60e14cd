/// Names one recording within a run: its place in the table of jobs.
package struct RecordingID: Hashable, Comparable, Codable, Sendable {
    package let index: Int32

    package init(_ index: Int) {
        self.index = Int32(index)
    }

    package static func < (left: RecordingID, right: RecordingID) -> Bool {
        left.index < right.index
    }
}

/// Names one folder within a run: its place in the index of folders, and which folder that had it.
package struct FolderID: Hashable, Comparable, Codable, Sendable {
    package let index: Int32
    /// Folders that had the place before: when one is gone, its place is free for another.
    package let generation: Int32

    package init(_ index: Int, generation: Int32 = 0) {
        self.index = Int32(index)
        self.generation = generation
    }

    package static func < (left: FolderID, right: FolderID) -> Bool {
        (left.index, left.generation) < (right.index, right.generation)
    }
}
