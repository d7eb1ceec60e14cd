import Foundation
import Recordings
import TestSupport
import Testing

/// Pages of results, by the built binary; `Tests/Report` looks at them in a browser.
@Suite struct ReportTests {
    private let library = Library()

    private func text(_ path: Pathname) -> String {
        String(decoding: TestFolder.bytes(of: library.output.appending(path)), as: UTF8.self)
    }

    private func isThere(_ path: Pathname) -> Bool {
        Snapshot.status(library.output.appending(path)) != nil
    }

    private func report(_ path: Pathname? = nil) -> Tool.Outcome {
        Tool.run(["report", (path ?? library.root).text])
    }

    /// What is wrong with the page of each folder.
    private static let pages: [Pathname] = [
        "index.html", "report-rows.js", "A/index.html", "A/report-rows.js", "A/report-0.js",
        "report.js", "report.css", "report-folders.js",
    ]

    @Test func reportWritesPagesOfAllFolders() {
        library.addRecording("A/one.wav")
        library.addRecording("A/B/two.wav")
        #expect(library.run().status == 0)
        let outcome = report()
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(outcome.output.hasSuffix("tapedeck/index.html: 13 files written\n"))
        for page in ReportTests.pages { #expect(isThere(page), "\(page)") }
        #expect(text("A/B/index.html").contains("src=\"../../report.js\""))
        #expect(text("A/B/report-rows.js").contains("\"file\":\"../../../A/B/two.wav\""))
        #expect(text("A/report-0.js").contains("\"peaks\":\""))
        #expect(Tool.run(["verify", library.output.text]).status == 0)
    }

    @Test func detailsAreMadeOnceAndGoWithTheirRecording() {
        library.addRecording("one.wav")
        library.add("silence.wav", SmallWAV.bytes(Array(repeating: 0, count: 16_000)))
        #expect(library.run().status == 0)
        #expect(Tool.run(["report", library.root.text, "--no-details"]).status == 0)
        #expect(!isThere("one.wav.report.js") && !text("report-rows.js").contains("details"))
        #expect(report().output.hasSuffix("index.html: 3 files written\n"))
        for part in ["peaks", "spectrogram", "level", "floor", "score", "threshold"] {
            #expect(text("one.wav.report.js").contains("\"\(part)\":"), "\(part)")
        }
        #expect(text("report-rows.js").contains("\"details\":\"one.wav.report.js\""))
        // A run keeps those of recordings that have not changed, and makes those that have.
        let before = (text("silence.wav.report.js"), text("one.wav.report.js"))
        library.add("one.wav", SmallWAV.bytes(SmallWAV.voice(after: 2)))
        #expect(library.run().status == 0)
        #expect(text("silence.wav.report.js") == before.0)
        #expect(isThere("one.wav.report.js") && text("one.wav.report.js") != before.1)
        #expect(report().output.hasSuffix("index.html: up to date\n"))
        unlink(library.root.appending("one.wav").text)
        #expect(library.run("--prune").status == 0)
        #expect(!isThere("one.wav.report.js") && isThere("silence.wav.report.js"))
        #expect(Tool.run(["verify", library.output.text]).status == 0)
    }

    @Test func runThatListensMakesTheDetailsThatReportWouldMake() {
        for number in 0..<40 { library.addRecording(Pathname("A/\(number).wav"), seconds: 0.5) }
        #expect(library.run("--report").status == 0)
        let names = (0..<40).map { Pathname("A/\($0).wav.report.js") }
        let made = names.map(text)
        #expect(made.allSatisfy { $0.contains("\"spectrogram\":") })
        #expect(report().output.hasSuffix("index.html: up to date\n"))
        for name in names { unlink(library.output.appending(name).text) }
        #expect(report().output.hasSuffix("index.html: 40 files written\n"))
        #expect(names.map(text) == made)
    }

    @Test func reportOfUnchangedResultsWritesNothing() {
        library.addRecording("A/one.wav")
        #expect(library.run().status == 0 && report().status == 0)
        let before = library.snapshot()
        #expect(report().output.hasSuffix("index.html: up to date\n"))
        #expect(library.run().status == 0)
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func laterRunsKeepPagesUpToDate() {
        library.addRecording("A/one.wav")
        library.addRecording("B/two.wav")
        #expect(library.run("--report").status == 0)
        let before = (text("A/report-0.js"), text("B/report-rows.js"))
        library.addRecording("B/three.wav")
        unlink(library.root.appending("B/two.wav").text)
        #expect(library.run("--prune").status == 0)
        #expect(text("A/report-0.js") == before.0 && text("B/report-rows.js") != before.1)
        #expect(text("B/report-rows.js").contains("three.wav"))
        #expect(!text("B/report-rows.js").contains("two.wav"))
        #expect(Tool.run(["verify", library.output.text]).status == 0)
    }

    @Test func pagesAreRemovedWhenTheyAreNotWantedAnyMore() {
        library.addRecording("A/one.wav")
        #expect(library.run().status == 0)
        let before = library.snapshot()
        #expect(report().status == 0 && library.run("--no-report").status == 0)
        for page in ReportTests.pages { #expect(!isThere(page), "\(page)") }
        #expect(library.snapshot().files == before.files)
    }

    @Test func fileInTheWayStaysAndIsTold() throws {
        library.addRecording("A/one.wav")
        #expect(library.run().status == 0)
        let mine = library.output.appending("A/index.html")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: mine.text))
        let outcome = report()
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("A/index.html is not written: it was modified, or is"))
        #expect(text("A/index.html") == "mine" && isThere("A/report-rows.js"))
    }

    @Test func pageWithoutWaveformsTellsTheRest() {
        library.addRecording("one.wav")
        #expect(library.run("--waveform-format", "json").status == 0 && report().status == 0)
        #expect(text("report-0.js").contains("\"silences\":[["))
        #expect(!text("report-0.js").contains("peaks"))
    }

    @Test func folderWithoutResultsHasNoReport() {
        library.addRecording("one.wav")
        let outcome = report()
        #expect(outcome.status == 1 && outcome.errors.contains("no results"))
        #expect(!isThere("index.html"))
    }
}
