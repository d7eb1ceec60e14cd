import CPNG
import Testing

@testable import Reports

@Suite struct CanvasTests {
    private let white = Colour(255, 255, 255)
    private let red = Colour(200, 10, 20)

    /// The pixels of a PNG file, by the library's own reader.
    private func decoded(_ file: [UInt8]) throws -> (width: Int, height: Int, samples: [UInt8]) {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        try #require(png_image_begin_read_from_memory(&image, file, file.count) != 0)
        image.format = PNG_FORMAT_RGB
        let (width, height) = (Int(image.width), Int(image.height))
        var samples = [UInt8](repeating: 0, count: 3 * width * height)
        try #require(png_image_finish_read(&image, nil, &samples, 0, nil) != 0)
        return (width, height, samples)
    }

    @Test func pngRoundTripsEveryPixel() throws {
        var canvas = Canvas(width: 37, height: 11, white)
        for x in 0..<37 {
            for y in 0..<11 {
                canvas[x, y] = Colour(UInt8(7 * x), UInt8(20 * y), UInt8(x * y % 256))
            }
        }
        let image = try decoded(canvas.png)
        #expect(image.width == 37 && image.height == 11)
        #expect(image.samples == canvas.samples)
    }

    @Test func incompressiblePixelsAreEncoded() throws {
        var canvas = Canvas(width: 200, height: 200, white)
        var state: UInt32 = 1
        for x in 0..<200 {
            for y in 0..<200 {
                state = state &* 1_664_525 &+ 1_013_904_223
                canvas[x, y] = Colour(
                    UInt8(state >> 24), UInt8(state >> 16 & 255), UInt8(state >> 8 & 255))
            }
        }
        #expect(try decoded(canvas.png).samples == canvas.samples)
        #expect(canvas.png == canvas.png)
    }

    @Test func drawingOutsideCanvasIsClipped() {
        var canvas = Canvas(width: 4, height: 3, white)
        canvas.fill(-5..<2, -5..<1, red)
        canvas.fill(3..<90, 2..<90, red)
        canvas.write("W", x: -100, y: -100, red)
        canvas[4, 0] = red
        canvas[0, -1] = red
        let reds = (0..<12).filter { canvas[$0 % 4, $0 / 4] == red }
        #expect(reds == [0, 1, 11])
    }

    @Test func textIsDrawnWithFontGlyphs() {
        var canvas = Canvas(width: 12, height: 7, white)
        canvas.write("1é", x: 0, y: 0, red, scale: 1)
        let rows = (0..<7).map { y in
            String((0..<12).map { canvas[$0, y] == red ? "#" as Character : "." })
        }
        #expect(
            rows == [
                "..#...#####.", ".##...#...#.", "..#...#...#.", "..#...#...#.", "..#...#...#.",
                "..#...#...#.", ".###..#####.",
            ])
    }

    @Test func everyASCIICharacterHasItsOwnGlyph() {
        let all = String((0x21...0x7E).map { Character(UnicodeScalar($0)) })
        let glyphs = DotFont.glyphs(of: all)
        #expect(glyphs.count == 94)
        #expect(glyphs.allSatisfy { $0.count == 7 && $0.allSatisfy { $0 < 32 } })
        #expect(Set(glyphs).count == 94)
        #expect(DotFont.glyphs(of: " ") == [[0, 0, 0, 0, 0, 0, 0]])
    }
}
