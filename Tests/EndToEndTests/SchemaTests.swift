import Foundation
import Recordings
import TestSupport
import Testing

/// The schema itself, and what it says of recordings that are gone, which only something else can
/// take away.
@Suite struct SchemaTests {
    private static let gone = #""status":"sourceMissing""#
    private static let failure = #""failure":{"reason":"beingWritten","stage":"scan"},"#
    private static let source = #""source":{"bytes":1,"modifiedNanoseconds":2},"#

    private let library = Library()

    private func check(_ entry: String) throws -> Tool.Outcome {
        library.addRecording("a.wav", seconds: 0.1)
        #expect(library.run().status == 0)
        try library.rewriteEntry("a.wav") { line in
            entry.isEmpty
                ? line.replacing(#""status":"done""#, with: Self.gone)
                : entry + (line.hasSuffix(",") ? "," : "")
        }
        return SchemaCheck.run(library.output, filesToo: false)
    }

    @Test(arguments: [
        // As it was when it was done.
        "",
        #"{\#(failure)"leftBehind":["a.wav"],"name":"a.wav",\#(source)\#(gone)}"#,
        #"{\#(failure)"leftBehind":["a.wav"],"name":"a.wav",\#(gone)}"#,
        // Nothing is known but what is to go.
        #"{"leftBehind":["a.wav"],"name":"a.wav",\#(gone)}"#,
    ])
    func missingRecordingWithOutputsIsAccepted(entry: String) throws {
        let outcome = try check(entry)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "1 manifests\n")
    }

    @Test(arguments: [
        #"{"name":"a.wav",\#(gone)}"#,
        // Of a recording that failed and of which nothing was made, nothing is kept.
        #"{\#(failure)"name":"a.wav",\#(source)\#(gone)}"#,
        #"{\#(failure)"name":"a.wav",\#(source)\#(gone),"waveforms":[]}"#,
        #"{"leftBehind":["a.wav"],"name":"a.wav",\#(source)\#(gone)}"#,
    ])
    func inconsistentMissingRecordingIsRejected(entry: String) throws {
        let outcome = try check(entry)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("manifest.json"))
    }

    @Test func schemaItselfIsValid() {
        let outcome = SchemaCheck.ofItself()
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func schemaListsAllFailureReasonsAndStatuses() throws {
        let schema = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: SchemaCheck.schema))
                as? [String: Any])
        func values(_ definition: String, _ property: String) throws -> [String] {
            let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
            let properties = definitions[definition]?["properties"] as? [String: [String: Any]]
            return try #require(properties?[property]?["enum"] as? [String])
        }
        #expect(
            try values("failure", "reason") == RecordingFailure.Reason.allCases.map(\.rawValue))
        #expect(
            try values("recording", "status") == ManifestEntry.Status.allCases.map(\.rawValue))
    }
}
