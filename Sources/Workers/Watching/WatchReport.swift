import Jobs

/// What a watcher has to tell.
package enum WatchReport: Hashable, Sendable {
    /// In the order in which it happened; what happened several times stands where it did last.
    case noticed([FileEvent])
    /// More happened than the system keeps in mind: any watched folder may have changed.
    case overflowed
}
