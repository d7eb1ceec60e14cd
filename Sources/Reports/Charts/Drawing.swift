import CCairo
import Jobs

/// A picture being drawn with Cairo, in pixels from the top left corner.
///
/// Cairo keeps the first error, after which its calls do nothing; `finish` reports it.
final class Drawing {
    struct Point: Hashable {
        var x: Double
        var y: Double
    }

    /// Where text stands, relative to its place.
    enum Alignment {
        case left, middle, right
    }

    struct Font {
        var size: Double
        var isBold = false
    }

    /// What Cairo has written.
    private final class Sink {
        var bytes: [UInt8] = []
    }

    private let cairo: cairo_calls
    private let format: PictureStyle.Format
    private let sink = Sink()
    private let surface: OpaquePointer?
    private let context: OpaquePointer?
    let width: Int
    let height: Int

    init(_ library: Cairo, _ format: PictureStyle.Format, width: Int, height: Int) {
        cairo = library.calls
        self.format = format
        self.width = width
        self.height = height
        switch format {
        case .png:
            surface = cairo.image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
        case .svg:
            surface = cairo.svg_surface_create_for_stream(
                Drawing.take, Unmanaged.passUnretained(sink).toOpaque(), Double(width),
                Double(height))
            cairo.svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX)
        }
        context = cairo.create(surface)
        // Grey and without hints, text has the same look on every screen, and at every scale.
        let options = cairo.font_options_create()
        cairo.font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo.font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo.font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo.set_font_options(context, options)
        cairo.font_options_destroy(options)
        cairo.set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        fill(0..<width, 0..<height, Palette.paper)
    }

    deinit {
        cairo.destroy(context)
        cairo.surface_destroy(surface)
    }

    /// Receives what Cairo writes; the context is a `Sink`.
    private static let take: cairo_write_func_t = { context, data, count in
        guard let context, let data else { return CAIRO_STATUS_WRITE_ERROR }
        // Proof: Cairo passes on the context of its caller, a `Sink` that lives as long as the
        // surface, and `count` bytes that are valid during this call.
        let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
        sink.bytes += UnsafeBufferPointer(start: data, count: Int(count))
        return CAIRO_STATUS_SUCCESS
    }

    /// The bytes of the file; nothing can be drawn after that.
    func finish() throws(PictureRefusal) -> [UInt8] {
        try check(cairo.status(context))
        if format == .png {
            let own = Unmanaged.passUnretained(sink).toOpaque()
            try check(cairo.surface_write_to_png_stream(surface, Drawing.take, own))
        }
        cairo.surface_finish(surface)
        try check(cairo.surface_status(surface))
        return sink.bytes
    }

    private func check(_ status: cairo_status_t) throws(PictureRefusal) {
        guard status != CAIRO_STATUS_SUCCESS else { return }
        throw .notDrawn(detail: cairo.status_to_string(status).map(String.init(cString:)) ?? "")
    }

    /// The colour of each pixel of a PNG, row by row.
    var pixels: [UInt32] {
        cairo.surface_flush(surface)
        guard let data = cairo.image_surface_get_data(surface) else { return [] }
        let rowBytes = Int(cairo.image_surface_get_stride(surface))
        // Proof: the surface has `height` rows of at least `width` pixels with four bytes each.
        return (0..<height).flatMap { y in
            (0..<width).map { x in
                UnsafeRawPointer(data).load(
                    fromByteOffset: y * rowBytes + 4 * x, as: UInt32.self) & 0xFF_FFFF
            }
        }
    }
}

// MARK: - Shapes

extension Drawing {
    private func use(_ colour: Colour) {
        cairo.set_source_rgb(
            context, Double(colour.red) / 255, Double(colour.green) / 255,
            Double(colour.blue) / 255)
    }

    private func trace(_ points: [Point]) {
        guard let first = points.first else { return }
        cairo.move_to(context, first.x, first.y)
        for point in points.dropFirst() { cairo.line_to(context, point.x, point.y) }
    }

    func fill(_ xs: Range<Int>, _ ys: Range<Int>, _ colour: Colour) {
        use(colour)
        cairo.rectangle(
            context, Double(xs.lowerBound), Double(ys.lowerBound), Double(xs.count),
            Double(ys.count))
        cairo.fill(context)
    }

