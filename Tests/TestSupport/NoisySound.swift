/// Sound of which a library prints what is wrong with it.
package enum NoisySound {
    /// A MIDI Sample Dump of so many packets, each with 40 samples of 16 bits, that counts those of
    /// `counted` packets.
    ///
    /// libsndfile prints to standard output that they do not begin as they should.
    package static func sampleDump(packets: Int = 3, counted: Int = 3) -> [UInt8] {
        let frames = 40 * counted
        let header: [UInt8] = [
            0xF0, 0x7E, 0, 1, 0, 0, 16, 0x68, 0x48, 7, UInt8(frames & 0x7F), UInt8(frames >> 7), 0,
            0, 0, 0, 0, 0, 0, 0, 0xF7,
        ]
        let packet: [UInt8] = [0xAA, 0x7E, 0, 2, 0] + Array(repeating: 0x40, count: 121) + [0xF7]
        return header + (0..<packets).flatMap { _ in packet }
    }
}
