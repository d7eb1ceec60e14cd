import CSync
import Glibc
import Recordings

extension FileSystem {
    /// Whether other machines, or programs that stand for them, can change files behind the
    /// kernel's back: it then neither tells of all that happens nor knows all who write.
    ///
    /// One system call, which waits where a server does not answer.
    static func isRemote(_ path: Pathname) throws(FileSystemError) -> Bool {
        var info = statfs()
        guard path.withCString({ statfs($0, &info) }) == 0 else { throw FileSystemError(path) }
        return isRemote(info)
    }

    /// As `isRemote(_:)`, for an open file; one that cannot be asked counts as remote.
    static func isRemote(_ descriptor: Int32) -> Bool {
        var info = statfs()
        return fstatfs(descriptor, &info) != 0 || isRemote(info)
    }

    private static func isRemote(_ info: statfs) -> Bool {
        // Signed or not, and of 32 bits or 64, depending on the machine.
        isRemote(kind: UInt32(truncatingIfNeeded: info.f_type))
    }

    /// Whether the number by which Linux tells kinds of file systems apart stands for a remote
    /// one.
    static func isRemote(kind: UInt32) -> Bool { remoteKinds.contains(kind) }

    private static let remoteKinds: Set<UInt32> = [
        0x0000_6969,  // NFS
        0x0000_517B,  // SMB
        0xFF53_4D42,  // CIFS
        0xFE53_4D42,  // SMB 2 and later
        0x6573_5546,  // FUSE, thus sshfs and rclone; also shares of a virtual machine's host
        0x0102_1997,  // 9p
        0x786F_4256,  // vboxsf
        0xBACB_ACBC,  // vmhgfs
        0x7C7C_6673,  // prl_fs
        0x00C0_FFEE,  // hostfs
        0x5346_414F,  // AFS, as OpenAFS has it
        0x6B41_4653,  // AFS, as Linux has it
        0x7375_7245,  // Coda
        0x0000_564C,  // NCP
        0x00C3_6400,  // Ceph
        0x0BD0_0BD0,  // Lustre
        0x2003_0528,  // OrangeFS
        0x4750_4653,  // GPFS
        0x0116_1970,  // GFS2
        0x7461_636F,  // OCFS2
    ]
}
