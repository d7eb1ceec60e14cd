import CSync
import Glibc
import Recordings

extension FileSystem {
    /// Whether a file's owner is the user that this process acts for, or root.
    static func isOurs(owner: UInt32) -> Bool { owner == 0 || owner == geteuid() }

    /// Whether the file system of an open file keeps who owns it; one that cannot be asked does.
    ///
    /// Others show every file as owned by whoever mounted them, or by the user that a server makes
    /// of everybody.
    static func keepsOwners(_ descriptor: Int32) -> Bool {
        var info = statfs()
        guard fstatfs(descriptor, &info) == 0 else { return true }
        // Signed or not, and of 32 bits or 64, depending on the machine.
        return keepsOwners(kind: UInt32(truncatingIfNeeded: info.f_type))
    }

    /// As `keepsOwners(_:)`, for what a path leads to.
    static func keepsOwners(_ path: Pathname) throws(FileSystemError) -> Bool {
        var info = statfs()
        guard path.withCString({ statfs($0, &info) }) == 0 else { throw FileSystemError(path) }
        return keepsOwners(kind: UInt32(truncatingIfNeeded: info.f_type))
    }

    /// As `keepsOwners(_:)`, by the number by which Linux tells kinds of file systems apart.
    static func keepsOwners(kind: UInt32) -> Bool { !ownerlessKinds.contains(kind) }

    private static let ownerlessKinds: Set<UInt32> = [
        0x0000_4D44,  // FAT
        0x2011_BAB0,  // exFAT
        0x5346_544E,  // NTFS
        0x7366_746E,  // NTFS, as ntfs3 has it
        0x0000_4244,  // HFS
        0x0000_6969,  // NFS, which may be squashed
        0x0000_517B,  // SMB
        0xFF53_4D42,  // CIFS
        0xFE53_4D42,  // SMB 2 and later
        0x6573_5546,  // FUSE, thus sshfs and ntfs-3g
        0x0102_1997,  // 9p
        0x786F_4256,  // vboxsf
        0xBACB_ACBC,  // vmhgfs
        0x7C7C_6673,  // prl_fs
        0x5346_414F,  // AFS, as OpenAFS has it
        0x6B41_4653,  // AFS, as Linux has it
        0x7375_7245,  // Coda
        0x0000_564C,  // NCP
    ]
}
