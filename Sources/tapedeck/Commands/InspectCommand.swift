import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck inspect`: shows one recording's analysis and explains the cuts.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what would be cut in one recording, and why.",
        discussion: """
            Writes nothing except the picture. With the same options, tapedeck run makes the same cuts.

            Exit status: 0 shown, 1 the recording could not be read or the picture not written, 3 \
            decoding stopped for a reason outside of it, 64 wrong usage.

            Example: tapedeck inspect interview.wav --picture why.png
            """
    )

    @Argument(help: ArgumentHelp("A recording.", valueName: "file"))
    var file: Pathname

    @OptionGroup(title: "Silence and trimming")
    var cuts: CutOptions

    @Option(help: InputOptions.rawHelp, transform: RawRule.init)
    var raw: [RawRule] = []

    @Flag(
        help:
            "Decode in a process that can open no files and no connections; for files of strangers."
    )
    var isolate = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup(title: "Picture")
    var drawing: PictureOptions

    func validate() throws {
        try requirePath(file)
        try cuts.requireGaps(in: cuts.given)
    }

    func run() throws {
        if isolate {
            try ExitStatus.end(saying: FailureText.sentence(for:), unlessWell: true, cage)
        }
        try ExitStatus.end(saying: FailureText.sentence(for:), inspect)
    }

    private func cage() throws(RunRefusal) -> ExitStatus {
        if try !Isolation.begin() { StandardStream.complain(WarningText.uncaged) }
        return .allWell
    }

    /// Prints the analysis of a recording, and draws a picture if requested.
    private func inspect() throws(PictureRefusal) -> ExitStatus {
        // Nobody waits in vain for a picture that cannot be drawn or written.
        if let picture = drawing.picture { try PictureFile.check(picture) }
        let cairo = drawing.picture == nil ? nil : try Cairo()
        let recipe = cuts.given.recipe
        let inspection: Inspection
        do throws(RecordingFailure) {
            var pass = InspectionPass(
                file, recipe: recipe.silence, isForPicture: cairo != nil)
            pass.rules.raw = raw.map(\.rule)
            if let style = drawing.style { pass.drawnSeconds = style.seconds }
            inspection = try pass.run()
        } catch {
            StandardStream.complain(FailureText.line(forInspecting: file, error))
            return .couldNotRun
        }
        // A run makes no copy of a failed recording.
        let plan =
            inspection.failure == nil
            ? CutPlanner.plan(
                silence: inspection.silence, format: inspection.format, recipe: recipe.trim)
            : nil
        let view = InspectionView(file, inspection, plan)
        if let cairo, let path = drawing.picture, let style = drawing.style {
            let picture = try InspectionPicture.draw(
                inspection, cuts: view.cuts, heading: view.heading, style, with: cairo)
            try PictureFile.write(picture, to: path)
        }
        show(view, recipe)
        guard let failure = inspection.failure else { return .allWell }
        StandardStream.complain(FailureText.line(forInspecting: file, failure))
        return .someFailed
    }

    private func show(_ view: InspectionView, _ recipe: Recipe) {
        guard !json else {
            StandardStream.output.write(JSONLine.text(JSONObject(view, recipe)) + "\n")
            return
        }
        let stream = StandardStream.output
        // Some terminals wrap when the last column is used.
        let drawing = WaveformView(view).lines(
            width: stream.size.width - 1, isColoured: stream.takesColour())
        stream.write((view.lines + [""] + drawing).joined(separator: "\n") + "\n")
    }
}

extension JSONObject {
    /// Encodes the analysis with the manifest's field names where it has them.
    fileprivate init(_ view: InspectionView, _ recipe: Recipe) {
        let inspection = view.inspection
        let recipes: JSONObject = ["silence": recipe.silence, "trim": recipe.trim]
        let line: JSONObject = [
            "event": "inspection", "path": view.name, "source": inspection.source,
            "format": inspection.format, "decoding": inspection.decoding,
            "metadata": inspection.metadata, "levels": inspection.levels,
            "silence": inspection.silence, "recipe": recipes,
            "failure": inspection.failure, "warnings": inspection.warnings,
            "decoderMessage": inspection.decoderMessage,
            "cutsSeconds": view.cuts.map { [$0.lowerBound, $0.upperBound] },
        ]
        let plan: JSONObject =
            switch view.plan {
            case nil: [:]
            case .keepWhole(let refusal): ["notTrimmed": refusal]
            case .cut(let list):
                [
                    "edits": list.edits,
                    "trimmedSeconds": Double(list.trimmedFrameCount)
                        .seconds(atRate: inspection.format.sampleRateHertz),
                ]
            }
        self = line.with(plan)
    }
}
