import CPango
import DesignTokens
import Domain
import FeatureKit

/// Lays out a document on pages. Used on one thread only.
final class PrintedSheets {
    /// A part of the document that is never split between pages.
    private struct Piece {
        var height: Double
        var gap = 0.0
        /// Whether the piece stays on the same page as the next one.
        var leads = false
        /// The number of the table that it is a row of, and the table's header row.
        var table: Int?
        var head: [Piece] = []
        let draw: (Double) -> Void
    }

    /// The page sizes of ISO 216 and ANSI Y14.1, in points.
    private static func size(_ paper: PrintedDocument.Paper) -> (width: Double, height: Double) {
        switch paper {
        case .a4: (595.28, 841.89)
        case .letter: (612, 792)
        }
    }
    private static let linesTogether = 6
    /// The text styles of a name on a badge, from the largest; the first that fits is used.
    private static let nameStyles: [PTTypography.Style] = [.title3, .headline, .body, .caption]

    private final class Output { var bytes: [UInt8] = [] }

    private let document: PrintedDocument
    private let look: PrintLook
    private let output = Output()
    private let surface: OpaquePointer
    private let context: OpaquePointer
    private let width: Double
    private let height: Double
    private var tables = 0

    init(_ document: PrintedDocument, _ look: PrintLook) throws {
        self.document = document
        self.look = look
        let upright = Self.size(document.paper)
        (width, height) = document.isLandscape ? (upright.height, upright.width) : upright
        surface = cairo_pdf_surface_create_for_stream(
            { target, data, count in
                guard let target, let data else { return CAIRO_STATUS_WRITE_ERROR }
                Unmanaged<Output>.fromOpaque(target).takeUnretainedValue().bytes.append(
                    contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
                return CAIRO_STATUS_SUCCESS
            }, Unmanaged.passUnretained(output).toOpaque(), width, height)
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, document.title)
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_AUTHOR, document.school)
        context = cairo_create(surface)
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    func bytes() throws -> [UInt8] {
        let pages = paginated(title + document.blocks.flatMap(pieces))
        for (index, page) in pages.enumerated() {
            var open: Int?
            for (piece, y) in page {
                if piece.table != open {
                    if open != nil { cairo_tag_end(context, "Table") }
                    if piece.table != nil { cairo_tag_begin(context, "Table", nil) }
                    open = piece.table
                }
                piece.draw(y)
            }
            if open != nil { cairo_tag_end(context, "Table") }
            foot(index + 1, of: pages.count)
            cairo_show_page(context)
        }
        cairo_surface_finish(surface)
        let states = [cairo_status(context), cairo_surface_status(surface)]
        if let state = states.first(where: { $0 != CAIRO_STATUS_SUCCESS }) {
            throw PangoPrinter.Failure(description: String(cString: cairo_status_to_string(state)))
        }
        return PDFCatalog.marked(output.bytes, language: document.language.rawValue)
    }

    // MARK: - Pages

    private var inner: Double { width - 2 * look.margin }
    /// The school's name in the footer, on as many lines as it needs.
    private lazy var owner = TextLayout(document.school, .caption, look, width: inner, on: context)
    private lazy var footHeight = look.gap + owner.height + look.snug + number(1, of: 1).height

    private func number(_ page: Int, of count: Int) -> TextLayout {
        TextLayout(document.pageNumber(page, count), .caption, look, width: inner, isCentered: true, on: context)
    }

    private func paginated(_ pieces: [Piece]) -> [[(Piece, Double)]] {
        let bottom = height - look.margin - footHeight
        var pages: [[(Piece, Double)]] = [[]]
        var y = look.margin
        func place(_ piece: Piece) {
            let isFirst = pages[pages.count - 1].isEmpty
            y += isFirst ? 0 : piece.gap
            pages[pages.count - 1].append((piece, y))
            y += piece.height
        }
        for (index, piece) in pieces.enumerated() {
            // A piece that leads needs room for the pieces that follow it.
            var needed = piece.gap + piece.height
            var next = index
            while pieces[next].leads, next + 1 < pieces.count {
                next += 1
                needed += pieces[next].gap + pieces[next].height
            }
            if y + needed > bottom, !pages[pages.count - 1].isEmpty {
                pages.append([])
                y = look.margin
                piece.head.forEach(place)
            }
            place(piece)
        }
        return pages
    }

    private func foot(_ page: Int, of count: Int) {
        let y = height - look.margin - footHeight + look.gap
        ink(.textMuted)
        owner.draw(at: look.margin, y, on: context)
        number(page, of: count).draw(at: look.margin, y + owner.height + look.snug, on: context)
    }

    // MARK: - Pieces

    private var title: [Piece] {
        emblem
            + [(document.title, PTTypography.Style.title1, PTColors.Role.text, "H1")]
            .map { text, style, role, tag in self.text(text, style, role, tag, leads: true) }
            + (document.subtitle.map { [text($0, .body, .textMuted, "P")] } ?? [])
    }

