import Glibc
import Recordings

/// One event as the kernel words it: see `inotify(7)`.
struct InotifyEvent: Hashable {
    /// Names a watched folder; -1 where the event is about none.
    var watch: Int32
    /// What happened: one bit, besides those that say more of it.
    var mask: UInt32
    /// What it happened to; `nil` where that is the folder itself.
    var name: Pathname?

    /// What the kernel is asked to tell of.
    ///
    /// Not of each change of a file's contents: one that grows would wake us with every write.
    /// That leaves out two things that the kernel takes for the same: a file that is cut short
    /// without being opened, and a time of last change that is set without one of last access.
    static let wanted = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
            | IN_DELETE_SELF | IN_MOVE_SELF)

    /// Whether it is one of these.
    func isAny(of bits: Int32...) -> Bool {
        bits.contains { mask & UInt32($0) != 0 }
    }

    /// Whether it happened to a folder.
    var isOfFolder: Bool { isAny(of: IN_ISDIR) }

    /// The events that one read gave; one that is cut off is left out.
    static func all(in bytes: UnsafeRawBufferPointer) -> [InotifyEvent] {
        var events: [InotifyEvent] = []
        var rest = bytes[...]
        while rest.count >= headBytes {
            let head = UnsafeRawBufferPointer(rebasing: rest)
            let nameBytes = Int(head.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
            guard rest.count - headBytes >= nameBytes else { break }
            // Zeros fill the name up to where the next event may begin.
            let name = head[headBytes..<(headBytes + nameBytes)].prefix { $0 != 0 }
            events.append(
                InotifyEvent(
                    watch: head.loadUnaligned(as: Int32.self),
                    mask: head.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
                    name: name.isEmpty ? nil : Pathname(bytes: Array(name))))
            rest = rest.dropFirst(headBytes + nameBytes)
        }
        return events
    }

    /// The watch, the mask, a number that is not looked at, and the bytes of the name.
    private static let headBytes = 16
}
