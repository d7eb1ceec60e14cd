// The bytes of WAV files and their chunks.

func little(_ number: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(number >> (8 * $0) & 0xFF) }
}

func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(body.count, 4) + body + (body.count % 2 == 1 ? [0] : [])
}

func chunk(_ name: String, _ text: String) -> [UInt8] { chunk(name, Array(text.utf8)) }

/// A short WAV file with further chunks, before or behind the sound.
func wav(_ chunks: [UInt8]..., isBefore: Bool = true) -> [UInt8] {
    let format = chunk(
        "fmt ",
        little(1, 2) + little(1, 2) + little(8000, 4) + little(16000, 4) + little(2, 2)
            + little(16, 2))
    let sound = chunk("data", [UInt8](repeating: 1, count: 3200))
    let all = chunks.flatMap { $0 }
    let body = Array("WAVE".utf8) + format + (isBefore ? all + sound : sound + all)
    return Array("RIFF".utf8) + little(body.count, 4) + body
}

func field(_ text: String, _ bytes: Int) -> [UInt8] {
    Array(Array(text.utf8).prefix(bytes))
        + [UInt8](repeating: 0, count: max(0, bytes - text.utf8.count))
}

func bext(_ date: String = "2026-05-01", _ time: String = "05:30:00") -> [UInt8] {
    chunk(
        "bext",
        field("sSPEED=023.976-ND", 256) + field("Zoom F3", 32) + field("REF1", 32)
            + field(date, 10) + field(time, 8) + [UInt8](repeating: 0, count: 264))
}
