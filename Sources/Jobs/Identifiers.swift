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

/// Names one folder within a run, in the order in which they were discovered.
package struct FolderID: Hashable, Comparable, Codable, Sendable {
    package let index: Int32

    package init(_ index: Int) {
        self.index = Int32(index)
    }

    package static func < (left: FolderID, right: FolderID) -> Bool {
        left.index < right.index
    }
}
