import Recordings
import ReducerKit

/// One recording on its way from waiting to settled.
package enum Job {
    package struct State: Hashable, Codable, Sendable {
        package var folder: FolderID
        /// Attempts that failed for a reason that may pass.
        package var attempts: UInt8 = 0
        /// Whether it failed in an earlier run and is tried again from a watch's first look on,
        /// which has not told of that.
        package var isUntold = false
        package var phase: Phase
        package var name: Pathname
        package var stamp: FileStamp
        package var context: Boxed<FolderContext>

        package init(
            folder: FolderID, name: Pathname, stamp: FileStamp, phase: Phase,
            context: Boxed<FolderContext>
        ) {
            self.folder = folder
            self.name = name
            self.stamp = stamp
            self.phase = phase
            self.context = context
        }
    }

    /// What all recordings of a folder have in common, held once for all of them.
    package struct FolderContext: Hashable, Codable, Sendable {
        /// The folder's path, relative to the root.
        package var folder: Pathname
        package var recipe: Recipe
        package var names: OutputNames
        /// Whether a recording that is not complete, or changes meanwhile, is waited for.
        package var isPatient: Bool

        package init(
            folder: Pathname, recipe: Recipe, names: OutputNames = OutputNames(),
            isPatient: Bool = false
        ) {
            self.folder = folder
            self.recipe = recipe
            self.names = names
            self.isPatient = isPatient
        }
    }

    package enum Phase: Hashable, Codable, Sendable {
        case waiting(Stages)
        /// `previous` is what there is to build on where only some stages are stale.
        case listening(Stages, previous: Boxed<ManifestEntry>?)
        case trimming(Stages, Boxed<ManifestEntry>, staged: [StagedFile])
        /// Whether it was worked on under another name is being found out.
        case identifying(Stages)
        /// What was made of it under another name is becoming its own.
        case adopting(Boxed<ManifestEntry>)
        /// No work is left; the run says what follows from that.
        case ended
        /// The outcome is on its way to the disk.
        case committing
        case settled
    }

    /// What follows from one step of the work, for the run to see to.
    package enum Next: Hashable, Sendable {
        case order(Command)
        case ended(Ending)
    }

    /// How the work ended.
    package struct Ending: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case entry(Boxed<ManifestEntry>)
            /// What it holds is known by its digest; these stages are to be done for it, unless
            /// they were under another name.
            case identified(String, Stages)
            /// Stopped before its end; nothing is to be kept of it, and the next run will do it.
            case cancelled
            /// It is another one now, or gone where there is no stamp; nothing is to be kept.
            case changed(FileStamp?)
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

    /// What the work of a job comes to, as a worker answers.
    package enum Action: Hashable, Codable, Sendable {
        /// The digest of its bytes, SHA-256 in hexadecimal.
        case identified(String)
        /// The files that were drawn are complete, under names of their own.
        indirect case listened(Measurements, staged: [StagedFile])
        indirect case trimmed(TrimmedFile, staged: StagedFile)
        /// What was made of it before is complete, under names of its own, in the order's order.
        case adopted([StagedFile])
        /// It is not as the scan saw it, but as told here; `nil` where it is gone.
        case sourceChanged(FileStamp?)
        /// `measured` is what could be found out all the same.
        indirect case failed(RecordingFailure, measured: Measurements?)
        case cancelled
    }

    package enum Command: Hashable, Codable, Sendable {
        /// Answered by `listened`, `sourceChanged`, `failed` or `cancelled`.
        case listen(ListeningOrder)
        /// Answered by `trimmed`, `sourceChanged`, `failed` or `cancelled`.
        indirect case trim(TrimmingOrder)
        /// Read it and take its digest. Answered by `identified`, `sourceChanged`, `failed` or
        /// `cancelled`.
        indirect case identify(RecordingSource)
        /// Answered by `adopted`, `sourceChanged`, `failed` or `cancelled`.
        indirect case adopt(AdoptionOrder)

        /// The recording that it is about.
        package var source: RecordingSource {
            switch self {
            case .listen(let order): order.source
            case .trim(let order): order.source
            case .identify(let source): source
            case .adopt(let order): order.source
            }
        }
    }
}

/// Where a recording is, the state it must still be in, and what holds for it.
package struct RecordingSource: Hashable, Codable, Sendable {
    package var name: Pathname
    package var stamp: FileStamp
    package var context: Boxed<Job.FolderContext>

    package init(context: Boxed<Job.FolderContext>, name: Pathname, stamp: FileStamp) {
        self.context = context
        self.name = name
        self.stamp = stamp
    }

    /// Relative to the root.
    package var folder: Pathname { context.value.folder }
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

    package var waveform: WaveformRecipe { source.context.value.recipe.waveform }
    package var silence: SilenceRecipe { source.context.value.recipe.silence }

    /// One name a zoom, in the recipe's order.
    package var waveformNames: [Pathname] {
        source.context.value.names.waveforms(of: source.name, waveform)
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

    package var fadeFrames: Int { source.context.value.recipe.trim.fadeFrames(for: format) }

    /// The copy's name.
    package var name: Pathname {
        source.context.value.names.trimmed(source.name, as: container)
    }
}

/// Give what was made of a recording under another name the names it has to have now.
package struct AdoptionOrder: Hashable, Codable, Sendable {
    /// A file that is there, and the name that it is to have beside the one it has.
    package struct Renaming: Hashable, Codable, Sendable {
        package var old: Pathname
        package var new: Pathname

        package init(old: Pathname, new: Pathname) {
            self.old = old
            self.new = new
        }
    }

    package var source: RecordingSource
    /// The folder of the old names, relative to the root.
    package var folder: Pathname
    /// The time of last change that the old files bear: the recording's, as it was there.
    package var formerNanoseconds: Int64
    package var files: [Renaming]
    /// Attempts before this one.
    package var attempt: UInt8

    package init(
        source: RecordingSource, folder: Pathname, formerNanoseconds: Int64,
        files: [Renaming], attempt: UInt8 = 0
    ) {
        self.source = source
        self.folder = folder
        self.formerNanoseconds = formerNanoseconds
        self.files = files
        self.attempt = attempt
    }
}