    /// Draws a line through the points.
    func stroke(_ points: [Point], _ colour: Colour, width: Double) {
        use(colour)
        cairo.set_line_width(context, width)
        trace(points)
        cairo.stroke(context)
    }

    /// Fills a polygon.
    func fill(_ points: [Point], _ colour: Colour) {
        use(colour)
        trace(points)
        cairo.close_path(context)
        cairo.fill(context)
    }

    /// Draws diagonal hatching, one line every `step` pixels.
    func hatch(_ xs: Range<Int>, _ ys: Range<Int>, _ colour: Colour, step: Int = 6) {
        clipped(xs, ys) {
            use(colour)
            cairo.set_line_width(context, 1)
            let (top, bottom) = (Double(ys.lowerBound), Double(ys.upperBound))
            for x in stride(from: xs.lowerBound - ys.count, to: xs.upperBound, by: step) {
                trace([Point(x: Double(x), y: bottom), Point(x: Double(x) + bottom - top, y: top)])
            }
            cairo.stroke(context)
        }
    }

    /// Limits what `body` draws to an area.
    func clipped(_ xs: Range<Int>, _ ys: Range<Int>, _ body: () -> Void) {
        cairo.save(context)
        cairo.rectangle(
            context, Double(xs.lowerBound), Double(ys.lowerBound), Double(xs.count),
            Double(ys.count))
        cairo.clip(context)
        body()
        cairo.restore(context)
    }

    /// Draws an image of `columns` by `rows` cells, stretched to an area; `colour` is asked with
    /// column and row.
    func image(
        _ xs: Range<Int>, _ ys: Range<Int>, columns: Int, rows: Int,
        _ colour: (Int, Int) -> Colour
    ) {
        let image = cairo.image_surface_create(CAIRO_FORMAT_RGB24, Int32(columns), Int32(rows))
        defer { cairo.surface_destroy(image) }
        cairo.surface_flush(image)
        guard let data = cairo.image_surface_get_data(image) else { return }
        let rowBytes = Int(cairo.image_surface_get_stride(image))
        // Proof: the surface has `rows` rows of at least `columns` pixels with four bytes each.
        for row in 0..<rows {
            for column in 0..<columns {
                UnsafeMutableRawPointer(data).storeBytes(
                    of: colour(column, row).pixel, toByteOffset: row * rowBytes + 4 * column,
                    as: UInt32.self)
            }
        }
        cairo.surface_mark_dirty(image)
        cairo.save(context)
        cairo.translate(context, Double(xs.lowerBound), Double(ys.lowerBound))
        cairo.scale(
            context, Double(xs.count) / Double(columns), Double(ys.count) / Double(rows))
        cairo.set_source_surface(context, image, 0, 0)
        cairo.pattern_set_filter(cairo.get_source(context), CAIRO_FILTER_NEAREST)
        cairo.rectangle(context, 0, 0, Double(columns), Double(rows))
        cairo.fill(context)
        cairo.restore(context)
    }
}

// MARK: - Text

extension Drawing {
    private func select(_ font: Font) {
        let weight = font.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL
        cairo.select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, weight)
        cairo.set_font_size(context, font.size)
    }

    /// The width of text in the selected font.
    private func width(of text: String) -> Double {
        var extents = cairo_text_extents_t()
        cairo.text_extents(context, text, &extents)
        return extents.x_advance
    }

    /// Draws a line of text with its baseline at `y`, shortened to `room` pixels; returns its
    /// width.
    @discardableResult func write(
        _ text: String, x: Double, y: Double, _ colour: Colour, _ font: Font,
        _ alignment: Alignment = .left, room: Double = .infinity
    ) -> Double {
        select(font)
        let text = PictureText.legible(text)
        var (shown, rest) = (text, text[...])
        while width(of: shown) > room, !rest.isEmpty {
            rest.removeLast()
            shown = rest + "…"
        }
        let width = width(of: shown)
        let share = alignment == .left ? 0 : alignment == .middle ? 0.5 : 1
        use(colour)
        cairo.move_to(context, max(0, x - share * width), y)
        cairo.show_text(context, shown)
        return width
    }
}
