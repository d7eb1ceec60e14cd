import Recordings

/// When recordings were found to be gone, where what was made of them is to go some time later:
/// they may turn up in another place.
struct MissingSince: Hashable, Codable, Sendable {
    private var seconds: [FolderID: [Pathname: Double]] = [:]

    /// When a recording was found to be gone; `nil` where that is not known.
    subscript(folder: FolderID, name: Pathname) -> Double? {
        get { seconds[folder]?[name] }
        set {
            if newValue == nil, seconds[folder] == nil { return }
            seconds[folder, default: [:]][name] = newValue
            if seconds[folder]?.isEmpty == true { seconds[folder] = nil }
        }
    }

    /// Forgets a folder.
    mutating func forget(_ folder: FolderID) { seconds[folder] = nil }
}
