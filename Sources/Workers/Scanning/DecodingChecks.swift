import Audio
import Jobs
import Recordings

extension FolderScanner {
    /// Holds results of earlier versions against the recordings, once for each result.
    ///
    /// Reads headers; decodes nothing.
    func checkDecodings(of recordings: inout [ScannedFile], in folder: Pathname) {
        for index in recordings.indices {
            guard case .file(let stamp) = recordings[index].finding,
                let previous = recordings[index].previous, previous.entry.status == .done,
                (previous.entry.decoding?.revision ?? 1) < Decoding.currentRevision
            else { continue }
            let entry = previous.entry
            guard entry.source == stamp, let format = entry.format else { continue }
            let earlier = EarlierDecoding(format, hasCopy: entry.copy != nil)
            do throws(AudioFileError) {
                let decoding = try earlier.confirmed(by: folder.appending(entry.name))
                recordings[index].previous?.check = decoding.map(DecodingCheck.same) ?? .misread
            } catch {
                // Otherwise it cannot be read now, and the next run checks it.
                if RecordingFailure(error, in: .decode).isOfDecoding {
                    recordings[index].previous?.check = .misread
                }
            }
        }
    }
}

extension RecordingFailure {
    /// Whether no decoder that is installed opens a file.
    fileprivate var isOfDecoding: Bool {
        liesInRecording || [.needsLibav, .decoderCrashed].contains(reason)
    }
}
