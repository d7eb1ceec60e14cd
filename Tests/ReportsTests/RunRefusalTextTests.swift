import Jobs
import Recordings
import Reports
import Testing

@Suite struct RunRefusalTextTests {
    private static let sentences: [(RunRefusal, String)] = [
        (.pathMissing("no"), "no does not exist"),
        (
            .pathUnreadable("no", detail: "Permission denied"),
            "no cannot be looked at: Permission denied"
        ),
        (
            .pathIsOutput("/a/tapedeck"),
            "/a/tapedeck is an output folder of tapedeck; name the folder with the originals"
        ),
        (
            .outputIsSource("/a"),
            "the output folder /a is the folder of the recordings; name another with --output"
        ),
        (
            .outputHoldsSources(output: "/a", source: "/a/b"),
            "the output folder /a holds the recordings in /a/b; name one outside of them with"
                + " --output"
        ),
        (
            .outputHoldsFiles(output: "/a/out", file: "/a/out/b.wav"),
            "the output folder /a/out holds files of its own, such as /a/out/b.wav; name an"
                + " empty or a new one with --output"
        ),
        (.outputNotAFolder("/a"), "the output /a is not a folder"),
        (
            .outputNotMade("/a", detail: "No space left on device"),
            "the output folder /a cannot be made or written: No space left on device"
        ),
        (
            .journalUnreadable("/a", detail: "Input/output error"),
            "the journal in /a cannot be read: Input/output error"
        ),
        (
            .journalUnreadable("/a", detail: nil),
            "the journal in /a was written by a later tapedeck; run that one"
        ),
        (
            .outputBusy("/a", holder: nil),
            "another tapedeck is writing to /a; wait for it, or name another output"
        ),
        (
            .outputBusy("/a", holder: 4711),
            "another tapedeck (process 4711) is writing to /a; wait for it, or name another output"
        ),
        (
            .outputOfOthers(output: "/out", root: "/a"),
            "the output folder /out holds the results of /a; name another with --output, as in"
                + " --output /out-2"
        ),
        (
            .tooFewOpenFiles(free: 8, needed: 27),
            "it may not open more than 8 files, and a run needs 27; raise the limit, as with"
                + " ulimit -n 256"
        ),
        (
            .noResults("A"),
            "no results of tapedeck are in A; name an output folder, or a folder of recordings that"
                + " holds one called tapedeck"
        ),
        (
            .recordingsUnknown(output: "out"),
            "the output folder out does not say where its recordings are, or they are not there any"
                + " more; name their folder with --recordings"
        ),
    ]

    @Test(arguments: sentences.indices)
    func saysWhatWouldBeRight(index: Int) {
        let (refusal, sentence) = Self.sentences[index]
        #expect(FailureText.sentence(for: refusal) == sentence)
    }

    @Test func isOneLineWhateverTheName() {
        let name: Pathname = "a\nb"
        let refusals: [RunRefusal] = [
            .pathMissing(name), .pathUnreadable(name, detail: ""), .pathIsOutput(name),
            .outputIsSource(name), .outputHoldsSources(output: name, source: name),
            .outputHoldsFiles(output: name, file: name), .outputNotAFolder(name),
            .outputNotMade(name, detail: ""), .outputBusy(name, holder: 1),
            .outputOfOthers(output: name, root: name), .noResults(name),
            .recordingsUnknown(output: name),
            .journalUnreadable(name, detail: nil), .journalUnreadable(name, detail: ""),
        ]
        for refusal in refusals {
            let sentence = FailureText.sentence(for: refusal)
            #expect(sentence.contains("a\\nb"))
            #expect(!sentence.contains { $0.isNewline })
        }
    }
}
