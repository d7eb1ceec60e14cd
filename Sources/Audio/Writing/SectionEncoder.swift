import CSndfile
import Recordings

/// Encodes sections of a copy in FLAC so that they make one stream; for any number of threads.
package struct SectionEncoder: Sendable {
    private let info: SF_INFO
    /// Frames of a section, of the last one at the most.
    let sectionFrames: Int

    /// As long are the library's blocks; where they are not, there are no sections.
    private static let blockFrames = 4096

    /// Sections of about so many frames, a whole number of blocks.
    init(info: SF_INFO, about frames: Int) {
        self.info = info
        sectionFrames = max(1, frames / SectionEncoder.blockFrames) * SectionEncoder.blockFrames
    }

    /// Encodes a section; `nil` where the library does not do so as the joining of sections wants
    /// it, or has no memory.
    ///
    /// Memory is that of the section, encoded, and twice that while this runs.
    package func encode(_ section: CopySection) -> EncodedSection? {
        let file = MemoryFile(expected: section.byteCount)
        guard write(section, to: file),
            let header = FLACHeader(file.bytes), header.blockFrames == SectionEncoder.blockFrames
        else { return nil }
        let blocks = (section.frames + SectionEncoder.blockFrames - 1) / SectionEncoder.blockFrames
        // Whatever was appended before belongs to the header.
        let ends = file.ends.filter { $0 > header.bytes.count }
        guard ends.count == blocks, ends.last == file.bytes.count else { return nil }
        let first = section.number * (sectionFrames / SectionEncoder.blockFrames)
        var encoded = EncodedSection(
            number: section.number, frames: section.frames, header, expected: file.bytes.count)
        var begin = header.bytes.count
        for (number, end) in ends.enumerated() {
            guard let frame = FLACFrame(file.bytes[begin..<end], number: number) else {
                return nil
            }
            encoded.append(frame, as: first + number)
            begin = end
        }
        return encoded
    }

    private func write(_ section: CopySection, to file: MemoryFile) -> Bool {
        var info = info
        guard let handle = file.open(info: &info) else { return false }
        let frames = Int64(section.frames)
        let written =
            switch section.samples {
            case .int16(let samples): sf_writef_short(handle, samples, frames)
            case .int32(let samples): sf_writef_int(handle, samples, frames)
            }
        let isClosed = sf_close(handle) == 0
        return written == frames && isClosed
    }
}

/// A stretch of a copy in FLAC: its frames, numbered from the copy's beginning.
package struct EncodedSection: Sendable {
    package let number: Int
    /// Frames of sound.
    let frames: Int
    /// What the library put before them.
    let header: FLACHeader
    private(set) var bytes: [UInt8] = []
    /// The sizes of the frames, in bytes.
    private(set) var sizes: ClosedRange<Int>?

    fileprivate init(number: Int, frames: Int, _ header: FLACHeader, expected: Int) {
        self.number = number
        self.frames = frames
        self.header = header
        // Numbers of frames that lie further behind are longer.
        bytes.reserveCapacity(expected + expected / 64)
    }

    fileprivate mutating func append(_ frame: FLACFrame, as number: Int) {
        let begin = bytes.count
        frame.append(as: number, to: &bytes)
        let size = bytes.count - begin
        sizes = sizes?.including(size...size) ?? size...size
    }
}

extension ClosedRange<Int> {
    /// The shortest range that holds both.
    func including(_ other: ClosedRange<Int>) -> ClosedRange<Int> {
        Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }
}
