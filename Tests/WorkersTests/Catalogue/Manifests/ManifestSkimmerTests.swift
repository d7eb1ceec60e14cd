import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// Skimming is held against reading in full.
@Suite struct ManifestSkimmerTests {
    private let folder = TestFolder()

    private static func manifest() -> Manifest {
        var entries = RecordExample.awkwardNames.map { Example.doneEntry($0) }
        entries[0].trimmed = TrimmedFile(
            path: "b.wav", durationSeconds: 3.25, bytes: 99, sha256: "cc", edits: [])
        entries[1].recipe = Recipe()
        entries[2].silence = Example.silence([[0, 10]], silent: true)
        entries[3] = ManifestEntry(name: entries[3].name, status: .failed, source: nil)
        entries[3].failure = RecordingFailure(
            stage: .decode, reason: .other, detail: "a \"b\\\" {[", code: 3)
        entries[3].leftBehind = ["x \"]}\\", "y"]
        entries[4].sourceSHA256 = "dd"
        entries[5].status = .sourceMissing
        entries[6] = entries[3]
        entries[6].name = RecordExample.awkwardNames[6]
        entries[6].status = .sourceMissing
        var recipe = Recipe()
        recipe.waveform.bits = 16
        return Manifest(
            folder: "A", recipe: recipe, recipeFingerprint: "f", recordings: entries)
    }

    @discardableResult
    private func write(_ text: [UInt8]) -> Pathname {
        folder.write(text, to: OutputNames.manifest)
    }

    @Test func skimmedOutcomesMatchFullEntries() throws {
        let manifest = Self.manifest()
        write(ManifestFile.bytes(of: manifest))
        let skimmed = try skimmed()
        #expect(skimmed.recipe == manifest.recipe)
        let outcomes = manifest.recordings.map { entry in
            var outcome = ResultOutcome(name: entry.name, status: entry.status)
            outcome.durationSeconds = entry.format?.durationSeconds ?? 0
            outcome.trimmedSeconds = entry.trimmed?.durationSeconds
            outcome.isSilent = entry.silence?.silent ?? false
            outcome.failure = entry.failure
            outcome.recipe = entry.recipe
            return outcome
        }
        #expect(skimmed.entries == outcomes)
    }

    private func skimmed() throws(ResultTrouble) -> ManifestSkimmer.Skimmed<[ResultOutcome]> {
        try ManifestSkimmer.read(folder.path(OutputNames.manifest), ResultOutcome.init)
    }

    @Test func missingManifestIsReportedUnreadable() throws {
        #expect(throws: ResultTrouble.unreadable(detail: FileSystemError("", code: 2).detail)) {
            try skimmed()
        }
    }

    private func trouble(_ text: [UInt8]) -> ResultTrouble? {
        write(text)
        do throws(ResultTrouble) {
            _ = try skimmed()
            return nil
        } catch {
            return error
        }
    }

    @Test func damagedManifestReportsByteOffset() {
        let text = ManifestFile.bytes(of: Self.manifest())
        #expect(trouble(text) == nil)
        for count in stride(from: 0, to: text.count - 1, by: 31) {
            guard case .damaged(let byte) = trouble(Array(text[..<count])) else {
                Issue.record("nothing is wrong with the first \(count) bytes")
                continue
            }
            // A word or a number that is cut off is wrong from its beginning, and what is missing
            // altogether behind the last byte.
            #expect(((count - 20)...count + 1).contains(byte))
        }
        #expect(trouble(Array("{}".utf8)) == .damaged(byte: 2))
    }

    @Test func laterManifestVersionIsReported() {
        let text = String(decoding: ManifestFile.bytes(of: Self.manifest()), as: UTF8.self)
        let later = text.replacing("\"version\":1}", with: "\"version\":2}")
        #expect(trouble(Array(later.utf8)) == .ofLaterVersion)
        // Whatever else is new in it.
        let newer = #"{"version":2,"recordings":{"a":1},"recipe":{}}"#
        #expect(trouble(Array(newer.utf8)) == .ofLaterVersion)
    }

    @Test func folderAsManifestIsReportedUnreadable() throws {
        try FileSystem.makeFolder(folder.path(OutputNames.manifest))
        #expect(throws: ResultTrouble.unreadable(detail: FileSystemError("", code: 21).detail)) {
            try skimmed()
        }
    }

    // MARK: Passing over

    private func rest(after text: String) throws -> Int {
        try JSONCursor.read(Array((text + " 7").utf8)) { (json) throws(JSONCursor.Malformed) in
            try json.passOver()
            return Int(try json.integer())
        }
    }

    @Test(arguments: [
        "1", "-1.5e-7", "true", "null", "\"\"", "\"a\\\"b\"", "\"\\\\\"", "\"\\\\\\\"\"", "{}",
        "[]", "[[],[{}]]", #"{"a":"}","b":["]\"]\\"],"c":{"d":"\\\\"}}"#, " \n[ 1 , 2 ]",
        "[\"\\\\\", \"\\\"\"]",
    ])
    func passOverStopsAtEndOfValue(text: String) throws {
        #expect(try rest(after: text) == 7)
    }

    @Test(arguments: ["", "[", "{\"", "[\"\\\"]", "[[]", "\"a", "[\"a\\\\\\\"]"])
    func unterminatedValueIsRefused(text: String) {
        #expect(throws: JSONCursor.Malformed.self) {
            try JSONCursor.read(Array(text.utf8)) { (json) throws(JSONCursor.Malformed) in
                try json.passOver()
            }
        }
    }
}
