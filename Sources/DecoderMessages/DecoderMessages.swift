/// A request of `tapedeck` to its helper `tapedeck-decoder`.
///
/// Each message is one packet of a socket pair (`SOCK_SEQPACKET`), with the bytes of the struct as
/// they are in memory: both programs are built together. The helper answers each request with one
/// reply. Samples and texts are not sent, but written to memory that both processes share.
package struct DecoderRequest: Sendable {
    package enum Kind: Int64, Sendable {
        /// Opens the file whose descriptor comes with the packet, and closes the one before.
        case open = 1
        /// Decodes the next frames into the shared memory.
        case read
        /// Closes the file.
        case close
        /// Writes the file's picture to the shared memory.
        case picture
        /// Opens the file whose descriptor comes with the packet with any library, in the way of
        /// `tapedeck` itself. Text: the format if it has no header, or nothing.
        case openAny
        /// Decodes the next frames of that file as `carrier`, `frames` at a time, and no more than
        /// `mostFrames`.
        case readAny
        /// Moves to frame `frames` of that file.
        case seekAny
    }

    package var kind: Int64
    /// What the helper opens: `DecoderRequest.Input`.
    package var input: Int64
    /// The offset at which the file begins for the helper, as behind tags.
    package var start: Int64
    package var frames: Int64 = 0
    package var mostFrames: Int64 = 0
    /// `DecoderReply.Carrier`.
    package var carrier: Int64 = 0
    /// Bytes of text in the shared memory.
    package var textBytes: Int64 = 0

    /// The syntax of the file to open.
    package enum Input: Int64, Sendable {
        /// Any container that begins with its own mark; of a video, the first audio track.
        case container
        /// Headerless G.722 at 16 kHz.
        case g722
    }

    package init(_ kind: Kind, _ input: Input = .container, from start: Int64 = 0) {
        (self.kind, self.input, self.start) = (kind.rawValue, input.rawValue, start)
    }
}

