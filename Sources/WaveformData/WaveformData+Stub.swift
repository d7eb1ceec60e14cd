import Recordings

package struct Waveform {
    package var sampleRateHertz = 0, samplesPerPixel = 0, bits = 0, channels = 0, length = 0
    package init(peaks: Peaks, sampleRateHertz: Int, bits: Int) {}
    package func writeBinary<E: Error>(to put: (UnsafeRawBufferPointer) throws(E) -> Void) throws(E)
    {}
    package func writeJSON<E: Error>(to put: (UnsafeRawBufferPointer) throws(E) -> Void) throws(E) {
    }
}
