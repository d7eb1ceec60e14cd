import Recordings

/// One recording on its way from waiting to settled.
package enum Job {
    package struct State: Hashable, Codable, Sendable {
        package var folder: FolderID
        package var name: Pathname
        package var stamp: FileStamp
        package var phase: Phase

        package init(folder: FolderID, name: Pathname, stamp: FileStamp, phase: Phase) {
            self.folder = folder
            self.name = name
            self.stamp = stamp
            self.phase = phase
        }
    }

    /// Boxed, so that a waiting job stays small: only as many are larger as run at once.
    package indirect enum Phase: Hashable, Codable, Sendable {
        case waiting(Stages)
        case listening(Order)
        case trimming(Order, ManifestEntry)
        /// Over. The outcome is here until the folder takes it.
        case settled(Outcome?)
    }

    /// How it ended.
    package enum Outcome: Hashable, Codable, Sendable {
        case entry(ManifestEntry)
        /// Stopped before its end; nothing was written, and the next run will do it.
        case cancelled
    }

    /// All that a job needs to know to run, gathered when it starts.
    package struct Order: Hashable, Codable, Sendable {
        /// The recording's folder, relative to the root.
        package var folder: Pathname
        package var stages: Stages
        package var recipe: Recipe
        package var names: OutputNames
        /// What there is to build on where only some stages are stale.
        package var previous: ManifestEntry?

        package init(
            folder: Pathname, stages: Stages, recipe: Recipe, names: OutputNames = OutputNames(),
            previous: ManifestEntry? = nil
        ) {
            self.folder = folder
            self.stages = stages
            self.recipe = recipe
            self.names = names
            self.previous = previous
        }
    }

    package enum Action: Hashable, Codable, Sendable {
        /// A slot is free for it.
        case started(Order)
        case listened(Measurements)
        case trimmed(TrimmedFile)
        /// `measured` is what could be found out all the same.
        case failed(RecordingFailure, measured: Measurements?)
        case cancelled
    }

    package enum Command: Hashable, Codable, Sendable {
        /// Answered by `listened`, `failed` or `cancelled`.
        case listen(ListeningOrder)
        /// Answered by `trimmed`, `failed` or `cancelled`.
        case trim(TrimmingOrder)
    }
}

/// Where a recording is, and the state it must still be in.
package struct RecordingSource: Hashable, Codable, Sendable {
    /// Relative to the root.
    package var folder: Pathname
    package var name: Pathname
    package var stamp: FileStamp

    package init(folder: Pathname, name: Pathname, stamp: FileStamp) {
        self.folder = folder
        self.name = name
        self.stamp = stamp
    }
}

/// Decode a recording once, for the stages that only need to listen.
package struct ListeningOrder: Hashable, Codable, Sendable {
    package var source: RecordingSource
    package var stages: Stages
    package var waveform: WaveformRecipe
    package var silence: SilenceRecipe
    /// One name a zoom, in the recipe's order.
    package var waveformNames: [Pathname]

    package init(
        source: RecordingSource, stages: Stages, waveform: WaveformRecipe, silence: SilenceRecipe,
        waveformNames: [Pathname]
    ) {
        self.source = source
        self.stages = stages
        self.waveform = waveform
        self.silence = silence
        self.waveformNames = waveformNames
    }
}

/// Write a trimmed copy.
package struct TrimmingOrder: Hashable, Codable, Sendable {
    package var source: RecordingSource
    package var format: AudioFormat
    package var edits: EditList
    package var container: TrimmedContainer
    package var fadeFrames: Int
    package var name: Pathname

    package init(
        source: RecordingSource, format: AudioFormat, edits: EditList,
        container: TrimmedContainer, fadeFrames: Int, name: Pathname
    ) {
        self.source = source
        self.format = format
        self.edits = edits
        self.container = container
        self.fadeFrames = fadeFrames
        self.name = name
    }
}