    /// The logo of the school, or a disc with its initials, and its name beside it.
    private var emblem: [Piece] {
        guard let emblem = document.emblem else { return [] }
        if let logo = emblem.logo, let picture = JPEGSurface(logo) { return marked(emblem.name, picture) }
        let side = 3 * look.size(.title3)
        let initials = TextLayout(emblem.initials, .title3, look, width: side, isCentered: true, on: context)
        let name = TextLayout(emblem.name, .headline, look, width: inner - side - look.gap, on: context)
        let tall = max(side, name.height)
        return [
            Piece(height: tall + look.gap, leads: true) { [self] y in
                ink(.primary)
                cairo_arc(context, look.margin + side / 2, y + tall / 2, side / 2, 0, 2 * .pi)
                cairo_fill(context)
                ink(.onPrimary)
                initials.draw(at: look.margin, y + (tall - initials.height) / 2, on: context)
                ink(.text)
                tagged("P") {
                    name.draw(at: look.margin + side + look.gap, y + (tall - name.height) / 2, on: context)
                }
            }
        ]
    }

    /// A logo in its own proportions, at most four times as wide as it is high, and the name beside it.
    private func marked(_ text: String, _ picture: JPEGSurface) -> [Piece] {
        let side = 3 * look.size(.title3)
        let scale = min(side / picture.height, 4 * side / picture.width)
        let (wide, high) = (picture.width * scale, picture.height * scale)
        let name = TextLayout(text, .headline, look, width: inner - wide - look.gap, on: context)
        let tall = max(high, name.height)
        return [
            Piece(height: tall + look.gap, leads: true) { [self] y in
                picture.draw(at: look.margin, y + (tall - high) / 2, scale: scale, on: context)
                ink(.text)
                tagged("P") {
                    name.draw(at: look.margin + wide + look.gap, y + (tall - name.height) / 2, on: context)
                }
            }
        ]
    }

    private func pieces(_ block: PrintedBlock) -> [Piece] {
        switch block {
        case .heading(let text):
            return [self.text(text, .title3, .text, "H2", gap: look.block, leads: true)]
        case .text(let text): return running(text, .body, .text, "P")
        case .note(let text): return running(text, .caption, .textMuted, "P")
        case .items(let items): return items.flatMap { running("•  \($0)", .body, .text, "P") }
        case .table(let table): return rows(table)
        case .badges(let badges): return cards(badges)
        case .writing(let label, let lines):
            return [text(label, .headline, .text, "P", gap: look.block, leads: true)]
                + (0..<lines).map { _ in
                    Piece(height: look.block + look.gap) { [self] y in
                        line(look.margin, y + look.block + look.gap, to: look.margin + inner)
                    }
                }
        }
    }

    private func text(
        _ text: String, _ style: PTTypography.Style, _ role: PTColors.Role, _ tag: String, gap: Double = 0,
        leads: Bool = false
    ) -> Piece {
        let layout = TextLayout(text, style, look, width: inner, on: context)
        return Piece(height: layout.height + look.snug, gap: gap, leads: leads) { [self] y in
            ink(role)
            tagged(tag) { layout.draw(at: look.margin, y, on: context) }
        }
    }

    /// Text that may continue on the next page.
    private func running(
        _ text: String, _ style: PTTypography.Style, _ role: PTColors.Role, _ tag: String
    ) -> [Piece] {
        TextLayout(text, style, look, width: inner, on: context).portions(of: Self.linesTogether).enumerated().map {
            index, portion in
            Piece(height: portion.height, gap: index == 0 ? look.gap : 0) { [self] y in
                ink(role)
                tagged(tag) { portion.draw(look.margin, y, context) }
            }
        }
    }

    private func rows(_ table: PrintedTable) -> [Piece] {
        tables += 1
        let shares = table.columns.reduce(0) { $0 + $1.share }
        let widths = table.columns.map { inner * $0.share / shares }
        var head = row(table.columns.map(\.title), table, widths, .caption, isHead: true)
        head[0].gap = look.gap
        for index in head.indices { head[index].leads = true }
        return head
            + table.rows.flatMap { cells in
                row(cells, table, widths, .body, isHead: false).map { piece in
                    var piece = piece
                    piece.head = head
                    return piece
                }
            }
    }

