import CPNG

extension Canvas {
    /// The picture as a PNG file; the same pixels always give the same bytes.
    package var png: [UInt8] {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        image.width = UInt32(width)
        image.height = UInt32(height)
        image.format = PNG_FORMAT_RGB
        // Deflate makes incompressible data slightly larger.
        var file = [UInt8](repeating: 0, count: samples.count + samples.count / 100 + 65_536)
        var count = file.count
        let isWritten = samples.withUnsafeBytes { samples in
            // Proof: the library reads height × width × 3 bytes, the size of `samples`, and writes
            // at most `count` bytes, the size of `file`.
            file.withUnsafeMutableBytes { file in
                png_image_write_to_memory(
                    &image, file.baseAddress, &count, 0, samples.baseAddress, 0, nil)
            }
        }
        // Fails only if memory is exhausted, which nothing here survives.
        precondition(isWritten != 0, "a picture of \(width) × \(height) could not be encoded")
        file.removeLast(file.count - count)
        return file
    }
}
