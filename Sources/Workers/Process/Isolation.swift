import Audio
import Jobs

/// Whether all recordings are decoded in processes of their own, which can open no files and no
/// connections; of this process, as it has one output.
package enum Isolation {
    /// Decodes all recordings of this process so from now on.
    /// - Returns: whether the kernel keeps such processes from files and connections.
    package static func begin() throws(RunRefusal) -> Bool {
        HelperPool.decodesAll = true
        switch LibraryCheck.helper {
        case .ready: return true
        case .readyUncaged: return false
        case .notBuilt: throw .cannotIsolate(isHelperThere: false)
        case .missingLibrary: throw .cannotIsolate(isHelperThere: true)
        }
    }

    /// Decodes what an output has as its runs do.
    static func follow(_ settings: Settings) {
        if settings.isolate == true { HelperPool.decodesAll = true }
    }
}
