import Foundation
import Recordings
import TestSupport
import Testing

/// What a run says that a change of settings does, held against what it does.
@Suite struct SettingsChangeTests {
    private let library = Library()

    /// Numbers of recordings, told or found out.
    private struct Counts: Equatable {
        var remade = 0
        var added = 0
        var removed = 0
        var kept = 0
        var drawn = 0
        var undrawn = 0
        var checksums = 0
        var failing = 0
        var new = 0
    }

    private func entries() throws -> [Pathname: ManifestEntry] {
        var entries: [Pathname: ManifestEntry] = [:]
        for folder in ["", "A"] as [Pathname] {
            for entry in try library.manifest(folder).recordings {
                entries[folder.appending(entry.name)] = entry
            }
        }
        return entries
    }

    /// What a run has done to the results of each recording.
    private func counts(
        _ before: (entries: [Pathname: ManifestEntry], files: [Pathname: FileIdentity])
    ) throws -> Counts {
        var counts = Counts()
        let files = library.identities()
        for (path, now) in try entries() {
            guard let entry = before.entries[path] else {
                counts.new += 1
                continue
            }
            let place = { (name: Pathname) in path.parent.appending(name) }
            let isSame = { (name: Pathname) in
                before.files[place(name)] != nil && before.files[place(name)] == files[place(name)]
            }
            switch (entry.trimmed?.path, now.trimmed?.path) {
            case (let old?, _) where isSame(old): counts.kept += 1
            case (nil, nil): break
            case (nil, _?): counts.added += 1
            case (_?, nil): counts.removed += 1
            case (_?, _?): counts.remade += 1
            }
            let isDrawn = entry.waveforms?.contains { !isSame($0.path) } == true
            if isDrawn { counts.drawn += 1 } else { counts.undrawn += 1 }
            if entry.sourceSHA256 == nil, now.sourceSHA256 != nil { counts.checksums += 1 }
            if entry.status == .done, now.status == .failed { counts.failing += 1 }
        }
        return counts
    }

    /// The numbers in a line, and the number of copies that are made again or removed.
    private func told(_ line: String) throws -> (counts: Counts, either: Int) {
        var numbers: [String: Int] = [:]
        let list = try #require(line.split(separator: "; ", maxSplits: 1).last)
        for part in list.split(separator: ", ") {
            var words = part.split(separator: " ").map(String.init)
            let place = try #require(words.firstIndex { Int($0) != nil }, "\(part)")
            let number = try #require(Int(words[place]))
            words[place] = "#"
            let text = words.joined(separator: " ")
                .replacing("copies", with: "copy").replacing("recordings", with: "recording")
                .replacing("stays", with: "stay")
            #expect(numbers.updateValue(number, forKey: text) == nil)
        }
        func take(_ text: String) -> Int { numbers.removeValue(forKey: text) ?? 0 }
        var counts = Counts()
        let either = take("# trimmed copy will be made again or removed")
        counts.remade = take("# trimmed copy will be made again")
        counts.added = take("# trimmed copy will be added")
        counts.removed = take("# trimmed copy will be removed")
        counts.kept = take("# trimmed copy stay")
        counts.drawn = take("waveforms of # recording will be made again")
        counts.undrawn = take("waveforms of # recording stay")
        counts.checksums = take("# recording will get a checksum")
        counts.failing = take("# recording with warnings will fail")
        counts.new = take("# new recording will be processed")
        _ = take("silence will be detected again in # recording")
        #expect(numbers == [:], "\(line)")
        return (counts, either)
    }

