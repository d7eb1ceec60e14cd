/// A colour with eight bits per component.
struct Colour: Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
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

    /// A pixel as Cairo keeps it in `CAIRO_FORMAT_RGB24`.
    var pixel: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}

/// The colours of a picture; most are those of `report.css`.
enum Palette {
    static let paper = Colour(255, 255, 255)
    static let ink = Colour(29, 31, 32)
    static let dim = Colour(91, 97, 102)
    static let line = Colour(220, 220, 214)
    static let silence = Colour(233, 234, 236)
    static let pause = Colour(200, 200, 200)
    static let cut = Colour(243, 207, 201)
    static let cutLine = Colour(181, 73, 59)
    static let wave = Colour(42, 100, 168)
    static let level = wave
    static let floor = Colour(180, 84, 10)
    static let threshold = Colour(164, 38, 28)

    /// From quiet to loud.
    private static let heat = [
        Colour(8, 8, 30), Colour(60, 20, 110), Colour(160, 40, 110), Colour(240, 110, 50),
        Colour(252, 250, 190),
    ]

    /// The colour of a share from 0, quiet, to 1, loud.
    static func heat(_ share: Double) -> Colour {
        let place = max(0, min(1, share)) * Double(heat.count - 1)
        let index = min(heat.count - 2, Int(place))
        return heat[index].mixed(with: heat[index + 1], share: place - Double(index))
    }
}
