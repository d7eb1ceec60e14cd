import Foundation
import Recordings
import TestSupport
import Testing

/// One run over a copy of the sample recordings, another after it, and one with a single job.
private struct CorpusRun {
    let library = Library()
    let before: Snapshot
    let first: Tool.Outcome
    let afterFirst: Snapshot
    let second: Tool.Outcome
    let afterSecond: Snapshot
    /// By one job, to an output beside the library.
    let alone: Tool.Outcome
    let aloneOutput: Pathname

    /// Made once for all tests that look at it.
    ///
    /// Proof: nothing in it changes once it is made.
    nonisolated(unsafe) static let shared = CorpusRun()

    private init() {
        Corpus.copy(into: library)
        before = library.snapshot()
        first = library.run("--jobs", "2")
        afterFirst = library.snapshot()
        second = library.run("--jobs", "2")
        afterSecond = library.snapshot()
        aloneOutput = library.folder.path("alone")
        alone = library.run("--jobs", "1", "--json", "--output", aloneOutput.text)
    }
}

@Suite struct CorpusTests {
    @Test func everyRecordingHasExpectedManifestEntry() throws {
        let run = CorpusRun.shared
        var count = 0
        for (name, says) in try Corpus.expectations() {
            let entry = try? run.library.manifest(name.parent)[name.lastComponent]
            switch says.split(separator: ";").first.map(String.init) ?? "" {
            case "ignored":
                #expect(entry == nil, "\(name)")
                continue
            case "done":
                #expect(entry?.status == .done, "\(name): \(String(describing: entry?.failure))")
                #expect(entry?.notTrimmed == nil || says != "done", "\(name)")
                let warning = entry?.warnings?.first.map { "done; warning: `\($0.kind.rawValue)`" }
                #expect(warning == (says.contains("warning") ? says : nil), "\(name)")
            case let failure:
                #expect(entry?.status == .failed, "\(name)")
                let reason = entry?.failure?.reason.rawValue ?? "no reason"
                #expect(failure == "failed: `\(reason)`", "\(name)")
            }
            count += 1
        }
        #expect(count == 45)
    }

    @Test func runExitsWithStatus3AndPrintsCounts() throws {
        let run = CorpusRun.shared
        let expectations = try Corpus.expectations().map(\.says)
        let failed = expectations.count { $0.hasPrefix("failed") }
        let done = expectations.count { $0.hasPrefix("done") }
        #expect(run.first.status == 3)
        #expect(
            run.first.outputLines.first
                == "\(done + failed) recordings: \(done) done, \(failed) failed")
        #expect(run.first.outputLines.contains("results are in tapedeck"))
    }

    @Test func eachFailureIsReportedOnOneLine() throws {
        let run = CorpusRun.shared
        for (outcome, isFirst) in [(run.first, true), (run.second, false), (run.alone, true)] {
            // Warnings of what is up to date are counted, not told again.
            let failing = try Corpus.expectations().filter {
                $0.says.hasPrefix("failed") || isFirst && $0.says.contains("warning")
            }
            let named = outcome.errorLines.map { line in
                line.split(separator: ": ").dropFirst().first.map(String.init) ?? line
            }
            #expect(named.sorted() == failing.map(\.name.displayed).sorted())
            #expect(outcome.errorLines.allSatisfy { $0.hasPrefix("tapedeck: ") })
        }
    }

    @Test func originalsAreUnchanged() {
        let run = CorpusRun.shared
        let output: Pathname = "library/tapedeck"
        // The library's own folder has got a new name in it.
        let changed = run.afterFirst.without(output).differences(from: run.before.without(output))
        #expect(changed == ["library"])
        #expect(run.before.names.count > 60)
    }

    @Test func secondRunWritesNothing() {
        let run = CorpusRun.shared
        #expect(run.second.status == 3)
        #expect(run.second.outputLines.first == "45 recordings: 42 up to date, 3 still failed")
        #expect(run.afterSecond.differences(from: run.afterFirst) == [])
    }

    @Test func outputsAreIdenticalForAnyJobCount() {
        let run = CorpusRun.shared
        #expect(run.alone.status == 3)
        let two = run.library.outputs()
        let one = Snapshot(run.aloneOutput, comparingFolderTimes: false)
        #expect(one.wherever.differences(from: two.wherever) == [])
        #expect(one.files.count > 70)
    }

    @Test func everyOutputFileIsListedInAManifest() throws {
        let library = CorpusRun.shared.library
        let outputs = library.outputs()
        let manifests = outputs.files.filter { $0.lastComponent == "manifest.json" }
        var named = Set(manifests)
        for manifest in manifests {
            for entry in try library.manifest(manifest.parent).recordings {
                let paths =
                    (entry.waveforms ?? []).map(\.path) + (entry.trimmed.map { [$0.path] } ?? [])
                named.formUnion(paths.map { manifest.parent.appending($0) })
            }
        }
        #expect(Set(outputs.files) == named)
        #expect(!outputs.names.contains { $0.text.hasSuffix(".partial") })
    }
}

