import Foundation
import Recordings
import TestSupport
import Testing

/// Results of an earlier version, some of them of files that it misread.
@Suite struct UpgradeTests {
    private let library = Library()

    /// The manifest as a version wrote it that did not say how it decoded.
    private func writeEarlierManifest(_ change: (inout [String: Any]) -> Void) throws {
        let path = library.output.appending("manifest.json").text
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        var manifest = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        var entries = try #require(manifest["recordings"] as? [[String: Any]])
        for index in entries.indices {
            entries[index]["decoding"] = nil
            change(&entries[index])
        }
        manifest["recordings"] = entries
        try JSONSerialization.data(withJSONObject: manifest)
            .write(to: URL(fileURLWithPath: path))
        library.forgetRecord()
    }

    private func addJoinedMP3() {
        let wav = library.folder.write(SmallWAV.bytes(SmallWAV.voice(seconds: 2)), to: "voice.wav")
        let script =
            "for n in 1 2; do ffmpeg -v error -nostdin -y -i '\(wav.text)' -ac $n -c:a libmp3lame"
            + " -id3v2_version 0 -write_xing 0 $n.mp3; done; cat 1.mp3 2.mp3 > joined.mp3"
        #expect(Tool.shell(script, in: library.folder.path).status == 0)
        for name in ["1.mp3", "joined.mp3"] {
            library.add(Pathname(name), TestFolder.bytes(of: library.folder.path(Pathname(name))))
        }
    }

    @Test func onlyWhatWasMisreadOrFailedIsDecodedAgain() throws {
        addJoinedMP3()
        for name in ["a.wav", "b.wav", "c.wav"] as [Pathname] { library.addRecording(name) }
        #expect(library.run().status == 0)
        let right = try library.manifest()
        try writeEarlierManifest { entry in
            switch entry["name"] as? String {
            case "joined.mp3":
                // It was read up to the change.
                var format = entry["format"] as? [String: Any]
                format?["frames"] = 16_000
                format?["durationSeconds"] = 2
                entry["format"] = format
            case "c.wav":
                entry = [
                    "name": "c.wav", "source": entry["source"] as Any, "status": "failed",
                    "failure": ["stage": "decode", "reason": "unsupportedEncoding"],
                ]
            default: break
            }
        }
        let plan = library.run("--dry-run", "--explain")
        #expect(plan.outputLines.filter { $0.contains(": an earlier version") }.count == 1)
        let run = library.run("--json")
        #expect(run.status == 0)
        let redone = run.outputLines.filter {
            $0.contains(#""event":"recording""#) && $0.contains(#""upToDate":false"#)
        }
        #expect(redone.count == 2)
        #expect(redone.allSatisfy { $0.contains(#""c.wav""#) || $0.contains(#""joined.mp3""#) })
        let after = try library.manifest()
        #expect(after.recordings.map(\.decoding) == right.recordings.map(\.decoding))
        #expect(after["joined.mp3"]?.format == right["joined.mp3"]?.format)
        #expect(library.run().outputLines.first == "5 recordings: 5 up to date")
    }
}
