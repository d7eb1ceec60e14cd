import Jobs
import Recordings

/// Looks in the record for results that a recording has under another name, where no recording is
/// any more: of the same file, or of one with the same content.
struct FindingPass {
    let order: FindingOrder
    let places: RunPlaces
    let record: OutputRecord
    let cancellation: Cancellation

    /// Runs the pass and returns its only answer.
    func run() -> Job.Action {
        do throws(FileSystemError) {
            if let identity = order.identity,
                let former = try record.works(of: identity, order.source.stamp).first(where: {
                    isFree($0.place, but: identity)
                })
            {
                return .found(try complete(former))
            }
            let bytes = order.source.stamp.bytes
            guard order.goesByContent, try record.hasContent(bytes: bytes) else {
                return .found(nil)
            }
            let pass = IdentifyingPass(
                source: order.source, places: places, cancellation: cancellation)
            switch pass.run() {
            case .identified(let digest):
                let former = try record.works(ofContent: digest, bytes: bytes).first {
                    isFree($0.place)
                }
                guard let former else { return .found(nil) }
                return .found(try complete(former))
            // Whoever decodes it finds what is wrong.
            case .failed: return .found(nil)
            case let other: return other
            }
        } catch {
            return .failed(RecordingFailure(error, in: .manifest), measured: nil)
        }
    }

    /// Whether no file has that name, or, if a file is given, at most another one than that.
    private func isFree(_ place: RecordedPlace, but identity: UInt64? = nil) -> Bool {
        if place.folder == order.source.folder, place.name == order.source.name { return false }
        let path = places.root.appending(place.folder).appending(place.name)
        do throws(FileSystemError) {
            let found = try FileSystem.status(path)
            return identity.map {
                found.withBirth(of: path, followingLink: true).identity != $0
            } ?? false
        } catch {
            return error.isMissing
        }
    }

    /// Adds which of the results are no longer as they were written; `nil` if some may not have
    /// their names yet.
    private func complete(_ former: FormerWork) throws(FileSystemError) -> FormerWork? {
        var former = former
        let place = former.place
        let folder = places.output.appending(place.folder)
        for file in try record.files(of: place) where file.temporary != nil {
            let found = try? StagedOutput.receipt(of: folder.appending(file.name))
            guard file.state == .current, found?.sha256 == file.sha256 else { return nil }
        }
        former.work.damage = EarlierResults.damage(to: former.work.entry) {
            try? FileSystem.status(folder.appending($0), followingLink: false).stamp
        }
        return former
    }
}
