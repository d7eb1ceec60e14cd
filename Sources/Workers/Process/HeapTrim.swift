import CSync

package enum HeapTrim {
    /// Has each worker keep up to 4 MB of freed memory, and no more arenas than two per core.
    ///
    /// Otherwise glibc gives the memory of each recording back and clears it for the next: a third
    /// of the CPU time of short ones. Call it before the first thread starts.
    package static func limit(cores: Int) {
        mallopt(M_ARENA_MAX, Int32(clamping: 2 * cores))
        mallopt(M_TRIM_THRESHOLD, 4 << 20)
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
    }
}
