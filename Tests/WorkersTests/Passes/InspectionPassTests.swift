import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct InspectionPassTests {
    /// A spectrogram has a limited number of columns, which a part does not share with the rest.
    @Test func spectrogramIsThatOfDrawnPart() throws {
        let folder = TestFolder()
        let path = folder.write(
            SmallWAV.bytes([Int16](repeating: 100, count: 90 * SmallWAV.sampleRateHertz)),
            to: "a.wav")
        var pass = InspectionPass(path, recipe: SilenceRecipe(), isForPicture: true)
        let whole = try pass.run()
        pass.drawnSeconds = 60..<61
        var part = try pass.run()
        let (all, some) = try (#require(whole.spectrogram), #require(part.spectrogram))
        #expect(all.startSeconds == 0 && all.framesPerColumn == 4 * SmallWAV.sampleRateHertz / 100)
        #expect(some.framesPerColumn == SmallWAV.sampleRateHertz / 100)
        #expect(some.startSeconds > 30 && some.startSeconds <= 60)
        #expect(some.startSeconds + Double(some.columns) / 100 >= 61)
        // All else is that of the whole recording.
        part.spectrogram = all
        #expect(part == whole)
    }
}
