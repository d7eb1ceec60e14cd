import Jobs
import Recordings
import Reports
import Testing

@Suite struct VerifyViewTests {
    private static let old = FileStamp(bytes: 1_000, modifiedNanoseconds: 1)
    private static let longer = FileStamp(bytes: 1_001, modifiedNanoseconds: 1)
    private static let later = FileStamp(bytes: 1_000, modifiedNanoseconds: 2)

    private static let sentences: [(Discrepancy.Subject, Discrepancy.Finding, String)] = [
        (.output, .missing, "A/b\\n: missing"),
        (.output, .corrupt, "A/b\\n: corrupt (its bytes are others, its time is the same)"),
        (.output, .altered, "A/b\\n: altered (it was modified since it was written)"),
        (.output, .notAFile, "A/b\\n: no file any more"),
        (.output, .unreadable(detail: "Bad"), "A/b\\n: cannot be read: Bad"),
        (.recording, .missing, "A/b\\n (the recording): gone"),
        (.recording, .notAFile, "A/b\\n (the recording): no file any more"),
        (
            .recording, .corrupt,
            "A/b\\n (the recording): corrupt (its bytes are others, its time is the same)"
        ),
        (
            .recording, .changed(from: old, to: longer, sameBytes: false),
            "A/b\\n (the recording): changed since (it has 1,001 bytes and had 1,000)"
        ),
        (
            .recording, .changed(from: old, to: later, sameBytes: false),
            "A/b\\n (the recording): changed since (its time is another)"
        ),
        (
            .recording, .changed(from: old, to: later, sameBytes: true),
            "A/b\\n (the recording): changed since (its time is another, its bytes are the same)"
        ),
    ]

    @Test(arguments: sentences.indices)
    func eachDiscrepancyHasExpectedMessage(index: Int) {
        let (subject, finding, sentence) = Self.sentences[index]
        let discrepancy = Discrepancy(path: "A/b\n", subject: subject, finding: finding)
        #expect(VerifyView.line(discrepancy) == sentence)
    }

    @Test(arguments: [
        (0, 0, "1,234 outputs and 617 recordings checked: all well"),
        (1, 0, "1,234 outputs and 617 recordings checked: 1 problem"),
        (3, 0, "1,234 outputs and 617 recordings checked: 3 problems"),
        (0, 1, "1,234 outputs and 617 recordings checked: not everything could be read"),
        (
            2, 5,
            "1,234 outputs and 617 recordings checked: 2 problems, not everything could be read"
        ),
    ])
    func summaryShowsCheckedCountsAndProblems(discrepancies: Int, unreadable: Int, line: String) {
        var summary = VerificationSummary()
        summary.outputs = 1_234
        summary.recordings = 617
        summary.discrepancies = discrepancies
        summary.unreadable = unreadable
        #expect(VerifyView.line(summary) == line)
    }

    @Test func modifiedExportsAreSaidToStay() {
        var remedies = Remedies()
        remedies.count(Discrepancy(path: "a.dat", subject: .output, finding: .corrupt))
        #expect(remedies.lines == ["  1 output: tapedeck repair makes it again"])
        var export = Discrepancy(path: "a.csv", subject: .output, finding: .altered)
        export.role = .export
        remedies.count(export)
        #expect(
            remedies.lines == [
                "  1 output: tapedeck repair makes it again",
                "  1 modified output: rename or delete it, and tapedeck repair makes it again",
            ])
    }

    @Test func emptyVerificationReportsNothingToCheck() {
        #expect(
            VerifyView.line(VerificationSummary())
                == "there is nothing to check: no manifest names a recording")
    }
}
