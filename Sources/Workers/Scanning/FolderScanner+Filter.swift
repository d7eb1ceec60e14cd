import Jobs
import Recordings

// What filters leave out.

extension FolderScanner {
    /// The filter of a folder, by the user's options and the ignore lists down to it.
    ///
    /// Throws if one of the lists cannot be read: nobody knows what it leaves out.
    func filter(of folder: Pathname) throws(FileSystemError) -> FolderFilter {
        var lists: [IgnoreList] = []
        var place = places.root
        for (depth, name) in ([.empty] + folder.components).enumerated() {
            place = place.appending(name)
            let path = place.appending(IgnoreList.name)
            let text = try ifThere { () throws(FileSystemError) in
                try FileSystem.contents(of: path)
            }
            if let text { lists.append(IgnoreList(text, depth: depth)) }
        }
        return FolderFilter(places.rules.filter, lists, in: folder)
    }

    /// The answer for a folder that is left out: what is recorded of it, and nothing else.
    func listLeftOut(
        _ id: FolderID, _ request: FolderScan.Request, _ filter: FolderFilter
    ) throws(FileSystemError) -> FolderScan.Action {
        let fingerprint = DirectoryListing(isWhole: false, named: [], filter: filter).fingerprint
        if request.known == fingerprint { return .unchanged(id) }
        var listing = FolderListing(unseen: try record.contents(of: request.path).works)
        listing.isLeftOut = true
        listing.fingerprint = fingerprint
        return .listed(id, listing)
    }

    /// Recordings of a folder that the filter leaves out, ascending, also if they are gone.
    func leftOut(_ survey: DirectoryListing, _ unseen: [PreviousWork]) -> [Pathname] {
        let filter = survey.filter
        let known = unseen.filter { work in
            work.entry.source.map { filter.leavesOut($0) } == true
                || filter.leavesOut(work.entry.name)
        }
        return Set(survey.leftOut + known.map(\.entry.name)).sorted()
    }
}
