import Testing

@testable import Analysis

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct FourierTransformTests {
    @Test func findsAToneInItsBinAlone() {
        let transform = FourierTransform(count: 64)
        for index in 0..<64 {
            transform.input[index] = Float(cos(2 * Double.pi * 5 * Double(index) / 64))
        }
        transform.run()
        #expect(transform.output.count == 33)
        for (bin, value) in transform.output.enumerated() {
            #expect(abs(value.real - (bin == 5 ? 32 : 0)) < 1e-4)
            #expect(abs(value.imaginary) < 1e-4)
        }
    }

    @Test func leavesItsInputAlone() {
        let transform = FourierTransform(count: 60)
        let samples = (0..<60).map { Float($0 * $0 % 17) }
        for index in 0..<60 { transform.input[index] = samples[index] }
        transform.run()
        #expect(Array(transform.input) == samples)
    }

    @Test func givesTheSameBitsOnManyThreads() async {
        let results = await withTaskGroup(of: [Float].self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let transform = FourierTransform(count: 360)
                    for index in 0..<360 { transform.input[index] = Float(index % 13) }
                    transform.run()
                    return transform.output.flatMap { [$0.real, $0.imaginary] }
                }
            }
            return await group.reduce(into: Set<[Float]>()) { $0.insert($1) }
        }
        #expect(results.count == 1)
    }

    @Test func hannWindowKeepsAnOffsetInTheTwoLowestBins() {
        let transform = FourierTransform(count: 512)
        let window = Window.hann(512)
        for index in 0..<512 { transform.input[index] = window[index] }
        transform.run()
        #expect(abs(transform.output[0].real - 256) < 1e-3)
        for bin in 2...256 {
            #expect(abs(transform.output[bin].real) < 1e-3)
        }
    }
}

@Suite struct DecimatorTests {
    /// The amplitude that is left of a tone at 48 kHz after decimation to 16 kHz.
    private func amplitude(ofHertz hertz: Double) -> Float {
        let decimator = Decimator(sampleRateHertz: 48_000)
        let samples = (0..<2000).map { Float(sin(2 * Double.pi * hertz * Double($0) / 48_000)) }
        var outputs = [Float](repeating: 0, count: 603)
        outputs.withUnsafeMutableBufferPointer { outputs in
            samples.withUnsafeBufferPointer { decimator.decimate($0, into: outputs) }
        }
        return outputs.reduce(0) { max($0, abs($1)) }
    }

    @Test func passesSpeechAndStopsWhatWouldFoldBack() {
        #expect(abs(amplitude(ofHertz: 1000) - 1) < 0.01)
        #expect(amplitude(ofHertz: 6700) > 0.9)
        #expect(amplitude(ofHertz: 9300) < 0.001)
        #expect(amplitude(ofHertz: 20_000) < 0.001)
    }

    @Test(arguments: [(8000, 1), (22_050, 1), (44_100, 2), (48_000, 3), (192_000, 12)])
    func leavesAtLeastSixteenKilohertz(rate: Int, factor: Int) {
        #expect(Decimator(sampleRateHertz: rate).factor == factor)
    }
}
