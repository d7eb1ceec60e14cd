import Recordings

/// The names of the files that are made of a recording, in the output folder of its folder.
///
/// A name is the source's full name plus a suffix, so `b.wav` and `b.mp3` never meet. Where such a
/// name is already somebody else's (`b.mp3` beside `b.mp3.flac`), a number is put in between. Who
/// yields is decided by the names alone, never by the order in which work gets done.
package struct OutputNames: Hashable, Codable, Sendable {
    /// The name of every folder's manifest.
    package static let manifest: Pathname = "manifest.json"

    /// One suffix of one recording whose natural name was taken.
    package struct Derivation: Hashable, Codable, Sendable {
        var source: Pathname
        var suffix: String
    }

    /// Derivations that could not have their natural name, with the name they have.
    private var renamed: [Derivation: Pathname] = [:]

    /// Every derivation has its natural name.
    package init() {}

    /// Settles who has which name in one folder.
    /// - Parameters:
    ///   - sources: the recordings, ascending.
    ///   - others: what else may have outputs there: folders, and recordings not looked at.
    /// - Complexity: O(n) in names, times the number of suffixes.
    package init(sources: [Pathname], others: [Pathname], recipe: WaveformRecipe) {
        let suffixes = OutputNames.waveformSuffixes(recipe) + [".flac", ".wav"]
        let own = Set(sources)
        var taken = own.union(others)
        taken.insert(OutputNames.manifest)
        for source in sources {
            for suffix in suffixes {
                let name = OutputNames.free(source, suffix, taken)
                taken.insert(name)
                if name != source.adding(suffix: suffix) {
                    renamed[Derivation(source: source, suffix: suffix)] = name
                }
            }
            if source == OutputNames.manifest {
                let name = OutputNames.free(source, "", taken)
                taken.insert(name)
                renamed[Derivation(source: source, suffix: "")] = name
            }
        }
    }

    /// The waveform file of each zoom, in the recipe's order.
    package func waveforms(of source: Pathname, _ recipe: WaveformRecipe) -> [Pathname] {
        OutputNames.waveformSuffixes(recipe).map { name(source, $0) }
    }

    /// The trimmed copy in a given container.
    package func trimmed(_ source: Pathname, as container: TrimmedContainer) -> Pathname {
        switch container {
        case .same: name(source, "")
        case .wav: name(source, ".wav")
        case .flac: name(source, ".flac")
        }
    }

    /// Whether an earlier run gave a recording's waveforms other names than they have now.
    ///
    /// Where a new neighbour takes a name, the one that had it has to be made again under another.
    package func misnamesWaveforms(of entry: ManifestEntry, _ recipe: WaveformRecipe) -> Bool {
        (entry.waveforms ?? []).map(\.path) != waveforms(of: entry.name, recipe)
    }

    /// Whether an earlier run gave a recording's trimmed copy another name than it has now.
    package func misnamesCopy(of entry: ManifestEntry, _ recipe: TrimRecipe) -> Bool {
        guard let copy = entry.trimmed, let format = entry.format else { return false }
        return copy.path != trimmed(entry.name, as: recipe.container(for: format))
    }

    private func name(_ source: Pathname, _ suffix: String) -> Pathname {
        renamed[Derivation(source: source, suffix: suffix)] ?? source.adding(suffix: suffix)
    }

    /// The first zoom has the plain suffix, so that a player finds it whatever else was drawn.
    private static func waveformSuffixes(_ recipe: WaveformRecipe) -> [String] {
        let kind = recipe.format.rawValue
        return recipe.samplesPerPixel.enumerated().map { index, zoom in
            index == 0 ? ".\(kind)" : ".\(zoom).\(kind)"
        }
    }

    private static func free(
        _ source: Pathname, _ suffix: String, _ taken: Set<Pathname>
    ) -> Pathname {
        var name = source.adding(suffix: suffix)
        var number = 2
        while taken.contains(name) {
            name = source.adding(suffix: ".\(number)\(suffix)")
            number += 1
        }
        return name
    }
}
