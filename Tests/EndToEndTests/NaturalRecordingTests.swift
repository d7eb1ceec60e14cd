import Foundation
import Recordings
import TestSupport
import Testing

/// The detector on natural recordings that are labelled by hand, where these are at hand: the
/// folder lies beside the repository, and is no part of it.
@Suite struct NaturalRecordingTests {
    private struct Label: Decodable {
        let duration: Double
        let speech: [[Double]]
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/silence/real/dev-natural").standardizedFileURL.path
    private static let labels = folder + "/labels.json"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: labels)))
    func naturalRecordingsAreToldAlmostAsByHand() throws {
        let data = try Data(contentsOf: URL(filePath: NaturalRecordingTests.labels))
        let all = try JSONDecoder().decode([String: Label].self, from: data)
        // A third of them takes a few seconds.
        let names = all.keys.sorted().enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        let library = Library()
        for name in names {
            let path = Pathname(NaturalRecordingTests.folder).appending(Pathname(name))
            library.add(Pathname(name), TestFolder.bytes(of: path))
        }
        #expect(library.run("--trim", "off", "--min-silence", "0.3", "--quiet").status == 0)
        let manifest = try library.manifest()
        var (missed, speech, kept, rest) = (0, 0, 0, 0)
        for name in names {
            let label = try #require(all[name])
            let silence = try #require(manifest[Pathname(name)]?.silence)
            for frame in 0..<Int(label.duration * 100) {
                let time = (Double(frame) + 0.5) / 100
                func lies(in stretches: [[Double]]) -> Bool {
                    stretches.contains { $0[0] <= time && time < $0[1] }
                }
                let isSilent = lies(in: silence.intervalsSeconds)
                if lies(in: label.speech) {
                    speech += 1
                    missed += isSilent ? 1 : 0
                } else {
                    rest += 1
                    kept += isSilent ? 0 : 1
                }
            }
        }
        let cost = 75 * Double(missed) / Double(speech) + 25 * Double(kept) / Double(rest)
        #expect(cost < 2, "missed \(missed) of \(speech), kept \(kept) of \(rest)")
    }
}
