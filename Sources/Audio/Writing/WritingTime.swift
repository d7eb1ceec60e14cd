/// The places at which libsndfile writes the time of day into a file and cannot be told not to.
///
/// The same input shall give the same bytes each time, so they are zeroed in the finished file.
enum WritingTime {
    /// The most that has to be looked at.
    static let headerBytes = 512

    /// Where the time stands in a file that begins with `header`; `nil` where it holds none.
    static func place(in header: [UInt8]) -> Range<Int>? {
        if header.starts(with: "RF64".utf8) { return placeInPeaks(header) }
        // A remark in words, which readers expect to end with a zero.
        return header.starts(with: matlab.utf8) ? matlab.utf8.count..<116 : nil
    }

    private static let matlab = "MATLAB 5.0 MAT-file"

    /// The seconds since 1970 behind the version in a chunk of peak values.
    private static func placeInPeaks(_ header: [UInt8]) -> Range<Int>? {
        var offset = 12
        while offset + 16 <= header.count {
            let body = offset + 8
            if header[offset...].starts(with: "PEAK".utf8) { return body + 4..<body + 8 }
            let size = Int(integer(header[offset + 4..<body], bigEndian: false))
            offset = body + size + size % 2
        }
        return nil
    }
}
