import Jobs
import Recordings
import TestSupport
import Testing

@Suite struct TrimmedContainerTests {
    /// All that one sample format allows, over every container.
    static let sources = AudioContainer.allCases.flatMap { container in
        SampleEncoding.allCases.flatMap { encoding in
            [1, 2, 8, 9].map { channels in
                Example.format(container: container, encoding: encoding, channels: channels)
            }
        }
    }

    private func container(
        for source: AudioFormat, _ format: TrimRecipe.Format
    ) -> TrimmedContainer {
        var recipe = TrimRecipe()
        recipe.format = format
        return recipe.container(for: source)
    }

    private let beyondFLAC: Set<SampleEncoding> = [.pcm32, .float32, .float64, .alac32]
    private static let alac: Set<SampleEncoding> = [.alac16, .alac20, .alac24, .alac32]

    /// Containers in which libsndfile writes no lossless samples.
    private static let unwritable: Set<AudioContainer> = [
        .ogg, .mp3, .mp4, .adts, .amr, .asf, .matroska, .wavPack, .ape, .foreign,
    ]

    private func isKept(_ source: AudioFormat) -> Bool {
        source.encoding.isLossless && !Self.alac.contains(source.encoding)
            && !Self.unwritable.contains(source.container)
    }

    @Test func autoKeepsLosslessFormatsExceptALAC() {
        for source in Self.sources {
            let expected: TrimmedContainer =
                isKept(source) || source.container == .flac
                ? .same
                : source.channels <= 8 && !beyondFLAC.contains(source.encoding) ? .flac : .wav
            #expect(container(for: source, .auto) == expected, "\(source)")
        }
    }

    @Test func flacRequestFallsBackForUnsupportedSources() {
        for source in Self.sources {
            let expected: TrimmedContainer =
                if source.container == .flac {
                    .same
                } else if source.channels <= 8, !beyondFLAC.contains(source.encoding) {
                    .flac
                } else if isKept(source) {
                    .same
                } else {
                    .wav
                }
            #expect(container(for: source, .flac) == expected, "\(source)")
        }
    }

    @Test func wavRequestKeepsOnlyLosslessWAVSources() {
        for source in Self.sources {
            let expected: TrimmedContainer =
                source.container == .wav && isKept(source) ? .same : .wav
            #expect(container(for: source, .wav) == expected, "\(source)")
        }
    }

    /// FLAC cannot say that channels are ambisonic.
    @Test func ambisonicRecordingAvoidsFLAC() {
        var source = Example.format(seconds: 1)
        source.ambisonic = true
        #expect(container(for: source, .flac) == .same)
    }

    @Test func sampleRateAboveFLACLimitAvoidsFLAC() {
        let fast = Example.format(seconds: 1, rateHertz: 655_351)
        #expect(container(for: fast, .flac) == .same)
        var lossy = fast
        lossy.encoding = .imaADPCM
        #expect(container(for: lossy, .auto) == .wav)
        #expect(container(for: Example.format(seconds: 1, rateHertz: 655_350), .flac) == .flac)
    }
}
