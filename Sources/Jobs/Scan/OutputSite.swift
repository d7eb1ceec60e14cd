import Recordings

/// What was found where the results are to go.
package enum OutputSite: Hashable, Sendable {
    /// Nothing is there; it can be made.
    case nothing
    case notAFolder
    /// A folder that an earlier run has marked as an output.
    case marked
    /// A place inside of one that is marked, whether something is there or not.
    case inside(Pathname)
    /// Another folder, and in it some file that a run might overwrite.
    case unmarked(fileAtRisk: Pathname?)
}

extension RunRefusal {
    /// Why results may not go to `output`; `nil` where they may.
    /// - Parameters:
    ///   - output: absolute, without links.
    ///   - sources: the folders of the recordings asked for, likewise.
    ///   - site: what is there; only looked at where the place itself is not wrong.
    package static func against(
        output: Pathname, sources: [Pathname], site: @autoclosure () -> OutputSite
    ) -> RunRefusal? {
        if let source = sources.first(where: output.contains) {
            return source == output
                ? .outputIsSource(output) : .outputHoldsSources(output: output, source: source)
        }
        switch site() {
        case .nothing, .marked, .unmarked(fileAtRisk: nil):
            return nil
        case .inside(let other):
            return .outputInOutput(output, of: other)
        case .notAFolder:
            return .outputNotAFolder(output)
        case .unmarked(let file?):
            // Among the sources they would be passed over, and anywhere else a copy of the same
            // name would take their place.
            return .outputHoldsFiles(output: output, file: file)
        }
    }
}
