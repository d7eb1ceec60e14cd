import Foundation
import Recordings

@testable import Audio

extension TrimmedCopy {
    /// As the function that takes an open file, for a new one in the place of what is at a path; a
    /// device is written to as it is.
    static func write(
        keeping edits: EditList, from source: Pathname, to path: Pathname,
        container: TrimmedContainer, fadeFrames: Int, isCancelled: () -> Bool
    ) throws(AudioFileError) -> Bool {
        try loss(
            keeping: edits, from: source, to: path, container: container, fadeFrames: fadeFrames,
            isCancelled: isCancelled) != nil
    }

    /// Writes a copy, and returns what it lacks of the metadata; `nil` when cancelled.
    static func loss(
        keeping edits: EditList, from source: Pathname, to path: Pathname,
        container: TrimmedContainer, fadeFrames: Int = 0, isCancelled: () -> Bool = { false }
    ) throws(AudioFileError) -> MetadataLoss? {
        let isDevice = path.text.hasPrefix("/dev/")
        let flags = isDevice ? O_WRONLY : O_RDWR | O_CREAT | O_TRUNC
        let descriptor = open(path.text, flags, 0o666)
        defer { close(descriptor) }
        return try write(
            keeping: edits, from: source, to: NewFile(descriptor: descriptor, path: path),
            container: container, fadeFrames: fadeFrames, isCancelled: isCancelled)
    }
}
