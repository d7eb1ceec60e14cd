import Recordings
import ReducerKit

/// Orders one pass over a recording, for all stages that only read it.
package struct ListeningOrder: Hashable, Codable, Sendable {
    package var stages: Stages
    package var source: RecordingSource
    /// Attempts before this one.
    ///
    /// Each needs temporary names of its own, as files of earlier ones may not be deleted yet.
    package var attempt: UInt8
    /// Which faults are warnings.
    package var tolerance: FaultTolerance

    package init(
        source: RecordingSource, stages: Stages, attempt: UInt8 = 0,
        tolerance: FaultTolerance = .all
    ) {
        self.attempt = attempt
        self.tolerance = tolerance
        self.source = source
        self.stages = stages
    }

    package var waveform: WaveformRecipe { source.context.value.recipe.waveform }
    package var silence: SilenceRecipe { source.context.value.recipe.silence }

    /// Those of its stages for which the recording is decoded.
    package var decodingStages: Stages {
        let stages = stages.intersection(.decoding)
        return waveform.draws(.source) ? stages : stages.subtracting(.waveform)
    }

    /// One name per zoom, in the recipe's order.
    package var waveformNames: [Pathname] {
        source.context.value.names.waveforms(of: source.name, waveform)
    }
}

/// Orders a trimmed copy to be written.
package struct TrimmingOrder: Hashable, Codable, Sendable {
    package var source: RecordingSource
    package var format: AudioFormat
    package var edits: EditList
    package var container: TrimmedContainer
    /// Attempts before this one.
    package var attempt: UInt8

    package init(
        source: RecordingSource, format: AudioFormat, edits: EditList,
        container: TrimmedContainer, attempt: UInt8 = 0
    ) {
        self.attempt = attempt
        self.source = source
        self.format = format
        self.edits = edits
        self.container = container
    }

    package var waveform: WaveformRecipe { source.context.value.recipe.waveform }

    /// The waveforms of the copy: one name per zoom, in the recipe's order.
    package var waveformNames: [Pathname] {
        source.context.value.names.waveforms(of: source.name, waveform, drawing: .trimmed)
    }

    package var fadeFrames: Int { source.context.value.recipe.trim.fadeFrames(for: format) }

    /// The copy's name.
    package var name: Pathname {
        source.context.value.names.trimmed(source.name, as: container)
    }
}
