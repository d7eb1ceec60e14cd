import Analysis
import Benchmark
import CFFTW

/// The transforms of 32 real signals under a window, in the sizes that usual sample rates have;
/// the floor is what FFTW takes for them, which has measured its quickest way beforehand.
func measureTransforms() {
    let signals = 32
    let samples = (0..<signals * 1024).map { Float($0 % 997) / 997 - 0.5 }
    for count in [256, 512, 640, 768] {
        let window = Window.hann(count)
        Benchmark("Transforms: \(signals) of \(count), a lane each") { benchmark in
            let transform = FourierTransform(plan: FourierPlan(count: count))
            let places = (0..<FourierTransform.lanes).map { 2 * $0 * count }
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations {
                for _ in 0..<20 {
                    transform.lay(
                        samples, firsts: places, seconds: places.map { $0 + count }, stride: 1,
                        window: window)
                    transform.run()
                }
            }
        }
        Benchmark("Transforms: \(signals) of \(count), floor, FFTW") { benchmark in
            guard let input = fftwf_alloc_complex(count), let output = fftwf_alloc_complex(count),
                let plan = fftwf_plan_dft_1d(
                    Int32(count), input, output, FFTW_FORWARD, FFTW_MEASURE)
            else { return benchmark.error("FFTW has no plan") }
            defer {
                fftwf_destroy_plan(plan)
                fftwf_free(input)
                fftwf_free(output)
            }
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations {
                for pair in 0..<20 * signals / 2 {
                    let first = 2 * (pair % (signals / 2)) * count
                    for place in 0..<count {
                        let weight = window[place]
                        input[place] = (
                            samples[first + place] * weight,
                            samples[first + count + place] * weight
                        )
                    }
                    fftwf_execute(plan)
                }
            }
        }
    }
}
