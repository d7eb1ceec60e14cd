/// The steps a recording goes through; a failure names the one it happened in.
package enum Stage: String, Codable, Sendable, CaseIterable {
    case scan, decode, waveform, levels, silence, trim, manifest
}
