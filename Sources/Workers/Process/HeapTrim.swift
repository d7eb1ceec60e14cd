import CSync

package enum HeapTrim {
    /// Tunes malloc: retains up to 4 MB of freed memory per worker, in at most two arenas per core.
    ///
    /// Otherwise glibc returns each recording's memory to the system and clears it for the next,
    /// which costs a third of the CPU time of short ones. Call it before the first thread starts.
    package static func limit(cores: Int) {
        mallopt(M_ARENA_MAX, Int32(clamping: 2 * cores))
        mallopt(M_TRIM_THRESHOLD, 4 << 20)
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
    }
}