/// The helper's reply; fields that its kind does not name are 0.
package struct DecoderReply: Sendable {
    package enum Kind: Int64, Sendable {
        /// The helper is ready: it sends this once, before any request. `cage`.
        case ready = 1
        /// A file is open. `rateHertz`, `channels`, `speakers`, `carrier`, and `frames` without
        /// padding if a comment states them. Text: the names of the container and the codec, then
        /// of each tag its name and value.
        case opened
        /// `frames` frames are in the shared memory, interleaved; 0 at the end. `damagedFrame`.
        /// Behind `mostSampleBytes`, `textBytes` bytes: what libav said meanwhile.
        case block
        /// `textBytes` bytes are in the shared memory: the media type of a picture, a zero, and the
        /// picture; 0 if there is none, or it is too large.
        case picture
        /// A request failed. `error`. Text: libav's message.
        case failed
        /// A file is open with any library. `rateHertz`, `channels`, `speakers`, `frames`,
        /// `format`, `start`, `state`. Text: container, encoding, view, library, reason, raw format
        /// and verdict, then of each tag its name and value.
        case openedAny
        /// `frames` frames are in the shared memory behind the texts. `state`, `errorNumber`,
        /// `damagedFrame` and `code` are those after the last step, which has `stepFrames` of
        /// them; before it they were those of the reply before. Text: what the library printed,
        /// what is wrong at the end, and the library's message.
        case blockAny
        /// A file could not be opened: `state`, `code`, `damagedFrame`, `frames` as those expected.
        /// Text: what the library printed, activity, reason and detail.
        case failedAny
    }

    /// Which facts of a reply there are, or are true.
    package struct State: OptionSet, Sendable {
        package let rawValue: Int64
        package init(rawValue: Int64) { self.rawValue = rawValue }

        package static let complains = State(rawValue: 1)
        /// `code`.
        package static let hasCode = State(rawValue: 2)
        /// `damagedFrame`.
        package static let hasFrame = State(rawValue: 4)
        package static let isReadToItsEnd = State(rawValue: 8)
        package static let lacksFramesWithinAlone = State(rawValue: 16)
        package static let isSeekable = State(rawValue: 32)
        /// `start`.
        package static let isStream = State(rawValue: 64)
        /// `format`.
        package static let hasFormat = State(rawValue: 128)
        /// `frames`.
        package static let hasFrames = State(rawValue: 256)
    }

    package enum Failure: Int64, Sendable {
        /// No known container.
        case unrecognised = 1
        /// A container whose audio has no decoder.
        case unsupported
        /// The container is damaged or incomplete, or could not be read: then `errorNumber` is the
        /// system's.
        case corrupt
        /// The rate changes within the file, so that what follows has no place in it.
        case rateChanges
        /// A container without an audio track, such as a silent video.
        case noTrack
    }

    package var kind: Int64
    package var failure: Int64 = 0
    package var errorNumber: Int64 = 0
    package var rateHertz: Int64 = 0
    package var channels: Int64 = 0
    /// The number type of the samples: `DecoderReply.Carrier`.
    package var carrier: Int64 = 0
    /// Bits of a sample that are used, from the most significant; 0 if unknown.
    package var bits: Int64 = 0
    package var frames: Int64 = 0
    /// The loudspeakers of the channels, by the bits of `WAVEFORMATEXTENSIBLE`; 0 if unknown.
    package var speakers: Int64 = 0
    /// The frame before which a packet could not be decoded; -1 if there was none so far.
    package var damagedFrame: Int64 = -1
    /// What keeps the helper from anything but decoding: `DecoderReply.Cage`.
    package var cage: Int64 = 0
    /// Bytes of text in the shared memory: strings, each with a zero behind it.
    package var textBytes: Int64 = 0
    package var state: Int64 = 0
    /// libsndfile's code of the file's format.
    package var format: Int64 = 0
    /// Where the frames of an MPEG stream begin.
    package var start: Int64 = 0
    /// The library's error number.
    package var code: Int64 = 0
    package var stepFrames: Int64 = 0

    package enum Carrier: Int64, Sendable {
        case int16 = 1
        case int32, float32, float64

        package var bytes: Int {
            switch self {
            case .int16: 2
            case .int32, .float32: 4
            case .float64: 8
            }
        }
    }

    /// What the kernel has to cage the helper with; the numbers are those of `CCage`.
    package struct Cage: OptionSet, Hashable, Sendable {
        package let rawValue: Int64
        package init(rawValue: Int64) { self.rawValue = rawValue }

        /// It can open no file and use no TCP port.
        package static let landlock = Cage(rawValue: 1)
        /// It can make no system calls but those of decoding.
        package static let seccomp = Cage(rawValue: 2)
    }

    package init(_ kind: Kind) { self.kind = kind.rawValue }
}

/// The layout of the processes' descriptors and memory.
package enum DecoderHelperLayout {
    /// The helper's end of the socket.
    package static let socket: Int32 = 3
    /// The shared memory.
    package static let memory: Int32 = 4
    package static let memoryBytes = 1 << 20
    package static let mostFramesAtOnce = 1 << 14
    /// Of texts in a reply.
    package static let mostTextBytes = 1 << 16
    /// Samples of any library are behind the texts, those of libav before them.
    package static let mostSampleBytes = memoryBytes - mostTextBytes
    /// More channels than any recorder has; a frame must fit into the memory many times.
    package static let mostChannels = 256
}

extension [String] {
    /// These texts as bytes, each with a zero behind it, as far as there is room.
    package var asMessage: [UInt8] {
        var bytes: [UInt8] = []
        for text in self {
            let own = text.utf8.filter { $0 != 0 } + [0]
            guard bytes.count + own.count <= DecoderHelperLayout.mostTextBytes else { break }
            bytes += own
        }
        return bytes
    }

    /// The texts in a message.
    ///
    /// They are copied first: another process may write to them meanwhile, and text must not change
    /// between a look and its use.
    package static func texts(of message: UnsafeRawBufferPointer) -> [String] {
        [UInt8](message).split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
