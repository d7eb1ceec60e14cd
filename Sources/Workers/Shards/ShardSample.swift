import Glibc
import Jobs
import Recordings

/// Some of the recordings of a run, and how much work all are.
package struct ShardSample: Sendable {
    package var recordings: Int64 = 0
    package var work = 0.0
    /// Absolute; the largest, and others spread over all work.
    package var paths: [Pathname] = []
    /// That of these paths.
    package var sampleWork = 0.0

    private static let mostPaths: Int64 = 16

    /// Lists the recordings, in a file without a name.
    package init(of places: RunPlaces) throws(RunRefusal) {
        do throws(FileSystemError) {
            var listing = try Database("", .create)
            try listing.execute(
                "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + ShardPlan.tables)
            let nothing = try OutputRecord()
            try listing.transaction { (listing) throws(FileSystemError) in
                _ = try ShardLister(places, nothing).list(into: &listing, wantsIdentities: false)
            }
            let sums = try listing.first("SELECT count(*), total(work) FROM recordings") {
                ($0.integer(0), $0.real(1))
            }
            (recordings, work) = sums ?? (0, 0)
            let step = max(1, recordings / ShardSample.mostPaths)
            try listing.forEach(
                """
                SELECT f.path, r.name, r.work FROM recordings AS r
                JOIN folders AS f ON f.id = r.folder
                WHERE r.id % ?1 = 0 OR r.id = (SELECT id FROM recordings ORDER BY work DESC LIMIT 1)
                """, .integer(step)
            ) { row in
                paths.append(places.root.appending(row.path(0)).appending(row.path(1)))
                sampleWork += row.real(2)
            }
        } catch {
            throw .pathUnreadable(error.path, detail: error.detail)
        }
    }

    /// The most memory that this process has had, in bytes.
    package static var peakBytes: Int64 {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Int64(usage.ru_maxrss) * 1024
    }

    package static var nowSeconds: Double { ActionSources.nowSeconds }
}
