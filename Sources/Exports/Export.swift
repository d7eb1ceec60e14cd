import Recordings

/// What an export lists of each recording.
package enum ExportSubject: String, CaseIterable, Sendable {
    /// Stretches of sound between the silences.
    case segments
    case silences
    /// What the trimmed copy keeps of the source.
    case edits
    /// Each recording as a whole.
    case recordings

    /// What one stretch is called in a file.
    package var label: String {
        switch self {
        case .segments: "sound"
        case .silences: "silence"
        case .edits: "kept"
        case .recordings: "recording"
        }
    }
}

/// A recording, or its trimmed copy, as an export lists it.
package struct ExportedRecording: Hashable, Sendable {
    /// Relative to the root of the recordings.
    package var folder: Pathname
    package var name: Pathname
    /// The audio file that the times are of; absolute.
    package var file: Pathname
    package var sampleRateHertz: Int
    package var channels: Int
    /// Length of that file.
    package var frames: Int64
    /// Whether it is an undamaged WAV file of 16-bit samples, which any reader takes.
    package var isPlainWAV: Bool
    /// Of the loudest channel of the original; `nil` if unknown, or digital silence.
    package var peakDBFS: Double?
    package var rmsDBFS: Double?
    /// Of the original's file, in hexadecimal; `nil` if unknown.
    package var sha256: String?
    /// What headers and tags of the original say.
    package var metadata = RecordingMetadata()
    /// Ascending; disjoint in each channel.
    package var stretches: [Stretch]

    package init(
        folder: Pathname, name: Pathname, file: Pathname, sampleRateHertz: Int, channels: Int,
        frames: Int64, isPlainWAV: Bool, stretches: [Stretch]
    ) {
        self.folder = folder
        self.name = name
        self.file = file
        self.sampleRateHertz = sampleRateHertz
        self.channels = channels
        self.frames = frames
        self.isPlainWAV = isPlainWAV
        self.stretches = stretches
    }

    package var path: Pathname { folder.appending(name) }

    /// The channels whose stretches are listed, or `nil` alone for all together.
    var listedChannels: [Int?] {
        stretches.contains { $0.channel != nil } ? Array(1...max(1, channels)) : [nil]
    }

    package var durationSeconds: Double { Double(frames) / Double(sampleRateHertz) }
}

/// A file format that other programs read.
///
/// A value writes one file, or one set of files, from beginning to end.
package protocol ExportFormat {
    /// As typed on the command line.
    static var name: String { get }
    /// The programs that read it.
    static var readers: String { get }
    /// What it can list; the default first.
    static var subjects: [ExportSubject] { get }
    /// Names of the files that list all recordings; empty if it can only be written beside each
    /// recording.
    static func files(of subject: ExportSubject) -> [Pathname]
    /// What is appended to a recording's name for a file about that alone; `nil` if a file always
    /// lists all.
    static var ending: String? { get }
    /// The folder in which each listed recording has a symbolic link, at its path; `nil` for none.
    static var links: Pathname? { get }
    /// Whether it can list the channels of a recording apart.
    static var hasChannels: Bool { get }

    init(_ subject: ExportSubject)
    /// Adds what comes before all recordings; one text per file.
    func begin(_ texts: inout [ExportText])
    /// Adds a recording, or nothing if it throws.
    mutating func add(
        _ recording: ExportedRecording, to texts: inout [ExportText]
    ) throws(ExportObstacle)
    /// Adds what comes after all recordings.
    mutating func end(_ texts: inout [ExportText])
}

extension ExportFormat {
    package static var links: Pathname? { nil }
    package static var hasChannels: Bool { false }
    package func begin(_ texts: inout [ExportText]) {}
    package mutating func end(_ texts: inout [ExportText]) {}
}

/// All formats, by name.
package enum ExportFormats {
    package static var all: [any ExportFormat.Type] {
        [
            AudacityLabels.self, AudioFolder.self, CSVTable.self, CueSheet.self,
            EditDecisionList.self,
            JSONLines.self, KaldiFolder.self, LhotseManifests.self, PlayList.self,
            NeMoManifest.self, OpenTimeline.self, RavenTable.self, RTTM.self, SubRip.self,
            PraatTextGrid.self, UEM.self, WebVTT.self,
        ]
    }

    package static func named(_ name: String) -> (any ExportFormat.Type)? {
        all.first { $0.name == name }
    }
}
