@testable import Reports

/// What is seen of a drawing.
struct Pixels: Equatable {
    let width: Int
    let height: Int
    private let values: [UInt32]

    init(_ drawing: Drawing) {
        (width, height, values) = (drawing.width, drawing.height, drawing.pixels)
    }

    subscript(x: Int, y: Int) -> Colour { Pixels.colour(values[y * width + x]) }

    var colours: Set<Colour> { Set(Set(values).map(Pixels.colour)) }

    private static func colour(_ value: UInt32) -> Colour {
        Colour(UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255))
    }
}
