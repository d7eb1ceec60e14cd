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

    private func isKept(_ encoding: SampleEncoding) -> Bool {
        encoding.isLossless && !Self.alac.contains(encoding)
    }

    @Test func automaticallyLosslessSourcesKeepTheirFormatAndOthersBecomeFLAC() {
        for source in Self.sources {
            let expected: TrimmedContainer =
                isKept(source.encoding) || source.container == .flac
                ? .same : source.channels <= 8 && source.encoding != .alac32 ? .flac : .wav
            #expect(container(for: source, .auto) == expected, "\(source)")
        }
    }

    @Test func flacTakesWhatItCanHoldWithoutLoss() {
        for source in Self.sources {
            let expected: TrimmedContainer =
                if source.container == .flac {
                    .same
                } else if source.channels <= 8, !beyondFLAC.contains(source.encoding) {
                    .flac
                } else if isKept(source.encoding) {
                    .same
                } else {
                    .wav
                }
            #expect(container(for: source, .flac) == expected, "\(source)")
        }
    }

    @Test func wavIsWAVAlreadyOnlyWhereItIsLossless() {
        for source in Self.sources {
            let expected: TrimmedContainer =
                source.container == .wav && isKept(source.encoding) ? .same : .wav
            #expect(container(for: source, .wav) == expected, "\(source)")
        }
    }

    @Test func aRateThatFLACCannotStateKeepsItsContainer() {
        let fast = Example.format(seconds: 1, rateHertz: 655_351)
        #expect(container(for: fast, .flac) == .same)
        var lossy = fast
        lossy.encoding = .imaADPCM
        #expect(container(for: lossy, .auto) == .wav)
        #expect(container(for: Example.format(seconds: 1, rateHertz: 655_350), .flac) == .flac)
    }
}
