import Recordings
import ReducerKit

/// One recording on its way from waiting to settled.
package enum Job {
    package struct State: Hashable, Codable, Sendable {
        package var folder: FolderID
        /// Attempts that failed for a reason that may pass.
        package var attempts: UInt8 = 0
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

    /// The large ones are boxed, so that a waiting job stays small: only as many are larger as run
    /// at once.
    package enum Phase: Hashable, Codable, Sendable {
        case waiting(Stages)
        indirect case listening(Order)
        indirect case trimming(Order, Boxed<ManifestEntry>, staged: [StagedFile])
        /// No work is left. The ending is here until the run takes it.
        indirect case ended(Ending)
        /// The outcome is on its way to the disk.
        case committing
        case settled
    }

    /// How the work ended.
    package struct Ending: Hashable, Codable, Sendable {
        package enum Kind: Hashable, Codable, Sendable {
            case entry(Boxed<ManifestEntry>)
            /// Stopped before its end; nothing is to be kept of it, and the next run will do it.
            case cancelled
            /// It failed for a reason that may pass; these stages are to be tried again.
            case postponed(Stages, afterSeconds: Double)
            /// It failed for a reason that every other one would fail for.
            case blocked(RecordingFailure)
        }

        package var kind: Kind
        /// Complete files that are not in their places.
        package var staged: [StagedFile]

        package init(_ kind: Kind, staged: [StagedFile] = []) {
            self.kind = kind
            self.staged = staged
        }
    }

    /// All that a job needs to know to run, gathered when it starts.
    package struct Order: Hashable, Codable, Sendable {
        /// The recording's folder, relative to the root.
        package var folder: Pathname
        package var stages: Stages
        package var recipe: Boxed<Recipe>
        package var names: OutputNames
        /// What there is to build on where only some stages are stale.
        package var previous: Boxed<ManifestEntry>?

        package init(
            folder: Pathname, stages: Stages, recipe: Boxed<Recipe>,
            names: OutputNames = OutputNames(), previous: Boxed<ManifestEntry>? = nil
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
        /// The files that were drawn are complete, under names of their own.
        indirect case listened(Measurements, staged: [StagedFile])
        indirect case trimmed(TrimmedFile, staged: StagedFile)
        /// `measured` is what could be found out all the same.
        indirect case failed(RecordingFailure, measured: Measurements?)
        case cancelled
    }

    package enum Command: Hashable, Codable, Sendable {
        /// Answered by `listened`, `failed` or `cancelled`.
        indirect case listen(ListeningOrder)
        /// Answered by `trimmed`, `failed` or `cancelled`.
        indirect case trim(TrimmingOrder)
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
    /// Attempts before this one.
    ///
    /// What they left is removed some time: each needs names of its own.
    package var attempt: Int

    package init(
        source: RecordingSource, stages: Stages, waveform: WaveformRecipe, silence: SilenceRecipe,
        waveformNames: [Pathname], attempt: Int = 0
    ) {
        self.attempt = attempt
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
    /// Attempts before this one.
    package var attempt: Int

    package init(
        source: RecordingSource, format: AudioFormat, edits: EditList,
        container: TrimmedContainer, fadeFrames: Int, name: Pathname, attempt: Int = 0
    ) {
        self.attempt = attempt
        self.source = source
        self.format = format
        self.edits = edits
        self.container = container
        self.fadeFrames = fadeFrames
        self.name = name
    }
}
