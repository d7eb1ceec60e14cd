/// A colour with eight bits per component.
package struct Colour: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// A blend with another colour; `share` is from 0 to 1.
    func mixed(with other: Colour, share: Double) -> Colour {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
            UInt8((Double(a) + max(0, min(1, share)) * (Double(b) - Double(a))).rounded())
        }
        return Colour(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
    }
}

/// A pixel buffer; drawing outside its bounds is clipped.
package struct Canvas: Hashable, Sendable {
    package let width: Int
    package let height: Int
    /// RGB bytes of each pixel, row by row from the top.
    package private(set) var samples: [UInt8]

    /// A canvas of one colour.
    package init(width: Int, height: Int, _ colour: Colour) {
        precondition(width > 0 && height > 0, "a canvas has pixels")
        self.width = width
        self.height = height
        samples = Array(repeating: 0, count: 3 * width * height)
        fill(0..<width, 0..<height, colour)
    }

    package subscript(x: Int, y: Int) -> Colour {
        get {
            let place = 3 * (y * width + x)
            return Colour(samples[place], samples[place + 1], samples[place + 2])
        }
        set {
            guard x >= 0, x < width, y >= 0, y < height else { return }
            let place = 3 * (y * width + x)
            samples[place] = newValue.red
            samples[place + 1] = newValue.green
            samples[place + 2] = newValue.blue
        }
    }

    package mutating func fill(_ xs: Range<Int>, _ ys: Range<Int>, _ colour: Colour) {
        for y in ys.clamped(to: 0..<height) {
            for x in xs.clamped(to: 0..<width) { self[x, y] = colour }
        }
    }

    /// Draws a vertical line between two rows, given in any order.
    mutating func stroke(_ x: Int, from first: Int, to last: Int, _ colour: Colour) {
        fill(x..<x + 1, min(first, last)..<max(first, last) + 1, colour)
    }

    /// Draws diagonal hatching, one line every `step` pixels.
    mutating func hatch(_ xs: Range<Int>, _ ys: Range<Int>, _ colour: Colour, step: Int = 6) {
        for y in ys.clamped(to: 0..<height) {
            for x in xs.clamped(to: 0..<width) where (x + y) % step == 0 { self[x, y] = colour }
        }
    }

    /// Draws text with its top left corner at (x, y); each dot of a letter is `scale` pixels wide.
    package mutating func write(
        _ text: String, x: Int, y: Int, _ colour: Colour, scale: Int = 2
    ) {
        for (index, glyph) in DotFont.glyphs(of: text).enumerated() {
            let left = x + index * DotFont.advance * scale
            for (row, bits) in glyph.enumerated() {
                for column in 0..<DotFont.width where bits >> (4 - column) & 1 == 1 {
                    let (dotX, dotY) = (left + column * scale, y + row * scale)
                    fill(dotX..<dotX + scale, dotY..<dotY + scale, colour)
                }
            }
        }
    }
}
