#if canImport(Glibc)
    import CSync
#endif

/// What becomes of memory that nobody needs any more.
package enum FreedMemory {
    /// More than a pass over a short recording needs, and little beside what a long one does.
    private static let keptBytesPerArena: Int32 = 4 << 20

    /// Keeps some of it for whatever comes next.
    ///
    /// By itself glibc gives back all but 128 kB as soon as a recording is done, and has the pages
    /// zeroed again for the next: an eighth of what short recordings cost.
    package static func keepSome() {
        #if canImport(Glibc)
            mallopt(M_TRIM_THRESHOLD, keptBytesPerArena)
        #endif
    }
}
