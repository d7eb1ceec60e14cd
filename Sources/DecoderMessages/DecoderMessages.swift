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
    }

    package var kind: Int64
    /// What the helper opens: `DecoderRequest.Input`.
    package var input: Int64
    /// The offset at which the file begins for the helper, as behind tags.
    package var start: Int64

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
        case block
        /// `textBytes` bytes are in the shared memory: the media type of a picture, a zero, and the
        /// picture; 0 if there is none, or it is too large.
        case picture
        /// A request failed. `error`. Text: libav's message.
        case failed
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

    package enum Carrier: Int64, Sendable {
        case int16 = 1
        case int32, float32

        package var bytes: Int { self == .int16 ? 2 : 4 }
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
    /// More channels than any recorder has; a frame must fit into the memory many times.
    package static let mostChannels = 256
}
