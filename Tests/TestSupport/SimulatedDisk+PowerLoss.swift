import Jobs
import Recordings

extension SimulatedDisk {
    /// Forgets what a loss of power makes a disk forget.
    mutating func losePower(using random: inout SeededGenerator) {
        let percent = random.pick([0, 30, 60, 90, 100])
        var lost: Set<Place> = []
        for change in changes {
            let places = [change.from, change.to].compactMap {
                $0.map { Place(folder: change.folder, name: $0) }
            }
            // The file system keeps the order of what happens to one name.
            if lost.isDisjoint(with: places), random.chance(percent: percent) {
                SimulatedDisk.apply(change, to: &durableNames)
            } else {
                lost.formUnion(places)
            }
        }
        names = durableNames
        changes = []
        for id in unsynced.sorted() {
            files[id] = remains(of: files[id], durable[id], using: &random)
            durable[id] = files[id]
        }
        unsynced = []
        touched = Set(names.keys)
    }

    private func remains(
        of file: File, _ before: File?, using random: inout SeededGenerator
    ) -> File {
        let hollow = File(content: .garbage, stamp: file.stamp)
        let empty = File(content: .garbage, stamp: FileStamp(bytes: 0, modifiedNanoseconds: .max))
        return random.pick([file, hollow, empty, before ?? hollow])
    }
}
