import Recordings

/// What exists at the output's path.
package enum OutputSite: Hashable, Sendable {
    /// Nothing exists; the folder can be created.
    case nothing
    case notAFolder
    /// A folder that an earlier run has marked as an output.
    case marked
    /// A path inside a marked folder, whether it exists or not.
    case inside(Pathname)
    /// Another folder, with a file that a run might overwrite, if it has one.
    case unmarked(fileAtRisk: Pathname?)
}

extension RunRefusal {
    /// Why results may not be written to `output`; `nil` if they may.
    /// - Parameters:
    ///   - output: absolute, without symlinks.
    ///   - sources: the folders of the recordings asked for, likewise.
    ///   - site: what exists there; evaluated only if the path itself is acceptable.
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
            // Among the sources such files would be skipped; elsewhere, a copy of the same name
            // would overwrite them.
            return .outputHoldsFiles(output: output, file: file)
        }
    }
}
