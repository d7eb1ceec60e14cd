import Recordings
import ReducerKit

/// One recording on its way from waiting to settled.
package enum Job {
    package struct State: Hashable, Codable, Sendable {
        package var folder: FolderID
        /// Attempts that failed for a reason that may pass.
        package var attempts: UInt8 = 0
        package var phase: Phase
        package var name: Pathname
        package var stamp: FileStamp
        package var setting: Boxed<Setting>

        package init(
            folder: FolderID, name: Pathname, stamp: FileStamp, phase: Phase,
            setting: Boxed<Setting>
        ) {
            self.folder = folder
            self.name = name
            self.stamp = stamp
            self.phase = phase
            self.setting = setting
        }
    }

    /// What all recordings of a folder have in common, held once for all of them.
    package struct Setting: Hashable, Codable, Sendable {
        /// The folder's path, relative to the root.
        package var folder: Pathname
        package var recipe: Recipe
        package var names: OutputNames

        package init(folder: Pathname, recipe: Recipe, names: OutputNames = OutputNames()) {
            self.folder = folder
            self.recipe = recipe
            self.names = names
        }
    }

    package enum Phase: Hashable, Codable, Sendable {
        case waiting(Stages)
        /// `previous` is what there is to build on where only some stages are stale.
        case listening(Stages, previous: Boxed<ManifestEntry>?)
        case trimming(Stages, Boxed<ManifestEntry>, staged: [StagedFile])
        /// No work is left. The ending is here until the run takes it.
        case ended(Ending)
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
            indirect case blocked(RecordingFailure)
        }

        package var kind: Kind
        /// Complete files that are not in their places.
        package var staged: [StagedFile]

        package init(_ kind: Kind, staged: [StagedFile] = []) {
            self.kind = kind
            self.staged = staged
        }
    }

    package enum Action: Hashable, Codable, Sendable {
        /// A slot is free for it.
        case started(Stages, previous: Boxed<ManifestEntry>?)
        /// The files that were drawn are complete, under names of their own.
        indirect case listened(Measurements, staged: [StagedFile])
        indirect case trimmed(TrimmedFile, staged: StagedFile)
        /// `measured` is what could be found out all the same.
        indirect case failed(RecordingFailure, measured: Measurements?)
        case cancelled
    }

    package enum Command: Hashable, Codable, Sendable {
        /// Answered by `listened`, `failed` or `cancelled`.
        case listen(ListeningOrder)
        /// Answered by `trimmed`, `failed` or `cancelled`.
        indirect case trim(TrimmingOrder)
    }
}

/// Where a recording is, the state it must still be in, and what holds for it.
package struct RecordingSource: Hashable, Codable, Sendable {
    package var name: Pathname
    package var stamp: FileStamp
    package var setting: Boxed<Job.Setting>

    package init(setting: Boxed<Job.Setting>, name: Pathname, stamp: FileStamp) {
        self.setting = setting
        self.name = name
        self.stamp = stamp
    }

    /// Relative to the root.
    package var folder: Pathname { setting.value.folder }
}

/// Decode a recording once, for the stages that only need to listen.
package struct ListeningOrder: Hashable, Codable, Sendable {
    package var stages: Stages
    package var source: RecordingSource
    /// Attempts before this one.
    ///
    /// What they left is removed some time: each needs names of its own.
    package var attempt: UInt8

    package init(source: RecordingSource, stages: Stages, attempt: UInt8 = 0) {
        self.attempt = attempt
        self.source = source
        self.stages = stages
    }

    package var waveform: WaveformRecipe { source.setting.value.recipe.waveform }
    package var silence: SilenceRecipe { source.setting.value.recipe.silence }

    /// One name a zoom, in the recipe's order.
    package var waveformNames: [Pathname] {
        source.setting.value.names.waveforms(of: source.name, waveform)
    }
}

/// Write a trimmed copy.
package struct TrimmingOrder: Hashable, Codable, Sendable {
    package var source: RecordingSource
    package var format: AudioFormat
    package var edits: EditList
    package var container: TrimmedContainer
    /// Attempts before this one.
    package var attempt: UInt8

    package init(
        source: RecordingSource, format: AudioFormat, edits: EditList,
        container: TrimmedContainer, attempt: UInt8 = 0
    ) {
        self.attempt = attempt
        self.source = source
        self.format = format
        self.edits = edits
        self.container = container
    }

    package var fadeFrames: Int {
        let seconds = source.setting.value.recipe.trim.fadeMilliseconds / 1000
        return Int((seconds * Double(format.sampleRateHertz)).rounded())
    }

    /// The copy's name.
    package var name: Pathname {
        source.setting.value.names.trimmed(source.name, as: container)
    }
}
