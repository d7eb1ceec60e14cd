import CSndfile
import Recordings

/// What decoding rests on, on this machine.
package enum LibraryCheck {
    /// Whether what only libav decodes can be decoded.
    package enum Helper: Hashable, Sendable {
        case ready
        /// It decodes, but the kernel has nothing to cage it with.
        case readyUncaged
        /// There is no `tapedeck-decoder` beside this program.
        case notBuilt
        /// It does not start: a library is missing.
        case missingLibrary
    }

    /// Such as `libsndfile-1.2.0`.
    package static var sndfile: String { String(cString: sf_version_string()) }

    /// Starts the helper, which takes some 50 ms.
    package static var helper: Helper {
        guard let program = HelperPool.program else { return .notBuilt }
        guard let helper = try? HelperProcess(starting: program) else { return .missingLibrary }
        return helper.cage.isEmpty ? .readyUncaged : .ready
    }
}
