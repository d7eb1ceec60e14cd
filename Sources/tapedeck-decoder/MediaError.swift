import CLibav
import DecoderMessages

/// Why libav cannot decode a file.
struct MediaError: Error {
    var failure: DecoderReply.Failure
    /// libav's error number; 0 if the reason is our own.
    var number: Int32 = 0
    /// The system's, if the file could not be read; else 0.
    var systemNumber: Int32 = 0

    /// libav's message.
    var text: String {
        guard number != 0 else { return "" }
        var buffer = [CChar](repeating: 0, count: 256)
        av_strerror(number, &buffer, buffer.count)
        return String(buffer: buffer)
    }

    /// A failed call of libav on a file.
    init(_ number: Int32, reading input: FileInput) {
        self.number = number
        systemNumber = input.errorNumber
        failure = .corrupt
    }

    init(_ failure: DecoderReply.Failure) { self.failure = failure }
}

extension String {
    /// The text in a buffer of the C library, up to its zero.
    init(buffer: [CChar]) {
        self.init(
            decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
