import Jobs
import Recordings
import WaveformData

/// Writes peaks to waveform files, under temporary names.
struct WaveformFiles {
    let recipe: WaveformRecipe
    /// Of what was decoded, whole.
    let format: AudioFormat
    /// The time that outputs bear: their source's.
    let modifiedNanoseconds: Int64
    let folder: DirectoryHandle

    /// - Parameters:
    ///   - names: one per zoom.
    ///   - staged: receives the complete files, also if it throws.
    func write(
        _ peaks: [Peaks], as names: [Pathname], _ staged: inout [StagedFile]
    ) throws(FileSystemError) -> [WaveformFile] {
        var files: [WaveformFile] = []
        for (peaks, name) in zip(peaks, names) {
            let waveform = Waveform(
                peaks: peaks, sampleRateHertz: format.sampleRateHertz, bits: recipe.bits)
            files.append(try write(waveform, as: name, &staged))
        }
        return files
    }

    private func write(
        _ waveform: Waveform, as name: Pathname, _ staged: inout [StagedFile]
    ) throws(FileSystemError) -> WaveformFile {
        let file = try StagedOutput(name, in: folder)
        let receipt = try file.write { (put) throws(FileSystemError) in
            switch recipe.format {
            case .dat: try waveform.writeBinary(to: put)
            case .json: try waveform.writeJSON(to: put)
            case .floatJSON:
                try waveform.writeFloatJSON(durationSeconds: format.durationSeconds, to: put)
            }
        }
        staged.append(try file.keep(modifiedNanoseconds: modifiedNanoseconds))
        return WaveformFile(
            path: name, samplesPerPixel: waveform.samplesPerPixel, bits: waveform.bits,
            channels: waveform.channels, length: waveform.length, bytes: receipt.bytes,
            sha256: receipt.sha256)
    }
}
