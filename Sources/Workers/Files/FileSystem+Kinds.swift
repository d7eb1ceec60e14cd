import CSync
import Glibc
import Recordings

// Capabilities of file systems by their Linux magic number (statfs(2), `f_type`).

extension FileSystem {
    /// Whether a file system is a network, cluster or FUSE mount: files can then change behind the
    /// kernel's back, so it misses change events and writers.
    ///
    /// One system call, which blocks if a server does not respond.
    static func isRemote(_ path: Pathname) throws(FileSystemError) -> Bool {
        isRemote(kind: try kind(at: path))
    }

    /// As `isRemote(_:)`, for an open file; true if `fstatfs` fails.
    static func isRemote(_ descriptor: Int32) -> Bool {
        kind(of: descriptor).map(isRemote) ?? true
    }

    static func isRemote(kind: UInt32) -> Bool {
        remoteKinds.contains(kind) || ownerlessRemoteKinds.contains(kind)
    }

    /// Whether a file's owner is this process's effective user or root.
    static func isOurs(owner: UInt32) -> Bool { owner == 0 || owner == geteuid() }

    /// Whether an open file's file system stores file owners; true if `fstatfs` fails.
    ///
    /// Others report every file as owned by whoever mounted them, or by the one user that a server
    /// maps everybody to.
    static func keepsOwners(_ descriptor: Int32) -> Bool {
        kind(of: descriptor).map(keepsOwners) ?? true
    }

    /// As `keepsOwners(_:)`, for a path.
    static func keepsOwners(_ path: Pathname) throws(FileSystemError) -> Bool {
        keepsOwners(kind: try kind(at: path))
    }

    static func keepsOwners(kind: UInt32) -> Bool {
        !ownerlessKinds.contains(kind) && !ownerlessRemoteKinds.contains(kind)
    }

    static func kind(at path: Pathname) throws(FileSystemError) -> UInt32 {
        var info = statfs()
        guard path.withCString({ statfs($0, &info) }) == 0 else { throw FileSystemError(path) }
        // The field's signedness and width (32 or 64 bits) depend on the architecture.
        return UInt32(truncatingIfNeeded: info.f_type)
    }

    private static func kind(of descriptor: Int32) -> UInt32? {
        var info = statfs()
        return fstatfs(descriptor, &info) == 0 ? UInt32(truncatingIfNeeded: info.f_type) : nil
    }

    private static let ownerlessKinds: Set<UInt32> = [
        0x0000_4D44,  // FAT
        0x2011_BAB0,  // exFAT
        0x5346_544E,  // NTFS
        0x7366_746E,  // NTFS, as ntfs3 has it
        0x0000_4244,  // HFS
    ]

    private static let ownerlessRemoteKinds: Set<UInt32> = [
        0x0000_6969,  // NFS, which may be squashed
        0x0000_517B,  // SMB
        0xFF53_4D42,  // CIFS
        0xFE53_4D42,  // SMB 2 and later
        0x6573_5546,  // FUSE, thus sshfs, rclone, ntfs-3g and shares of a host
        0x0102_1997,  // 9p
        0x786F_4256,  // vboxsf
        0xBACB_ACBC,  // vmhgfs
        0x7C7C_6673,  // prl_fs
        0x5346_414F,  // AFS, as OpenAFS has it
        0x6B41_4653,  // AFS, as Linux has it
        0x7375_7245,  // Coda
        0x0000_564C,  // NCP
    ]

    private static let remoteKinds: Set<UInt32> = [
        0x00C0_FFEE,  // hostfs
        0x00C3_6400,  // Ceph
        0x0BD0_0BD0,  // Lustre
        0x2003_0528,  // OrangeFS
        0x4750_4653,  // GPFS
        0x0116_1970,  // GFS2
        0x7461_636F,  // OCFS2
    ]
}
