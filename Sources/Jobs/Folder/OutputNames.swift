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
    /// Whether the name of something in the folder begins with another, so that a file of one may
    /// have a name that the other's would have, now or beside other neighbours.
    package private(set) var mayMeet = false

    /// Every derivation has its natural name.
    package init() {}

    /// Settles who has which name in one folder.
    /// - Parameters:
    ///   - sources: the recordings, ascending.
    ///   - others: what else may have outputs there: folders, and recordings not looked at.
    ///   - held: files that were made of recordings which are gone, and are the last of them, with
    ///     these recordings.
    /// - Complexity: O(n), and O(n log n) in the names that begin with another.
    package init(
        sources: [Pathname], others: [Pathname], held: [Pathname: Pathname] = [:],
        recipe: WaveformRecipe
    ) {
        let known = (sources + (others + held.keys + [OutputNames.manifest]).sorted()).sorted()
        let nested = OutputNames.nested(known)
        self.init()
        guard !nested.isEmpty else { return }
        // A name that is taken begins with the source's, and so, where it is made of another
        // source, does that one or this with the other.
        let yielding = sources.filter(nested.contains)
        // Where there are files of a folder, no copy can be of the same name.
        var (taken, all) = (nested, held)
        if !held.isEmpty { taken.subtract(Set(held.keys).subtracting(sources + others)) }
        for folder in Set(others).intersection(yielding) { all[folder] = .empty }
        self = OutputNames(
            of: yielding, among: taken, held: all, recipe: recipe, mayMeet: true)
    }

    /// Settles names one after the other, whatever they are.
    init(
        of sources: [Pathname], among others: Set<Pathname>, held: [Pathname: Pathname] = [:],
        recipe: WaveformRecipe, mayMeet: Bool
    ) {
        self.mayMeet = mayMeet
        let suffixes =
            recipe.subjects.flatMap { OutputNames.waveformSuffixes(recipe, of: $0) }
            + [".flac", ".wav"]
        var taken = others
        for source in sources {
            for suffix in suffixes {
                let name = OutputNames.free(source, suffix) {
                    taken.contains($0) || held[$0].map { $0 != source } ?? false
                }
                taken.insert(name)
                if name != source.adding(suffix: suffix) {
                    renamed[Derivation(source: source, suffix: suffix)] = name
                }
            }
            if source == OutputNames.manifest || held[source].map({ $0 != source }) ?? false {
                let name = OutputNames.freeCopy(source, taken)
                taken.insert(name)
                renamed[Derivation(source: source, suffix: "")] = name
            }
        }
    }

    /// Whether nobody had to yield.
    package var areNatural: Bool { renamed.isEmpty }

    /// The waveform file of each zoom, in the recipe's order; none if `subject` is not drawn.
    package func waveforms(
        of source: Pathname, _ recipe: WaveformRecipe,
        drawing subject: WaveformRecipe.Subject = .source
    ) -> [Pathname] {
        guard recipe.draws(subject) else { return [] }
        return OutputNames.waveformSuffixes(recipe, of: subject).map { name(source, $0) }
    }

    /// The trimmed copy in a given container.
    package func trimmed(_ source: Pathname, as container: TrimmedContainer) -> Pathname {
        name(source, OutputNames.suffix(container))
    }

    /// Whether an earlier run gave a recording's waveforms other names than they have now.
    ///
    /// Where a new neighbour takes a name, the one that had it has to be made again under another.
    package func misnamesWaveforms(of entry: SettledEntry, _ recipe: WaveformRecipe) -> Bool {
        !draws(entry.waveforms, .source, of: entry.name, recipe)
    }

    /// Whether an earlier run gave the waveforms of a trimmed copy other names than they have now.
    package func misnamesCopyWaveforms(
        of entry: SettledEntry, _ recipe: WaveformRecipe
    ) -> Bool {
        entry.copy != nil && !draws(entry.copyWaveforms, .trimmed, of: entry.name, recipe)
    }

    /// Whether an earlier run gave a recording's trimmed copy another name than it has now.
    package func misnamesCopy(of entry: SettledEntry, _ recipe: TrimRecipe) -> Bool {
        guard let copy = entry.copy, let format = entry.format else { return false }
        return !isName(copy.path, entry.name, OutputNames.suffix(recipe.container(for: format)))
    }

    /// Whether the files are those of all zooms under the names they have to have.
    private func draws(
        _ files: [SettledEntry.Output], _ subject: WaveformRecipe.Subject, of source: Pathname,
        _ recipe: WaveformRecipe
    ) -> Bool {
        guard recipe.draws(subject) else { return files.isEmpty }
        let zooms = OutputNames.zooms(recipe)
        return files.count == zooms.count
            && zooms.allSatisfy { zoom in
                let suffix = OutputNames.waveformSuffix(recipe, zoom, of: subject)
                return files.contains { isName($0.path, source, suffix) }
            }
    }

    /// Whether `path` is the name of that derivation, without making it where it is a natural one.
    private func isName(_ path: Pathname, _ source: Pathname, _ suffix: String) -> Bool {
        guard renamed.isEmpty else { return path == name(source, suffix) }
        return path.begins(with: source, andEndsWith: suffix)
    }

    private func name(_ source: Pathname, _ suffix: String) -> Pathname {
        renamed[Derivation(source: source, suffix: suffix)] ?? source.adding(suffix: suffix)
    }

    private static func suffix(_ container: TrimmedContainer) -> String {
        switch container {
        case .same: ""
        case .wav: ".wav"
        case .flac: ".flac"
        }
    }

    private static func zooms(_ recipe: WaveformRecipe) -> Range<Int> {
        recipe.hasFixedZooms ? recipe.samplesPerPixel.indices : 0..<1
    }

    private static func waveformSuffixes(
        _ recipe: WaveformRecipe, of subject: WaveformRecipe.Subject
    ) -> [String] {
        zooms(recipe).map { waveformSuffix(recipe, $0, of: subject) }
    }

    /// The first zoom has the plain suffix, so that a player finds it whatever else was drawn.
    private static func waveformSuffix(
        _ recipe: WaveformRecipe, _ index: Int, of subject: WaveformRecipe.Subject
    ) -> String {
        let beginning = subject == .source ? "" : ".\(subject.rawValue)"
        let ending = recipe.format == .dat ? ".dat" : ".json"
        return index == 0
            ? beginning + ending : "\(beginning).\(recipe.samplesPerPixel[index])\(ending)"
    }

    /// Those of the names that begin with another, or with which another begins, which may be the
    /// same once more.
    /// - Parameter names: ascending, so that all that begin with a name follow it.
    private static func nested(_ names: [Pathname]) -> Set<Pathname> {
        var nested: Set<Pathname> = []
        guard var start = names.first else { return nested }
        for name in names.dropFirst() {
            if name.begins(with: start) {
                nested.insert(start)
                nested.insert(name)
            } else {
                start = name
            }
        }
        return nested
    }

    /// A name for a copy in its source's container, with the ending by which programs know that.
    private static func freeCopy(_ source: Pathname, _ taken: Set<Pathname>) -> Pathname {
        let dot = source.bytes.dropFirst().lastIndex(of: UInt8(ascii: "."))
        let ending = dot.map { String(decoding: source.bytes[$0...], as: UTF8.self) } ?? ""
        for number in 2... {
            let name = source.adding(suffix: ".\(number)\(ending)")
            if !taken.contains(name) { return name }
        }
        return source
    }

    private static func free(
        _ source: Pathname, _ suffix: String, isTaken: (Pathname) -> Bool
    ) -> Pathname {
        var name = source.adding(suffix: suffix)
        var number = 2
        while isTaken(name) {
            name = source.adding(suffix: ".\(number)\(suffix)")
            number += 1
        }
        return name
    }
}
