import Jobs
import Recordings

/// A random tree of folders with recordings, and what an earlier run left there.
package struct SimulatedFolders: Sendable {
    /// Everything there is, by folder, as a scan of all of it would find it.
    package private(set) var listings: [Pathname: FolderListing] = [:]
    /// The recipe of this run; that of the earlier one may be another.
    package let recipe: Recipe
    private let earlierRecipe: Recipe

    /// Names that get into each other's way: one is another's output, two are one to the eye.
    private static let names: [Pathname] = [
        "a", "a.2", "a.64", "a.dat", "b.mp3", "b.mp3.flac", "b.mp3.2", "c.wav", "c.wav.wav",
        "manifest", "manifest.json", "\u{e9}.wav", "e\u{301}.wav",
        Pathname(bytes: [0xff, 0x2e, 0x77, 0x61, 0x76]),
    ]

    package init(using random: inout SeededGenerator) {
        recipe = SimulatedFolders.recipe(using: &random)
        let other = SimulatedFolders.recipe(using: &random)
        earlierRecipe = random.chance(percent: 60) ? recipe : other
        grow("", depth: 0, using: &random)
    }

    /// What a listing of a folder, or of single recordings in it, finds.
    package func listing(for request: FolderScan.Request) -> FolderListing {
        let all = listings[request.path] ?? FolderListing()
        guard let only = request.only else { return all }
        var listing = FolderListing()
        for sighting in all.recordings {
            if only.contains(sighting.name) {
                listing.recordings.append(sighting)
            } else {
                listing.neighbours.append(sighting.name)
                listing.unseen += sighting.previous.map { [$0] } ?? []
            }
        }
        listing.neighbours += all.subfolders + all.neighbours
        listing.unseen += all.unseen
        return listing
    }

    /// Something a user may ask for.
    package func targets(using random: inout SeededGenerator) -> [FolderScan.Target] {
        guard random.chance(percent: 40) else { return [.folder("")] }
        return (0..<Int.random(in: 0...4, using: &random)).map { _ in
            let folder = random.pick(listings.keys.sorted())
            let names = (listings[folder]?.recordings ?? []).map(\.name)
            guard !names.isEmpty, random.chance(percent: 70) else { return .folder(folder) }
            return .recording(folder: folder, name: random.pick(names))
        }
    }

    private static func recipe(using random: inout SeededGenerator) -> Recipe {
        var recipe = Recipe()
        recipe.waveform.samplesPerPixel = random.pick([[256], [256, 64]])
        recipe.trim.mode = random.pick(TrimRecipe.Mode.allCases)
        recipe.trim.format = random.pick(TrimRecipe.Format.allCases)
        return recipe
    }

    private mutating func grow(
        _ path: Pathname, depth: Int, using random: inout SeededGenerator
    ) {
        var listing = FolderListing()
        let names = SimulatedFolders.names.filter { _ in random.chance(percent: 40) }
        let others = names.filter { _ in random.chance(percent: 10) }
        let sources = names.filter { !others.contains($0) }.sorted()
        listing.neighbours = others
        let earlier = earlierWork(in: path, using: &random)
        listing.recordings = sources.map { name in
            sighting(name, earlier[name], using: &random)
        }
        listing.unseen = earlier.keys.sorted().filter { !sources.contains($0) }
            .compactMap { earlier[$0] }
        if depth < 2 {
            let subfolders: [Pathname] = ["a.wav.dat", "sub", "sub.2"]
            listing.subfolders = subfolders.filter { _ in random.chance(percent: 40) }
        }
        listings[path] = listing
        for name in listing.subfolders {
            grow(path.appending(name), depth: depth + 1, using: &random)
        }
    }

    private func sighting(
        _ name: Pathname, _ previous: PreviousWork?, using random: inout SeededGenerator
    ) -> Sighting {
        if random.chance(percent: 5) {
            let failure = Example.failure(.permissionDenied, in: .scan)
            return Sighting(name: name, finding: .failure(failure), previous: previous)
        }
        let changed = FileStamp(bytes: 2_000, modifiedNanoseconds: 2)
        let stamp = random.chance(percent: 10) ? changed : Example.stamp
        return Example.sighting(name, stamp: stamp, previous: previous)
    }

    /// What a run left that found other neighbours in the folder.
    private func earlierWork(
        in folder: Pathname, using random: inout SeededGenerator
    ) -> [Pathname: PreviousWork] {
        guard random.chance(percent: 60) else { return [:] }
        let sources = SimulatedFolders.names.filter { _ in random.chance(percent: 30) }
        let names = OutputNames(
            sources: sources.sorted(), others: [], recipe: earlierRecipe.waveform)
        var work: [Pathname: PreviousWork] = [:]
        for source in sources {
            var entry = Example.doneEntry(source)
            if random.chance(percent: 50) {
                entry.format = Example.format(container: .mp3, encoding: .mp3)
            }
            let zooms = earlierRecipe.waveform.samplesPerPixel
            entry.waveforms = zip(names.waveforms(of: source, earlierRecipe.waveform), zooms)
                .map { Example.waveform($0, samplesPerPixel: $1) }
            if random.chance(percent: 50), let format = entry.format {
                let container = earlierRecipe.trim.container(for: format)
                entry.notTrimmed = nil
                entry.trimmed = TrimmedFile(
                    path: names.trimmed(source, as: container), durationSeconds: 5, bytes: 1,
                    sha256: "", edits: [])
            }
            let damaged: Stages = random.chance(percent: 20) ? .trim : []
            work[source] = Example.previousWork(
                entry, recipe: earlierRecipe, damaged: damaged)
        }
        return work
    }
}
