import ArgumentParser
import Recordings
import Reports

/// The picture of `tapedeck inspect`.
struct PictureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Draw waveform, spectrogram, noise floor, score and cuts, as .png or .svg.",
            valueName: "path"))
    var picture: Pathname?

    @Option("The width of the picture, 300 to 10000. (default: 1280)", in: "pixels")
    var width: Int?

    @Option(help: ArgumentHelp("Where the picture begins, such as 90 or 1:30.", valueName: "time"))
    var start: ClockTime?

    @Option(help: ArgumentHelp("Where the picture ends.", valueName: "time"))
    var end: ClockTime?

    func validate() throws {
        try requirePath(picture)
        if let picture, style == nil {
            throw ValidationError(
                "--picture draws a .png or .svg, such as why.png, not \(picture.displayText)")
        }
        let given = [
            ("--width", width != nil), ("--start", start != nil), ("--end", end != nil),
        ].first(where: \.1)
        if let given, picture == nil {
            throw ValidationError(
                "\(given.0) is about the picture; add --picture why.png, or leave it out")
        }
        if let width, !PictureStyle.widths.contains(width) {
            let (least, most) = (PictureStyle.widths.lowerBound, PictureStyle.widths.upperBound)
            throw ValidationError("--width takes \(least) to \(most) pixels, not \(width)")
        }
        if let end, end.seconds <= (start?.seconds ?? 0) {
            throw ValidationError(
                start.map { "--start \($0.text) is not before --end \(end.text)" }
                    ?? "--end \(end.text) leaves nothing to draw")
        }
    }

    /// `nil` without a picture, or with an extension that is not one of a picture.
    var style: PictureStyle? {
        let format = picture.flatMap { PictureStyle.Format(rawValue: $0.fileExtension) }
        guard let format else { return nil }
        var style = PictureStyle(format)
        if let width { style.width = width }
        style.startSeconds = start?.seconds
        style.endSeconds = end?.seconds
        return style
    }
}
