import CCMark
import DesignSystem

/// A node of cmark-gfm's tree.
///
/// Nodes are recognized by the names of their types: the types of extensions are C variables, which Swift cannot read
/// safely.
enum MarkdownPart {
    case document, paragraph, quote, rule, lineBreak, softBreak, emphasis, strong, strikethrough, tableRow,
        tableCell
    case heading(Int)
    case list(start: Int?, isTight: Bool)
    case item(isDone: Bool?)
    case table([PTRichText.Table.Alignment])
    case text(String)
    case code(String)
    case codeBlock(String)
    /// A block of HTML, shown as text.
    case markup(String)
    case link(String)
    case image(String)
    /// A node without visible content.
    case other

    init(_ node: OpaquePointer) {
        func literal() -> String { cmark_node_get_literal(node).map { String(cString: $0) } ?? "" }
        switch cmark_node_get_type_string(node).map({ String(cString: $0) }) ?? "" {
        case "document": self = .document
        case "paragraph": self = .paragraph
        case "block_quote": self = .quote
        case "thematic_break": self = .rule
        case "linebreak": self = .lineBreak
        case "softbreak": self = .softBreak
        case "emph": self = .emphasis
        case "strong": self = .strong
        case "strikethrough": self = .strikethrough
        case "heading": self = .heading(Int(cmark_node_get_heading_level(node)))
        case "list":
            let isNumbered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
            self = .list(
                start: isNumbered ? Int(cmark_node_get_list_start(node)) : nil,
                isTight: cmark_node_get_list_tight(node) != 0)
        case "item": self = .item(isDone: nil)
        case "tasklist": self = .item(isDone: cmark_gfm_extensions_get_tasklist_item_checked(node))
        case "table":
            let count = Int(cmark_gfm_extensions_get_table_columns(node))
            let letters = cmark_gfm_extensions_get_table_alignments(node)
            self = .table(
                (0..<count).map { column in
                    switch letters?[column] {
                    case UInt8(ascii: "c"): .center
                    case UInt8(ascii: "r"): .end
                    default: .start
                    }
                })
        case "table_header", "table_row": self = .tableRow
        case "table_cell": self = .tableCell
        case "text", "html_inline": self = .text(literal())
        case "code": self = .code(literal())
        case "code_block": self = .codeBlock(literal())
        case "html_block": self = .markup(literal())
        case "link": self = .link(cmark_node_get_url(node).map { String(cString: $0) } ?? "")
        case "image": self = .image(cmark_node_get_url(node).map { String(cString: $0) } ?? "")
        default: self = .other
        }
    }
}

/// Builds a `PTRichText` from a walk over the tree.
///
/// It does not recurse: a hostile text can be nested as deep as it is long.
struct RichTextWriter {
    /// An open node and the content that it has so far.
    private struct Frame {
        let part: MarkdownPart
        var blocks: [PTRichText.Block] = []
        var inlines: [PTRichText.Inline] = []
        var items: [PTRichText.Item] = []
        var rows: [[[PTRichText.Inline]]] = []
        var cells: [[PTRichText.Inline]] = []
    }

    /// The most pictures, more than a lesson has. Each takes much more space in a page than in the text.
    static let mostPictures = 200

    private let deepest: Int
    private var pictures = 0
    private var open: [Frame] = [Frame(part: .document)]
    /// The number of open nodes beyond the deepest level.
    private var beyond = 0

    init(deepest: Int) { self.deepest = deepest }

    /// The blocks that were read so far.
    var blocks: [PTRichText.Block] { open[0].blocks }

    mutating func enter(_ part: MarkdownPart) {
        switch part {
        case .document: break
        case .text(let text): add(.text(text))
        case .code(let code): add(.code(code))
        // Authors expect a line break where they end a line (CommonMark 0.31 section 6.13 leaves it to the renderer).
        case .lineBreak, .softBreak: add(.lineBreak)
        case .rule: add(.rule)
        case .codeBlock(let code): add(.codeBlock(code.hasSuffix("\n") ? String(code.dropLast()) : code))
        case .markup(let text): for block in PTRichText(plain: text).blocks { add(block) }
        default:
            if open.count < deepest { open.append(Frame(part: part)) } else { beyond += 1 }
        }
    }

