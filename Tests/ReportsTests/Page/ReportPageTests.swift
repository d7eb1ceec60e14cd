import Recordings
import Testing

@testable import Reports

@Suite struct ReportPageTests {
    private let format = AudioFormat(
        container: .wav, encoding: .pcm16, sampleRateHertz: 1000, channels: 1, frames: 10_000)

    private func links(_ folder: Pathname = "A/B") -> ReportLinks {
        ReportLinks(of: folder, way: "..")
    }

    private func entry(_ name: Pathname = "a.wav") -> ManifestEntry {
        var entry = ManifestEntry(
            name: name, status: .done,
            source: FileStamp(bytes: 1, modifiedNanoseconds: 1_700_000_000_500_000_000))
        entry.format = format
        return entry
    }

    private func copy(_ kept: Range<Int64>...) -> TrimmedFile {
        let edits = EditList(keeping: kept, of: 10_000)
        return TrimmedFile(
            path: "a.wav", durationSeconds: Double(edits.trimmedFrameCount) / 1000, bytes: 1,
            sha256: "", edits: edits.edits)
    }

    @Test(arguments: [
        ("" as Pathname, ".." as Pathname, "../a%20%231.wav"),
        ("A/B", "..", "../../../A/B/a%20%231.wav"),
        ("A", "../other place", "../../other%20place/A/a%20%231.wav"),
        ("", ".", "./a%20%231.wav"),
    ])
    func linkLeadsFromPageToRecording(folder: Pathname, way: Pathname, link: String) {
        #expect(ReportLinks(of: folder, way: way).recording("a #1.wav") == link)
    }

    @Test func linkSpellsEveryByteThatIsNotPlain() {
        let name = Pathname(bytes: Array("é:?%\"<".utf8) + [0xFF, 0x0A])
        #expect(links("").recording(name) == "../%C3%A9%3A%3F%25%22%3C%FF%0A")
    }

    @Test func titleOfAFolderIsEscaped() {
        let page = ReportPage.html(of: "<b>&\"A\"/B")
        #expect(page.contains("<title>&lt;b&gt;&amp;&quot;A&quot;/B – Tapedeck</title>"))
        #expect(page.contains("data-top=\"../../\"") && page.contains("src=\"../../report.js\""))
        #expect(!page.contains("<b>"))
    }

    @Test func rowSaysWhatIsKnown() {
        var entry = entry("b\n.wav")
        entry.levels = Levels(
            peakDBFS: [-3.04, nil], rmsDBFS: [-20, nil], dcOffset: [0, 0],
            clippedSamples: [2, 3], samplesBeyondFullScale: [0, 0])
        entry.silence = SilenceMap(
            noiseFloorDBFS: -60.04, signalToNoiseDecibels: 30.06, confidence: 0.987,
            separable: true, silent: false, intervalsSeconds: [[0, 1], [8.5, 10]])
        entry.trimmed = copy(750..<8750)
        let row = ReportRow(entry, links())
        #expect(row.name == "b\\n.wav" && row.state == .done && row.modified == 1_700_000_000)
        #expect(row.file == "../../../A/B/b%0A.wav" && row.plays)
        #expect(row.copy == "a.wav" && row.copyPlays == true && row.cutSeconds == 2)
        #expect(row.format == "mono, 1000 Hz, pcm16 in wav" && row.seconds == 10)
        #expect(row.peak == -3 && row.rms == -20 && row.clipped == 5)
        #expect(row.floor == -60 && row.signalToNoise == 30.1 && row.confidence == 0.99)
        #expect(row.silenceSeconds == 2.5 && row.silent == nil && row.notes == [])
    }

    @Test func rowHasWhatTheRecordingSaysOfItself() {
        var entry = entry()
        entry.metadata = RecordingMetadata()
        #expect(ReportRow(entry, links()).metadata == nil)
        entry.metadata?.title = "<b>"
        #expect(ReportRow(entry, links()).metadata?.title == "<b>")
    }

