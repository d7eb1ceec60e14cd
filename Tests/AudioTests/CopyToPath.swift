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
        if path.text.hasPrefix("/dev/") {
            let descriptor = open(path.text, O_WRONLY)
            defer { close(descriptor) }
            return try write(
                keeping: edits, from: source, to: NewFile(descriptor: descriptor, path: path),
                container: container, fadeFrames: fadeFrames, isCancelled: isCancelled)
        }
        unlink(path.text)
        let created = try CreatedFile(path)
        return try write(
            keeping: edits, from: source, to: created.file, container: container,
            fadeFrames: fadeFrames, isCancelled: isCancelled)
    }
}