    @Test(arguments: [
        ([], ["--trim", "gaps"]),
        (["--trim", "gaps", "--longest-gap", "0.5"], ["--trim", "edges"]),
        ([], ["--trim", "off"]),
        (["--trim", "off"], ["--trim", "gaps"]),
        ([], ["--trim", "off", "--samples-per-pixel", "64"]),
        ([], ["--samples-per-pixel", "256,1024", "--keep-silence", "0.1"]),
        ([], ["--waveform-format", "json"]),
        // Some copies are no longer worth it.
        (["--keep-silence", "0.1"], ["--keep-silence", "0.9"]),
        (["--keep-silence", "1.5"], ["--keep-silence", "0.1"]),
        (["--min-confidence", "0.5"], ["--min-confidence", "1"]),
        ([], ["--trim-format", "flac"]),
        ([], ["--min-silence", "0.9"]),
        ([], ["--threshold", "-1"]),
        ([], ["--strict"]),
        ([], ["--strict", "--trim", "off", "--waveform-bits", "16"]),
        ([], ["--checksums"]),
        ([], ["--checksums", "--split-channels"]),
        ([], ["--raw", "*.bin=s16le,8000"]),
        ([], ["--max-hours", "10"]),
        (["--trim", "gaps", "--waveform-bits", "16", "--checksums"], ["--defaults"]),
    ])
    func whatIsSaidIsDone(first: [String], then: [String]) throws {
        library.addSettingsExamples()
        #expect(Tool.run(["run", library.root.text] + first).status == 0)
        let before = (try entries(), library.identities())
        let run = Tool.run(["run", library.root.text] + then)
        let line = try #require(run.outputLines.first { $0.hasPrefix("settings changed: ") })
        let (told, either) = try told(line)
        var done = try counts(before)
        #expect(told.remade + told.removed + either == done.remade + done.removed, "\(line)")
        // Nobody knows yet which of these lose their copy, or get one.
        if line.contains("silence will be detected again") {
            (done.remade, done.removed, done.added) = (told.remade, told.removed, told.added)
        }
        #expect(told == done, "\(line)")
        #expect(!run.output.contains("affected results"))
        // Later runs go on with it.
        #expect(!library.run().output.contains(" done"))
    }

    @Test func modifiedSourcesAndPrunedResultsAreCounted() throws {
        library.addSettingsExamples()
        #expect(library.run().status == 0)
        unlink(library.root.appending("A/whole.wav").text)
        library.addPauses("new.wav")
        let run = library.run("--trim", "gaps", "--prune")
        let line = try #require(run.outputLines.first)
        #expect(line.contains("results of 1 recording will be removed"))
        #expect(line.contains("1 new recording will be processed"))
        #expect(run.outputLines.contains("1 recording is gone; what was made of it is removed"))
    }

    @Test func changeIsNotReportedWithoutResults() {
        library.makeFolder("library/empty")
        #expect(library.run("--trim", "off").status == 0)
        let run = library.run("--trim", "gaps")
        #expect(!run.output.contains("settings") && !run.errors.contains("settings"))
        #expect(library.run().errors.contains(": --trim gaps ("))
    }

    /// In a watch as in a run.
    @Test func watchSaysWhatItDoes() throws {
        library.addSettingsExamples()
        #expect(library.run().status == 0)
        let before = (try entries(), library.identities())
        let run = library.watch("--trim", "off")
        let line = try #require(run.outputLines.first)
        let (told, _) = try told(line)
        #expect(told.removed > 1)
        #expect(try told == counts(before), "\(line)")
    }

    /// What is planned in the same process before takes no signal from it.
    @Test func runWithChangedSettingsStopsInOrder() throws {
        library.addRecording("0.wav")
        library.addLongRecordings(["1.wav", "2.wav", "3.wav"])
        #expect(library.run("--trim", "off").status == 0)
        let changes = ["--waveform-bits", "16", "--min-silence", "0.3"]
        let running = RunningTool(
            ["run", library.root.text, "--json", "--jobs", "1"] + changes)
        var lines: [String] = []
        while lines.last?.contains(#""event":"recording""#) != true {
            lines.append(try #require(running.nextLine()))
        }
        #expect(lines.first?.contains(#""event":"runSettings""#) == true)
        running.send(signal: SIGINT)
        let outcome = running.wait()
        #expect(outcome.status == 130)
        #expect(outcome.outputLines.last?.contains(#""exitStatus":130"#) == true)
        // Another run does the rest.
        let next = library.run()
        #expect(next.status == 0 && next.output.contains(" done"))
        #expect(try library.manifest().recordings.allSatisfy { $0.waveforms?.first?.bits == 16 })
    }
}