    @Test func rowTellsWhatIsWrongInWords() {
        var entry = entry()
        entry.notTrimmed = .silent
        entry.warnings = [RecordingWarning(.truncated, frame: 12)]
        let warned = ReportRow(entry, links())
        #expect(warned.warned == true)
        #expect(
            warned.notes == [
                "the file is cut off after frame 12",
                "nothing is cut: all of it is taken for silence",
            ])
        entry.status = .failed
        entry.failure = RecordingFailure(stage: .decode, reason: .emptyFile)
        let failed = ReportRow(entry, links())
        #expect(failed.state == .failed && failed.notes == ["the file is empty"])
        entry.status = .sourceMissing
        entry.failure = nil
        let missing = ReportRow(entry, links())
        #expect(missing.state == .missing)
        #expect(missing.notes.first == "the recording is gone; its results are kept")
    }

    @Test func servedRowLeadsToWhatTheServerMakes() {
        var entry = entry()
        entry.format = AudioFormat(
            container: .aiff, encoding: .pcm16, sampleRateHertz: 8000, channels: 1, frames: 80)
        let still = ReportRow(entry, links())
        #expect(still.drawing == nil && still.sound == nil && !still.plays)
        let served = ReportLinks(of: "A", way: "../recordings", isServed: true)
        let row = ReportRow(entry, served)
        #expect(row.sound == row.file + "?wav" && row.drawing != nil && row.details != nil)
        entry.format = format
        #expect(ReportRow(entry, served).sound == nil)
        entry.status = .failed
        #expect(ReportRow(entry, served).details == nil)
    }

    @Test func cutsAreWhatTheCopyLeavesOut() {
        var entry = entry()
        #expect(ReportDrawing(entry).cuts == [])
        entry.trimmed = copy(500..<4000, 4250..<10_000)
        #expect(ReportDrawing(entry).cuts == [[0, 0.5], [4, 4.25]])
        entry.trimmed = copy(0..<9000)
        #expect(ReportDrawing(entry).cuts == [[9, 10]])
    }

    private func inspection(seconds: Int) -> Inspection {
        let levels = Levels(
            peakDBFS: [0], rmsDBFS: [0], dcOffset: [0], clippedSamples: [0],
            samplesBeyondFullScale: [0])
        return Inspection(
            source: FileStamp(bytes: 1, modifiedNanoseconds: 1), format: format, levels: levels,
            silence: .notAnalysed(of: format),
            peaks: Peaks(
                samplesPerPixel: 10, channels: 1,
                values: Array(repeating: 256, count: 200 * seconds)))
    }

    @Test func detailsOfLongRecordingsAreAsLargeAsOfShorterOnes() {
        func sizes(seconds: Int) -> [Int] {
            var inspection = inspection(seconds: seconds)
            inspection.spectrogram = Spectrogram(
                sampleRateHertz: 1000, framesPerColumn: 10,
                edgesHertz: (0...192).map(Double.init),
                levelsDBFS: Array(repeating: -50, count: 192 * 100 * seconds))
            var trace = DetectorTrace(framesPerSecond: 100)
            trace.levelsDBFS = Array(repeating: -30, count: 100 * seconds)
            (trace.floorsDBFS, trace.scores) = (trace.levelsDBFS, trace.levelsDBFS)
            trace.thresholds = trace.levelsDBFS
            inspection.trace = trace
            var sizes: [Int] = []
            _ = ReportDetails(
                peaks: inspection.peaks, spectrogram: inspection.spectrogram,
                trace: inspection.trace
            ) {
                sizes.append($0.count)
                return ""
            }
            return sizes
        }
        // Peaks, spectrogram of 48 rows, level, floor, score and threshold.
        #expect(sizes(seconds: 1) == [200, 4800, 100, 100, 100, 100])
        let most = [12_000, 640 * 48, 1500, 1500, 1500, 1500]
        #expect(sizes(seconds: 60) == most && sizes(seconds: 100) == most)
    }

    @Test func toneStandsWhereItIsInTimeAndFrequency() throws {
        var inspection = inspection(seconds: 10)
        var levels = Array(repeating: Float(-90), count: 192 * 1000)
        // Row 100 of 192 from column 500 on: row 25 of 48, column 320 of 640.
        for column in 500..<1000 { levels[192 * column + 100] = -10 }
        inspection.spectrogram = Spectrogram(
            sampleRateHertz: 1000, framesPerColumn: 10, edgesHertz: (0...192).map(Double.init),
            levelsDBFS: levels)
        var picture: [UInt8] = []
        let details = ReportDetails(
            peaks: inspection.peaks, spectrogram: inspection.spectrogram, trace: nil
        ) {
            picture = $0
            return ""
        }
        let bright = picture.indices.filter { picture[$0] == 254 }
        #expect(bright.allSatisfy { $0 % 48 == 25 } && bright.count == 320)
        #expect(bright.first == 320 * 48 + 25)
        #expect(details.spectrogram?.edges.count == 49 && details.spectrogram?.edges[25] == 100)
        #expect(details.spectrogram?.high == -10)
    }

    @Test(
        arguments: [
            (-120, 0), (-110, 0), (-55, 127), (0, 254), (20, 254), (-Float.infinity, 255),
        ] as [(Float, UInt8)])
    func numberIsOneByte(number: Float, byte: UInt8) {
        #expect(ReportDetails.byte(number, -110, 0) == byte)
    }

    @Test func columnsHoldLowestAndHighestOfTheirPixels() {
        func columns(_ values: [Int16], channels: Int = 1) -> [Int8] {
            ReportDrawing.columns(
                of: Peaks(samplesPerPixel: 256, channels: channels, values: values)
            ).map { Int8(bitPattern: $0) }
        }
        #expect(columns([]) == [])
        #expect(columns([-256, 512, -32768, 32767]) == [-1, 2, -128, 127])
        // Channels together.
        #expect(columns([-256, 512, -1024, 256], channels: 2) == [-4, 2])
        // 2,000 pixels in 1,000 columns of two.
        let pair: [Int16] = [0, 256, -256, 512]
        let pixels = Array(repeatElement(pair, count: 1000).joined())
        let many = columns(pixels)
        #expect(many.count == 2000 && many.prefix(4) == [-1, 2, -1, 2])
    }
}
