import Recordings

/// What `tapedeck split` has written.
package struct SplitOutcome: Sendable {
    package var folder: Pathname
    package var written = 0
    /// Files that were there already, from the same samples.
    package var upToDate = 0
    /// Files of an earlier split that are no longer wanted.
    package var removed = 0
    package var recordings = 0
    /// Recordings that failed in the run, and have no segments.
    package var unheard = 0
    package var missing = 0
    /// Listed paths of which there are no results.
    package var unknown: [Pathname] = []

    package init(folder: Pathname) { self.folder = folder }
}
