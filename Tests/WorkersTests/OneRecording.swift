import Foundation
import Jobs
import Recordings
import TestSupport

@testable import Workers

/// A world with one recording in it, and the orders that concern it.
struct OneRecording {
    let world = TestWorld()
    var source: RecordingSource
    let frames: Int64
    /// Asked by passes as they begin, which is when a test may change something.
    var isBeingWritten: @Sendable (Pathname) -> Bool? = { _ in nil }

    init(_ samples: [Int16] = SmallWAV.voice()) throws {
        try self.init(bytes: SmallWAV.bytes(samples), frames: samples.count)
    }

    /// A file of any format, whose name says otherwise.
    init(bytes: [UInt8], frames count: Int = 0) throws {
        let path = world.add("A/b.wav", bytes)
        try FileSystem.setModified(path, nanoseconds: 1_778_049_123_000_000_001)
        source = RecordingSource(
            folder: "A", name: "b.wav", stamp: try TestWorld.stamp(of: path))
        frames = Int64(count)
    }

    var path: Pathname { world.root.appending("A/b.wav") }
    /// What is in the output folder, with a star for each temporary name.
    var outputs: [Pathname] { TestWorld.maskedTree(world.output) }

    func listen(
        _ stages: Stages = .listening, zooms: [Int] = [256],
        cancellation: Cancellation = Cancellation(), tolerance: FaultTolerance = .none,
        drawing change: (inout WaveformRecipe) -> Void = { _ in }
    ) -> Job.Action {
        var source = source
        change(&source.context.value.recipe.waveform)
        source.context.value.recipe.waveform.samplesPerPixel = zooms
        let order = ListeningOrder(source: source, stages: stages, tolerance: tolerance)
        return ListeningPass(
            order: order, places: world.places, ownership: world.ownership,
            cancellation: cancellation,
            isBeingWritten: isBeingWritten
        ).run()
    }

    func trim(
        keeping kept: Range<Int64>, fadeFrames: Int = 0, as container: TrimmedContainer = .same,
        cancellation: Cancellation = Cancellation(),
        drawing change: (inout WaveformRecipe) -> Void = { _ in }
    ) -> Job.Action {
        let format = AudioFormat(
            container: .wav, encoding: .pcm16, sampleRateHertz: SmallWAV.sampleRateHertz,
            channels: 1, frames: frames)
        var source = source
        change(&source.context.value.recipe.waveform)
        source.context.value.recipe.trim.fadeMilliseconds =
            Double(fadeFrames) * 1000 / Double(SmallWAV.sampleRateHertz)
        let order = TrimmingOrder(
            source: source, format: format, edits: EditList(keeping: [kept], of: frames),
            container: container)
        return TrimmingPass(
            order: order, places: world.places, ownership: world.ownership,
            cancellation: cancellation,
            isBeingWritten: isBeingWritten
        ).run()
    }

    /// The reason for which an action says that it failed.
    static func reason(_ action: Job.Action) -> RecordingFailure.Reason? {
        if case .failed(let failure, _) = action { failure.reason } else { nil }
    }
}
