/// Power of a recording over time and frequency.
package struct Spectrogram: Hashable, Sendable {
    package var sampleRateHertz: Int
    /// Where the first column begins.
    package var startSeconds = 0.0
    /// Frames per column; the last column may have fewer.
    package var framesPerColumn: Int
    /// Band edges between rows, ascending; one more than there are rows.
    package var edgesHertz: [Double]
    /// Mean power relative to full scale, column by column, each from the lowest row up.
    package var levelsDBFS: [Float]

    package init(
        sampleRateHertz: Int, framesPerColumn: Int, edgesHertz: [Double], levelsDBFS: [Float]
    ) {
        self.sampleRateHertz = sampleRateHertz
        self.framesPerColumn = framesPerColumn
        self.edgesHertz = edgesHertz
        self.levelsDBFS = levelsDBFS
    }

    package var rows: Int { edgesHertz.count - 1 }
    package var columns: Int { levelsDBFS.count / rows }
}