// MARK: - JSON

extension CorpusTests {
    @Test func jsonOutputHasOneObjectPerLineAndSummary() throws {
        let run = CorpusRun.shared
        let objects = try run.alone.outputLines.map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let events = objects.compactMap { $0["event"] as? String }
        #expect(events == Array(repeating: "recording", count: 45) + ["summary"])
        let names = objects.dropLast().compactMap { object -> Pathname? in
            guard let folder = object["folder"] as? String, let name = object["name"] as? String
            else { return nil }
            return (folder == "." ? .empty : Pathname(folder)).appending(Pathname(name))
        }
        let expected = try Corpus.expectations().filter { $0.says != "ignored" }.map(\.name)
        #expect(names.sorted() == expected.sorted())
        let summary = try #require(objects.last)
        #expect(summary["done"] as? Int == 42)
        #expect(summary["failed"] as? Int == 3)
        #expect(summary["exitStatus"] as? Int == 3)
        #expect(summary["output"] as? String == run.aloneOutput.text)
        let check = SchemaCheck.run(part: "line", run.alone.output)
        #expect(check.status == 0, "\(check.errors)")
    }

    @Test func manifestsMatchSchemaAndFiles() {
        let outcome = SchemaCheck.run(CorpusRun.shared.library.output)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "9 manifests\n")
    }

    @Test(arguments: [
        (#""version":1"#, #""version":2"#), (#""status":"done""#, #""status":"perhaps""#),
        (#""bits":8"#, #""bits":"8""#), (#""name":"#, #""nom":"#),
        (#""folder":"calls""#, #""folder":"calls","run":1"#),
        (#""frames":"#, #""frames":-"#), (#""clippedSamples":[0]"#, #""clippedSamples":[]"#),
        (#""notTrimmed":"off""#, #""notTrimmed":"off","trimmed":null"#),
    ])
    func schemaRejectsInvalidManifests(right: String, wrong: String) throws {
        let library = Library()
        let manifest = CorpusRun.shared.library.output.appending("calls/manifest.json")
        var text = String(decoding: TestFolder.bytes(of: manifest), as: UTF8.self)
        if right.contains("notTrimmed") {
            text = text.replacing(#""status":"done""#, with: #""notTrimmed":"off","status":"done""#)
        }
        let altered = text.replacing(right, with: wrong)
        #expect(altered != text)
        library.add("manifest.json", Array(altered.utf8))
        let outcome = SchemaCheck.run(library.root, filesToo: false)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("manifest.json"))
    }
}

// MARK: - Trimmed copies

extension CorpusTests {
    @Test func trimmedCopiesKeepEverySampleOutsideFades() throws {
        let library = CorpusRun.shared.library
        var compared = 0
        for manifest in library.outputs().files where manifest.lastComponent == "manifest.json" {
            let folder = manifest.parent
            for entry in try library.manifest(folder).recordings {
                guard let trimmed = entry.trimmed, let format = entry.format,
                    format.container == .wav, format.encoding == .pcm16, entry.warnings == nil
                else { continue }
                let path = folder.appending(entry.name)
                let source = try #require(
                    SmallWAV.samples(in: TestFolder.bytes(of: library.root.appending(path))))
                let copy = try #require(
                    SmallWAV.samples(
                        in: TestFolder.bytes(
                            of: library.output.appending(folder).appending(trimmed.path))))
                expectEqualApartFromFades(copy, source, trimmed, format, "\(path)")
                compared += 1
            }
        }
        #expect(compared >= 10)
    }

    private func expectEqualApartFromFades(
        _ copy: [Int16], _ source: [Int16], _ trimmed: TrimmedFile, _ format: AudioFormat,
        _ name: String
    ) {
        let fade = Int64((0.005 * Double(format.sampleRateHertz)).rounded())
        let list = trimmed.edits
        #expect(Int64(copy.count) == list.reduce(0) { $0 + $1.frames } * Int64(format.channels))
        for edit in list {
            let fadesIn = edit.sourceFrames[0] > 0
            let fadesOut = edit.sourceFrames[1] < format.frames
            let first = edit.sourceFrames[0] + (fadesIn ? fade : 0)
            let end = edit.sourceFrames[1] - (fadesOut ? fade : 0)
            let frames = Int(first) * format.channels..<Int(end) * format.channels
            let shift = Int(edit.trimmedFrame - edit.sourceFrames[0]) * format.channels
            let kept = copy[frames.lowerBound + shift..<frames.upperBound + shift]
            #expect(kept.elementsEqual(source[frames]), "\(name)")
        }
    }
}

extension Pathname {
    /// As failures show it; none of the corpus's failing names needs more.
    fileprivate var displayed: String { text }
}
