import CPango
import DesignTokens

/// Text that Pango has laid out.
final class TextLayout {
    private let layout: OpaquePointer
    let height: Double

    /// Lays the text out.
    ///
    /// - Parameter isCell: Aligns right-to-left text with the left edge of its column.
    init(
        _ text: String, _ style: PTTypography.Style, _ look: PrintLook, width: Double, isCentered: Bool = false,
        isCell: Bool = false, on context: OpaquePointer
    ) {
        layout = pango_cairo_create_layout(context)
        let font = pango_font_description_new()
        pango_font_description_set_family(font, look.family)
        pango_font_description_set_absolute_size(font, look.size(style) * Double(PANGO_SCALE))
        pango_font_description_set_weight(font, PangoWeight(UInt32(look.weight(style))))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        pango_layout_set_width(layout, Int32(width * Double(PANGO_SCALE)))
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_text(layout, text, -1)
        if isCentered {
            pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
        } else if isCell && pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL {
            // Pango's "right" is relative to the direction of the text.
            pango_layout_set_alignment(layout, PANGO_ALIGN_RIGHT)
        }
        var pixels: (Int32, Int32) = (0, 0)
        pango_layout_get_size(layout, &pixels.0, &pixels.1)
        height = Double(pixels.1) / Double(PANGO_SCALE)
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    func draw(at x: Double, _ y: Double, on context: OpaquePointer) {
        cairo_move_to(context, x, y)
        pango_cairo_show_layout(context, layout)
    }

    /// Splits the text into groups of at most `count` lines, so that a long text can continue on the next page.
    func portions(of count: Int) -> [(height: Double, draw: (Double, Double, OpaquePointer) -> Void)] {
        let all = lines
        return stride(from: 0, to: all.count, by: min(count, all.count)).map { first in
            let lines = all[first..<(count < all.count - first ? first + count : all.count)]
            return (
                lines.reduce(0) { $0 + $1.height },
                { [self] x, y, context in
                    var top = y
                    for line in lines {
                        cairo_move_to(context, x + line.x, top + line.ascent)
                        pango_cairo_show_layout_line(context, pango_layout_get_line_readonly(layout, line.number))
                        top += line.height
                    }
                }
            )
        }
    }

    /// The number, left offset and measures of each line.
    private var lines: [(number: Int32, x: Double, ascent: Double, height: Double)] {
        let iterator = pango_layout_get_iter(layout)
        defer { pango_layout_iter_free(iterator) }
        var lines: [(number: Int32, x: Double, ascent: Double, height: Double)] = []
        repeat {
            var (ink, logical) = (PangoRectangle(), PangoRectangle())
            pango_layout_iter_get_line_extents(iterator, &ink, &logical)
            let scale = Double(PANGO_SCALE)
            lines.append(
                (
                    Int32(lines.count), Double(logical.x) / scale,
                    Double(pango_layout_iter_get_baseline(iterator) - logical.y) / scale,
                    Double(logical.height) / scale
                ))
        } while pango_layout_iter_next_line(iterator) != 0
        return lines
    }
}
