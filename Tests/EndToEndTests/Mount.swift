import Foundation
import Recordings
import TestSupport
import Testing

/// File systems of a test's own, where the system lets it have them.
enum Mount {
    /// Whether they can be had, found out by having one.
    static let isPossible: Bool = {
        let folder = TestFolder()
        return tmpfs(at: folder.path, bytes: 1 << 16) { true } ?? false
    }()

    static let reason: Comment = "mounting is for the system's own user"

    /// Lends a new file system that has room for so many bytes; `nil` where that cannot be.
    static func tmpfs<Result>(
        at folder: Pathname, bytes: Int, _ body: () throws -> Result
    ) rethrows -> Result? {
        try whileMounted(
            folder, by: "mount -t tmpfs -o size=\(bytes),mode=755 tapedeck-test", body)
    }

    /// Gives a file system room for so many bytes.
    static func resize(_ folder: Pathname, bytes: Int) {
        shell("mount -o remount,size=\(bytes)", folder)
    }

    /// Makes a folder read-only, whoever asks for it; files that are open stay writable.
    static func readOnly<Result>(
        _ folder: Pathname, _ body: () throws -> Result
    ) rethrows -> Result? {
        try whileMounted(folder, by: "mount --bind '\(folder.text)'") {
            shell("mount -o remount,bind,ro", folder)
            return try body()
        }
    }

    private static func whileMounted<Result>(
        _ folder: Pathname, by command: String, _ body: () throws -> Result
    ) rethrows -> Result? {
        guard shell(command, folder) else { return nil }
        // Whoever still looks keeps what he sees; its name is free at once.
        defer { shell("umount -l", folder) }
        return try body()
    }

    @discardableResult
    private static func shell(_ command: String, _ folder: Pathname) -> Bool {
        Tool.shell("\(command) '\(folder.text)'").status == 0
    }
}