    /// One piece, or several if a cell is so long that the row must continue on the next page.
    private func row(
        _ cells: [String], _ table: PrintedTable, _ widths: [Double], _ style: PTTypography.Style, isHead: Bool
    ) -> [Piece] {
        let pad = look.snug
        // In a narrow column, such as a day of a month, the text needs the width.
        let sides = widths.map { min(pad, $0 / 8) }
        let layouts = cells.indices.map { index in
            TextLayout(
                cells[index], style, look, width: max(1, widths[index] - 2 * sides[index]),
                isCentered: table.columns[index].isCentered, isCell: true, on: context)
        }
        let isLong = (layouts.map(\.height).max() ?? 0) > (height - 2 * look.margin - footHeight) / 2
        let parts = layouts.map { $0.portions(of: isLong ? Self.linesTogether : .max) }
        let count = parts.map(\.count).max() ?? 0
        return (0..<count).map { part in
            let tallest = parts.reduce(0) { max($0, part < $1.count ? $1[part].height : 0) }
            let (above, below) = (part == 0 ? pad : 0, part == count - 1 ? pad : 0)
            let tall = above + tallest + below
            return Piece(height: tall, table: tables) { [self] y in
                cairo_tag_begin(context, "TR", nil)
                var x = look.margin
                for (index, cell) in parts.enumerated() {
                    if part < cell.count {
                        ink(isHead ? .textMuted : .text)
                        clipped(x, y, widths[index], tall) {
                            tagged(isHead || index == 0 ? "TH" : "TD") {
                                cell[part].draw(x + sides[index], y + above, context)
                            }
                        }
                    }
                    x += widths[index]
                }
                cairo_tag_end(context, "TR")
                if part == count - 1 { line(look.margin, y + tall, to: look.margin + inner) }
            }
        }
    }

    /// Two badges per row with a cutting line. A name that is too long gets a smaller size, then a taller row.
    private func cards(_ badges: [PrintedBadge]) -> [Piece] {
        let width = (inner - look.gap) / 2
        let side = width / 3
        let room = width - side - 3 * look.block
        return stride(from: 0, to: badges.count, by: 2).map { first in
            let row = badges[first..<min(first + 2, badges.count)].map { ($0, writing(on: $0, room, side)) }
            let tall =
                row.reduce(side) { max($0, $1.1.name.height + look.snug + $1.1.detail.height) } + 2 * look.block
            return Piece(height: tall, gap: look.gap) { [self] y in
                for (column, (badge, text)) in row.enumerated() {
                    let x = look.margin + Double(column) * (width + look.gap)
                    ink(.outline)
                    cairo_set_line_width(context, look.hairline)
                    cairo_rectangle(context, x, y, width, tall)
                    cairo_stroke(context)
                    code(badge.code, x + width - side - look.block, y + look.block, side)
                    clipped(x, y, width, tall) {
                        ink(.text)
                        tagged("P") { text.name.draw(at: x + look.block, y + look.block, on: context) }
                        ink(.textMuted)
                        tagged("P") {
                            text.detail.draw(
                                at: x + look.block, y + look.block + text.name.height + look.snug, on: context)
                        }
                    }
                }
            }
        }
    }

    /// The text beside the code of a badge, with the name in the largest size that fits.
    private func writing(
        on badge: PrintedBadge, _ room: Double, _ side: Double
    ) -> (name: TextLayout, detail: TextLayout) {
        let detail = TextLayout(badge.detail, .caption, look, width: room, isCell: true, on: context)
        let names = Self.nameStyles.map {
            TextLayout(badge.name, $0, look, width: room, isCell: true, on: context)
        }
        let fitting = names.first { $0.height + look.snug + detail.height <= side }
        return (fitting ?? names[names.count - 1], detail)
    }

    /// Draws a QR code in black on white, as one path so that no seams show between modules.
    private func code(_ modules: [[Bool]], _ x: Double, _ y: Double, _ side: Double) {
        guard !modules.isEmpty else { return }
        let module = side / Double(modules.count)
        cairo_set_source_rgb(context, 0, 0, 0)
        for (row, line) in modules.enumerated() {
            for (column, isDark) in line.enumerated() where isDark {
                cairo_rectangle(
                    context, x + Double(column) * module, y + Double(row) * module, module, module)
            }
        }
        cairo_fill(context)
    }

    // MARK: - Drawing

    private func tagged(_ tag: String, _ draw: () -> Void) {
        cairo_tag_begin(context, tag, nil)
        draw()
        cairo_tag_end(context, tag)
    }

    /// Clips drawing to a box: stacked combining marks can exceed any line height.
    private func clipped(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ draw: () -> Void) {
        cairo_save(context)
        cairo_rectangle(context, x, y, width, height)
        cairo_clip(context)
        draw()
        cairo_restore(context)
    }

    private func ink(_ role: PTColors.Role) {
        let color = look.colors[role]
        cairo_set_source_rgb(context, color.red, color.green, color.blue)
    }

    private func line(_ x: Double, _ y: Double, to end: Double) {
        ink(.outline)
        cairo_set_line_width(context, look.hairline)
        cairo_move_to(context, x, y)
        cairo_line_to(context, end, y)
        cairo_stroke(context)
    }
}