    mutating func leave(_ part: MarkdownPart, _ pictures: (String) -> PTImage?) {
        if case .document = part { return }
        if beyond > 0 {
            beyond -= 1
            // Keeps the words of merged paragraphs apart.
            if case .paragraph = part { add(.text(" ")) }
            return
        }
        guard open.count > 1, let frame = open.popLast() else { return }
        switch frame.part {
        case .paragraph: add(.paragraph(PTRichText.joined(frame.inlines)))
        case .heading(let level):
            add(.heading(level: min(level, PTRichText.deepestHeading), text: PTRichText.joined(frame.inlines)))
        case .quote: add(.quote(frame.blocks))
        case .list(let start, let isTight):
            let rest = frame.blocks.isEmpty ? [] : [PTRichText.Item(body: frame.blocks)]
            add(.list(.init(items: frame.items + rest, start: start, isTight: isTight)))
        case .item(let isDone):
            open[open.count - 1].items.append(.init(body: frame.blocks, isDone: isDone))
        case .table(let alignments):
            guard let head = frame.rows.first else { return add(.paragraph(PTRichText.joined(frame.inlines))) }
            add(.table(.init(head: head, rows: Array(frame.rows.dropFirst()), alignments: alignments)))
        case .tableRow:
            let rest = frame.inlines.isEmpty ? [] : [PTRichText.joined(frame.inlines)]
            open[open.count - 1].rows.append(frame.cells + rest)
        case .tableCell: open[open.count - 1].cells.append(PTRichText.joined(frame.inlines))
        case .emphasis: add(.emphasis(PTRichText.joined(frame.inlines)))
        case .strong: add(.strong(PTRichText.joined(frame.inlines)))
        case .strikethrough: add(.strikethrough(PTRichText.joined(frame.inlines)))
        case .link(let address): link(address, frame.inlines)
        case .image(let address):
            if self.pictures < RichTextWriter.mostPictures, var picture = pictures(address) {
                self.pictures += 1
                picture.alt = RichTextWriter.words(frame.inlines)
                add(.picture(picture))
            } else {
                link(address, frame.inlines)
            }
        default: break
        }
    }

    private mutating func link(_ typed: String, _ inlines: [PTRichText.Inline]) {
        guard let address = PTRichText.address(typed) else {
            for inline in inlines { add(inline) }
            return
        }
        let text = PTRichText.joined(inlines)
        // A link needs a name, and a picture without a description is none.
        add(.link(address: address, text: RichTextWriter.words(text).isEmpty ? text + [.text(address)] : text))
    }

    private static func words(_ inlines: [PTRichText.Inline]) -> String {
        PTRichText([.paragraph(inlines)]).plainText
    }

    private mutating func add(_ inline: PTRichText.Inline) {
        let last = open.count - 1
        switch open[last].part {
        // At the deepest level, words may occur in a node that takes only blocks.
        case .document, .quote, .item, .list:
            if case .paragraph(let text)? = open[last].blocks.last {
                open[last].blocks[open[last].blocks.count - 1] = .paragraph(text + [inline])
            } else {
                open[last].blocks.append(.paragraph([inline]))
            }
        default: open[last].inlines.append(inline)
        }
    }

    private mutating func add(_ block: PTRichText.Block) {
        open[open.count - 1].blocks.append(block)
    }
}

extension PTRichText {
    /// Merges adjacent texts.
    fileprivate static func joined(_ inlines: [Inline]) -> [Inline] {
        inlines.reduce(into: []) { all, inline in
            if case .text(let text) = inline, case .text(let before)? = all.last {
                all[all.count - 1] = .text(before + text)
            } else {
                all.append(inline)
            }
        }
    }
}
