import Recordings

/// A trimmed copy in FLAC that is written section by section; for one thread at a time.
///
/// The file is to the byte what `TrimmedCopy.write` makes.
package struct JoinedCopy: ~Copyable {
    private let file: VirtualFile
    private let path: Pathname
    private var header: FLACHeader?
    private var place: Int64 = 0
    private var sections = 0
    private var frames: Int64 = 0
    private var sizes: ClosedRange<Int>?

    /// Begins the copy in a file that whoever calls this keeps open.
    ///
    /// Throws where it cannot be written.
    package init(writing new: NewFile) throws(AudioFileError) {
        file = try VirtualFile(writing: new, expected: nil, told: { _ in })
        path = new.path
    }

    /// Appends the next section.
    ///
    /// Throws where it cannot be written, as on a full disk.
    package mutating func append(_ section: EncodedSection) throws(AudioFileError) {
        precondition(section.number == sections, "sections come in their order")
        sections += 1
        if header == nil {
            header = section.header
            try write(section.header.bytes)
        }
        try write(section.bytes)
        frames += Int64(section.frames)
        if let own = section.sizes { sizes = sizes?.including(own) ?? own }
    }

    /// Says at the file's beginning what has become of it; whether it has anything.
    ///
    /// Throws where it cannot be written.
    /// - Parameter digest: The MD5 of all samples as they are stored.
    package mutating func finish(digest: [UInt8]) throws(AudioFileError) -> Bool {
        guard var header, let sizes else { return false }
        header.describe(sizes: sizes, frames: frames, digest: digest)
        place = 0
        try write(header.bytes)
        file.finishWriting()
        guard file.errorNumber == 0 else {
            throw AudioFileError(.closing, path, errno: file.errorNumber)
        }
        return true
    }

    private mutating func write(_ bytes: [UInt8]) throws(AudioFileError) {
        let place = place
        guard bytes.withUnsafeBytes({ file.write($0, at: place) }) else {
            throw AudioFileError(.writing, path, errno: file.errorNumber)
        }
        self.place += Int64(bytes.count)
    }
}
