import AssessmentModel
import DesignSystem
import Domain

/// Writes rich text as XHTML, for programs that read no Markdown.
enum RichTextMarkup {
    static func markup(_ text: PTRichText) -> String { blocks(text.blocks) }

    private static func blocks(_ blocks: [PTRichText.Block]) -> String { blocks.map(block).joined(separator: "\n") }

    private static func block(_ block: PTRichText.Block) -> String {
        switch block {
        case .heading(let level, let text):
            let name = "h\(min(level + 1, 6))"
            return "<\(name)>\(inlines(text))</\(name)>"
        case .paragraph(let text): return "<p>\(inlines(text))</p>"
        case .codeBlock(let code): return "<pre>\(QTI.escaped(code))</pre>"
        case .quote(let inner): return "<blockquote>\(blocks(inner))</blockquote>"
        case .list(let list):
            let name = list.start == nil ? "ul" : "ol"
            let items = list.items.map { item -> String in
                // A short item needs no paragraph.
                if item.body.count == 1, case .paragraph(let text) = item.body[0] {
                    return "<li>\(inlines(text))</li>"
                }
                return "<li>\(blocks(item.body))</li>"
            }
            return "<\(name)>\(items.joined())</\(name)>"
        case .table(let table):
            func row(_ cells: [[PTRichText.Inline]], _ name: String) -> String {
                "<tr>" + cells.map { "<\(name)>\(inlines($0))</\(name)>" }.joined() + "</tr>"
            }
            return "<table><thead>\(row(table.head, "th"))</thead><tbody>"
                + table.rows.map { row($0, "td") }.joined() + "</tbody></table>"
        case .rule: return "<hr/>"
        }
    }

    /// Writes a formula as MathML, with its notation in TeX beside it.
    private static func formula(_ formula: Formula) -> String {
        """
        <math xmlns="http://www.w3.org/1998/Math/MathML"\(formula.isDisplay ? " display=\"block\"" : "")><semantics>\
        \(node(formula.root))<annotation encoding="application/x-tex">\(QTI.escaped(formula.typed))</annotation>\
        </semantics></math>
        """
    }

    private static func node(_ node: MathNode) -> String {
        let attributes = node.attributes.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            " \($0.key.rawValue)=\"\(QTI.escaped($0.value))\""
        }
        return "<\(node.name.rawValue)\(attributes.joined())>\(QTI.escaped(node.text))"
            + node.children.map(self.node).joined() + "</\(node.name.rawValue)>"
    }

    static func inlines(_ text: [PTRichText.Inline]) -> String { text.map(inline).joined() }

    private static func inline(_ inline: PTRichText.Inline) -> String {
        switch inline {
        case .text(let text): QTI.escaped(text)
        case .code(let code): "<code>\(QTI.escaped(code))</code>"
        case .emphasis(let inner): "<em>\(inlines(inner))</em>"
        case .strong(let inner): "<strong>\(inlines(inner))</strong>"
        case .strikethrough(let inner): inlines(inner)
        case .link(let address, let inner): "<a href=\"\(QTI.escaped(address))\">\(inlines(inner))</a>"
        case .picture(let image):
            """
            <img src="\(QTI.escaped(image.url))" alt="\(QTI.escaped(image.alt))" width="\(image.width)" \
            height="\(image.height)"/>
            """
        case .formula(let formula): self.formula(formula)
        case .lineBreak: "<br/>"
        }
    }
}
