import Audio
import Recordings

extension Decoded {
    /// Reads `path` from the beginning to the end, in blocks of `blockFrames`.
    init(_ path: Pathname, blockFrames: Int = 1000) throws(AudioFileError) {
        var reader = try AudioFileReader(opening: path)
        self.init(format: reader.format)
        try Decoded.readAll(&reader, blockFrames: blockFrames, into: &self)
        try reader.verifyEnd()
    }

    /// Reads all that can be read, and gives what `verifyEnd()` says of it.
    static func ending(of path: Pathname) throws(AudioFileError) -> (Decoded, AudioFileError?) {
        var reader = try AudioFileReader(opening: path)
        var decoded = Decoded(format: reader.format)
        do throws(AudioFileError) {
            try readAll(&reader, blockFrames: 1000, into: &decoded)
            try reader.verifyEnd()
            return (decoded, nil)
        } catch {
            return (decoded, error)
        }
    }

    private static func readAll(
        _ reader: inout AudioFileReader, blockFrames: Int, into decoded: inout Decoded
    ) throws(AudioFileError) {
        var block = AudioBlock(channels: reader.format.channels, capacityFrames: blockFrames)
        repeat {
            try reader.read(into: &block)
            decoded.int16 += block.int16[..<block.sampleCount]
            decoded.samples += block.samples[..<block.sampleCount]
        } while block.frames > 0
    }
}
