import Jobs
import Recordings
import Reports
import Testing

@Suite struct RunRefusalTextTests {
    private static let sentences: [(RunRefusal, String)] = [
        (.pathMissing("no"), "no does not exist"),
        (
            .pathUnreadable("no", detail: "Permission denied"),
            "no cannot be examined: Permission denied"
        ),
        (
            .pathIsOutput("/a/tapedeck"),
            "/a/tapedeck is an output folder of tapedeck; pass the folder with the originals"
        ),
        (
            .outputIsSource("/a"),
            "the output folder /a is the folder of the recordings; choose another with --output"
        ),
        (
            .outputHoldsSources(output: "/a", source: "/a/b"),
            "the output folder /a holds the recordings in /a/b; choose one outside of them with"
                + " --output"
        ),
        (
            .outputHoldsFiles(output: "/a/out", file: "/a/out/b.wav"),
            "the output folder /a/out holds other files, such as /a/out/b.wav; choose an empty or"
                + " new one with --output, or, if these are results whose record is lost, make an"
                + " empty file .tapedeck there"
        ),
        (.outputNotAFolder("/a"), "the output /a is not a folder"),
        (
            .outputNotMade("/a", detail: "No space left on device"),
            "the output folder /a cannot be created or written: No space left on device"
        ),
        (
            .recordUnreadable("/a", detail: "Input/output error"),
            "the record of results in /a cannot be read: Input/output error"
        ),
        (
            .recordUnreadable("/a", detail: nil),
            "the record of results in /a was written by a later version of tapedeck; use that version"
        ),
        (
            .outputBusy("/a", holder: nil),
            "another tapedeck is writing to /a; wait for it, or choose another output"
        ),
        (
            .outputBusy("/a", holder: 4711),
            "another tapedeck (process 4711) is writing to /a; wait for it, or choose another"
                + " output"
        ),
        (
            .outputOfOthers(output: "/out", root: "/a"),
            "the output folder /out says that its recordings are in /a; pass --moved if they are"
                + " here now, or choose another output, as with --output /out-2"
        ),
        (
            .tooFewOpenFiles(free: 8, needed: 27),
            "the limit of open files is 8 files, and a run needs 27; raise the limit, as with"
                + " ulimit -n 256"
        ),
        (
            .noResults("A"),
            "there are no results of tapedeck in A; pass an output folder, or a folder of"
                + " recordings with one called tapedeck; tapedeck run makes one"
        ),
        (
            .recordingsUnknown(output: "out"),
            "the output folder out does not say where its recordings are, or they have moved;"
                + " give their folder to tapedeck verify --recordings, or to tapedeck run --moved"
        ),
        (
            .list("a.txt", .unreadable(detail: "Permission denied")),
            "a.txt cannot be read: Permission denied"
        ),
        (
            .list("-", .notAFolder("b.wav")),
            "b.wav is not a folder; the paths in the list are relative to one"
        ),
        (
            .list("a.txt", .missing(count: 1, example: "b.wav", folder: "x")),
            "b.wav, which is in a.txt, does not exist in x, to which its paths are relative"
        ),
        (
            .list("-", .missing(count: 1200, example: "b.wav", folder: "x")),
            "1,200 of the paths in the list do not exist in x, to which they are relative,"
                + " such as b.wav"
        ),
        (
            .list("-", .elsewhere("/b.wav", folder: "x")),
            "/b.wav, which is in the list, is not in x"
        ),
    ]

    @Test(arguments: sentences.indices)
    func eachRefusalHasExpectedMessage(index: Int) {
        let (refusal, sentence) = Self.sentences[index]
        #expect(FailureText.sentence(for: refusal) == sentence)
    }

    @Test func refusalMessageIsOneLineForAnyName() {
        let name: Pathname = "a\nb"
        let refusals: [RunRefusal] = [
            .pathMissing(name), .pathUnreadable(name, detail: ""), .pathIsOutput(name),
            .outputIsSource(name), .outputHoldsSources(output: name, source: name),
            .outputHoldsFiles(output: name, file: name), .outputNotAFolder(name),
            .outputNotMade(name, detail: ""), .outputBusy(name, holder: 1),
            .outputOfOthers(output: name, root: name), .noResults(name),
            .recordingsUnknown(output: name),
            .recordUnreadable(name, detail: nil), .recordUnreadable(name, detail: ""),
            .list(name, .unreadable(detail: "")), .list("-", .notAFolder(name)),
            .list("-", .missing(count: 1, example: name, folder: name)),
            .list("-", .missing(count: 2, example: name, folder: name)),
            .list("-", .elsewhere(name, folder: name)),
        ]
        for refusal in refusals {
            let sentence = FailureText.sentence(for: refusal)
            #expect(sentence.contains("a\\nb"))
            #expect(!sentence.contains { $0.isNewline })
        }
    }
}
