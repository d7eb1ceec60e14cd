import Audio
import CSQLite
import Glibc
import Recordings

/// What this machine has that runs rest on.
package struct MachineFacts: Hashable, Sendable {
    package var sndfile = LibraryCheck.sndfile
    package var sqlite = String(cString: sqlite3_libversion())
    package var helper = LibraryCheck.helper
    package var cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    /// How many more files can be opened.
    package var freeFiles = OpenFileLimit.raise()
    /// The maximum number of watched folders of this user, and of watching programs; `nil` if
    /// unknown.
    package var watches = MachineFacts.number(in: "/proc/sys/fs/inotify/max_user_watches")
    package var watchers = MachineFacts.number(in: "/proc/sys/fs/inotify/max_user_instances")

    package init() {}

    private static func number(in path: Pathname) -> Int? {
        // Such files give nothing to a second read.
        guard let bytes = try? FileSystem.beginning(of: path, bytes: 32) else { return nil }
        return Int(String(decoding: bytes, as: UTF8.self).filter(\.isNumber))
    }
}

/// The file system that a folder is on.
package struct DiskFacts: Hashable, Sendable {
    /// Such as `ext4`; a number in hexadecimal if it is not known here.
    package var kind: String
    /// Whether changes can go unnoticed, so that folders are polled.
    package var isRemote: Bool
    package var freeBytes: Int64
    package var isWritable: Bool

    /// - Returns: `nil` if there is no such folder.
    package init?(_ path: Pathname) {
        guard let number = try? FileSystem.kind(at: path) else { return nil }
        kind = DiskFacts.names[number] ?? "0x" + String(number, radix: 16)
        isRemote = FileSystem.isRemote(kind: number)
        isWritable = path.withCString { access($0, W_OK) } == 0
        var info = statvfs()
        let isKnown = path.withCString { statvfs($0, &info) } == 0
        freeBytes = isKnown ? Int64(clamping: UInt64(info.f_bavail) * UInt64(info.f_frsize)) : 0
    }

    /// By magic number (statfs(2)).
    private static let names: [UInt32: String] = [
        0xEF53: "ext4", 0x5846_5342: "xfs", 0x9123_683E: "btrfs", 0x0102_1994: "tmpfs",
        0x794C_7630: "overlay", 0x2FC1_2FC1: "zfs", 0x6969: "nfs", 0xFF53_4D42: "cifs",
        0xFE53_4D42: "smb2", 0x6573_5546: "fuse", 0x4D44: "vfat", 0x2011_BAB0: "exfat",
        0x5346_544E: "ntfs", 0x7366_746E: "ntfs3", 0x0102_1997: "9p", 0x00C3_6400: "ceph",
    ]
}
