import Recordings
import ReducerKit

/// Takes one recording from waiting to settled.
package enum Job {
    package struct State: Hashable, Codable, Sendable {
        package var folder: FolderID
        /// Attempts that failed for a transient reason.
        package var attempts: UInt8 = 0
        /// Whether it failed in an earlier run and is retried since the folder's first listing,
        /// which did not announce that failure.
        package var isUntold = false
        /// Whether it, or its outputs, may only have other times than were recorded.
        package var mayBeTimesOnly = false
        /// Distinguishes the file from every other, whatever its name; `nil` if unknown.
        package var identity: UInt64?
        package var phase: Phase
        package var tolerance = FaultTolerance.all
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

    /// What all recordings of a folder share, stored once for all of them.
    package struct FolderContext: Hashable, Codable, Sendable {
        /// The folder's path, relative to the root.
        package var folder: Pathname
        package var recipe: Recipe
        package var names: OutputNames
        /// Whether to wait for a recording that is incomplete, or changes during the work.
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
        /// An earlier entry is being read from the record.
        case recalling(Stages)
        /// `previous` is the entry to build on if only some stages are stale.
        case listening(Stages, previous: Boxed<ManifestEntry>?)
        case trimming(Stages, Boxed<ManifestEntry>, staged: [StagedFile])
        /// The results that it may have under another name are being looked for.
        case finding(Stages)
        /// Its checksum is being computed, as it may be the recording that it was but for its time.
        case identifying(Stages)
        /// Its outputs under another name are being given its own.
        case adopting(Boxed<ManifestEntry>)
        /// All work is done; the run decides what follows.
        case ended
        /// The outcome is being written to the disk.
        case committing
        case settled
    }

    /// The result of one step of the work, for the run to act on.
    package enum Next: Hashable, Sendable {
        case order(Command)
        case ended(Ending)
    }

    /// How the work ended.
    package struct Ending: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case entry(Boxed<ManifestEntry>)
            /// Its checksum is known; these stages are still to be done, unless it is the recording
            /// that it was.
            case identified(String, Stages)
            /// Its results under another name, `nil` if there are none; these stages are still to
            /// be done.
            indirect case found(FormerWork?, Stages)
            /// An earlier entry, `nil` if there is none any more; these stages are still to be
            /// done.
            case recalled(Boxed<ManifestEntry>?, Stages)
            /// Cancelled; nothing is retained, and the next run processes it.
            case cancelled
            /// The source changed, or is gone if the stamp is `nil`; nothing is retained.
            case changed(FileStamp?)
            /// It failed for a transient reason; these stages are to be retried.
            case postponed(Stages, afterSeconds: Double)
            /// It failed for a reason that every other recording would fail for, too.
            indirect case blocked(RecordingFailure)

            /// Whether it is only known how to go on.
            var goesOn: Bool {
                switch self {
                case .identified, .found, .recalled: true
                case .entry, .cancelled, .changed, .postponed, .blocked: false
                }
            }
        }

        package var kind: Kind
        /// Complete files that are not yet moved into place.
        package var staged: [StagedFile]

        package init(_ kind: Kind, staged: [StagedFile] = []) {
            self.kind = kind
            self.staged = staged
        }
    }

    /// A worker's answer to a job.
    package enum Action: Hashable, Codable, Sendable {
        /// The earlier entry, without its recipe; `nil` if there is none any more.
        case recalled(Boxed<ManifestEntry>?)
        /// Its results under another name, which no recording has now; `nil` if there are none.
        indirect case found(FormerWork?)
        /// The checksum of its source, SHA-256 in hexadecimal.
        case identified(String)
        /// The waveform files are complete, under temporary names.
        indirect case listened(Measurements, staged: [StagedFile])
        /// The copy and its waveforms are complete, under temporary names.
        indirect case trimmed(TrimmedFile, staged: [StagedFile])
        /// Its earlier outputs are complete, under temporary names, in the order's sequence.
        case adopted([StagedFile])
        /// The source differs from what the scan saw: its present stamp; `nil` if it is gone.
        case sourceChanged(FileStamp?)
        /// `measured` is what could be measured despite the failure.
        indirect case failed(RecordingFailure, measured: Measurements?)
        case cancelled
    }

    package enum Command: Hashable, Codable, Sendable {
        /// Answered by `listened`, `sourceChanged`, `failed` or `cancelled`.
        case listen(ListeningOrder)
        /// Answered by `trimmed`, `sourceChanged`, `failed` or `cancelled`.
        indirect case trim(TrimmingOrder)
        /// Compute its checksum. Answered by `identified`, `sourceChanged`, `failed` or
        /// `cancelled`.
        indirect case identify(RecordingSource)
        /// Answered by `adopted`, `sourceChanged`, `failed` or `cancelled`.
        indirect case adopt(AdoptionOrder)
        /// Read its earlier entry from the record. Answered by `recalled` or `failed`.
        indirect case recall(RecordingSource)
        /// Look for its results under another name, in the record. Answered by `found`,
        /// `sourceChanged`, `failed` or `cancelled`.
        indirect case find(FindingOrder)

        /// The recording that it is about.
        package var source: RecordingSource {
            switch self {
            case .listen(let order): order.source
            case .trim(let order): order.source
            case .identify(let source): source
            case .adopt(let order): order.source
            case .recall(let source): source
            case .find(let order): order.source
            }
        }
    }
}

/// A recording's name, the stamp it must still have, and the context of its folder.
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

/// Orders a search for the results that a recording has under another name.
package struct FindingOrder: Hashable, Codable, Sendable {
    package var source: RecordingSource
    /// Distinguishes the file from every other; `nil` if unknown.
    package var identity: UInt64?
    /// Whether a recording with the same content is the same, too, by its checksum.
    package var goesByContent: Bool

    package init(source: RecordingSource, identity: UInt64?, goesByContent: Bool) {
        self.source = source
        self.identity = identity
        self.goesByContent = goesByContent
    }
}
