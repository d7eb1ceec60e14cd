import Glibc
import Recordings

/// One kernel event; see `inotify(7)`.
struct InotifyEvent: Hashable {
    /// The watch descriptor; -1 if the event has none.
    var watch: Int32
    /// The event type, one bit, plus flags such as IN_ISDIR.
    var mask: UInt32
    /// The file's name; `nil` if the event concerns the folder itself.
    var name: Pathname?

    /// The event types that are requested.
    ///
    /// IN_MODIFY is not: a growing file would wake us with every write. This misses two changes
    /// that the kernel reports as IN_MODIFY: truncating a file without opening it, and setting only
    /// its modification time.
    static let wanted = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
            | IN_DELETE_SELF | IN_MOVE_SELF)

    /// Whether the mask has any of these bits.
    func isAny(of bits: Int32...) -> Bool {
        bits.contains { mask & UInt32($0) != 0 }
    }

    /// Whether the event concerns a folder.
    var isOfFolder: Bool { isAny(of: IN_ISDIR) }

    /// Parses the events of one read; a truncated one is dropped.
    static func all(in bytes: UnsafeRawBufferPointer) -> [InotifyEvent] {
        var events: [InotifyEvent] = []
        var rest = bytes[...]
        while rest.count >= headBytes {
            let head = UnsafeRawBufferPointer(rebasing: rest)
            let nameBytes = Int(head.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
            guard rest.count - headBytes >= nameBytes else { break }
            // The name is padded with zeros up to the next event.
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

    /// Watch, mask, cookie (unused) and name length: four 32-bit fields.
    private static let headBytes = 16
}
