import Recordings
import ReducerKit

/// The manifest entry of a recording, kept until its folder's manifest is written.
///
/// Packed, unless it has rare fields: for a short recording that takes a fifth of the memory, and
/// about a microsecond to pack or unpack.
package struct SettledEntry: Sendable {
    private enum Form: Equatable, Sendable {
        case packed([UInt8])
        case whole(Boxed<ManifestEntry>)
    }

    package let name: Pathname
    private let form: Form

    package init(_ entry: ManifestEntry) { self.init(Boxed(entry)) }

    package init(_ entry: Boxed<ManifestEntry>) {
        name = entry.value.name
        form = if let packed = entry.value.packed { .packed(packed) } else { .whole(entry) }
    }

    private init(name: Pathname, _ form: Form) {
        self.name = name
        self.form = form
    }

    /// The same, which from now on shares the memory of a name that is the same.
    package func sharing(_ name: Pathname) -> SettledEntry {
        if case .packed = form { SettledEntry(name: name, form) } else { self }
    }

    package var value: ManifestEntry {
        get {
            switch form {
            case .packed(let bytes): ManifestEntry(name: name, packed: bytes)
            case .whole(let entry): entry.value
            }
        }
        set { self = SettledEntry(newValue) }
    }

    /// The value's, without unpacking the rest.
    package var status: ManifestEntry.Status {
        switch form {
        case .packed(let bytes): ManifestEntry.head(ofPacked: bytes).status
        case .whole(let entry): entry.value.status
        }
    }

    /// The value's, without unpacking the rest.
    package var decoding: Decoding? {
        switch form {
        case .packed(let bytes): ManifestEntry.head(ofPacked: bytes).decoding
        case .whole(let entry): entry.value.decoding
        }
    }

    /// The value's.
    package var failure: RecordingFailure? { rarities?.value.failure }

    /// The value's.
    package var recipe: Recipe? { rarities?.value.recipe }

    /// The value, which nothing is copied for where it is not packed.
    package var boxed: Boxed<ManifestEntry> {
        if case .whole(let entry) = form { entry } else { Boxed(value) }
    }

    /// What it takes, where it is packed.
    var packedBytes: Int? {
        if case .packed(let bytes) = form { bytes.count } else { nil }
    }

    /// Whether it names files of an earlier one.
    package var leavesBehind: Bool {
        switch form {
        case .packed(let bytes): ManifestEntry.head(ofPacked: bytes).leavesBehind
        case .whole(let entry): entry.value.leftBehind != nil
        }
    }

    /// The entry where there may be something rare in it: nothing that is packed has such.
    private var rarities: Boxed<ManifestEntry>? {
        if case .whole(let entry) = form { entry } else { nil }
    }
}

extension SettledEntry: Hashable, Codable, CustomReflectable {
    /// By what they say, however they are kept.
    package static func == (left: SettledEntry, right: SettledEntry) -> Bool {
        left.name == right.name && (left.form == right.form || left.value == right.value)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    package init(from decoder: any Decoder) throws {
        self.init(try ManifestEntry(from: decoder))
    }

    /// The entry's own.
    package var customMirror: Mirror { Mirror(reflecting: value) }
}
