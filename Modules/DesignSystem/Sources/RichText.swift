public import Domain

/// A text with headings, lists, tables and links, as its author structured it, without formatting.
///
/// It contains no HTML, no addresses other than those that `address(_:)` allows, and no pictures other than those
/// given to its reader. Renderers may therefore show every part of it.
public struct PTRichText: Codable, Hashable, Sendable {
    /// A block of the text, such as a paragraph.
    public indirect enum Block: Codable, Hashable, Sendable {
        /// A heading. `level` 1 is the first below the page's own title; the last is `deepestHeading`.
        case heading(level: Int, text: [Inline])
        case paragraph([Inline])
        /// Lines that are shown exactly as typed, such as code.
        case codeBlock(String)
        case quote([Block])
        case list(List)
        case table(Table)
        /// A horizontal line between two parts of the text.
        case rule
    }

    /// A part of a line in a rich text, such as words, emphasis or a link.
    public indirect enum Inline: Codable, Hashable, Sendable {
        case text(String)
        case code(String)
        case emphasis([Inline])
        case strong([Inline])
        case strikethrough([Inline])
        /// A link in the text. `address` was returned by `PTRichText.address(_:)`.
        case link(address: String, text: [Inline])
        /// A picture in the text, from this server and never from another site.
        case picture(PTImage)
        case formula(Formula)
        case lineBreak
    }

    /// A list with bullets, or with numbers from `start`.
    public struct List: Codable, Hashable, Sendable {
        public var items: [Item]
        /// The first number of a numbered list; `nil` for bullets.
        public var start: Int?
        /// Whether the items of the list are short and close together.
        public var isTight: Bool

        public init(items: [Item], start: Int? = nil, isTight: Bool = true) {
            self.items = items
            self.start = start
            self.isTight = isTight
        }
    }

    /// One item of a list in a rich text.
    public struct Item: Codable, Hashable, Sendable {
        public var body: [Block]
        /// Whether a task is done; `nil` if the item is not a task.
        public var isDone: Bool?

        public init(body: [Block], isDone: Bool? = nil) {
            self.body = body
            self.isDone = isDone
        }
    }

    /// A table with a header. Rows may be shorter than it.
    public struct Table: Codable, Hashable, Sendable {
        /// The horizontal alignment of the text in a table's column.
        public enum Alignment: String, Codable, Hashable, Sendable {
            case start, center, end
        }

        public var head: [[Inline]]
        public var rows: [[[Inline]]]
        /// The alignments of the columns; further columns are aligned at the start.
        public var alignments: [Alignment]

        public init(head: [[Inline]], rows: [[[Inline]]], alignments: [Alignment] = []) {
            self.head = head
            self.rows = rows
            self.alignments = alignments
        }
    }

    /// The number of heading levels below the page's title (HTML: `h2` to `h6`).
    public static let deepestHeading = 5

    public var blocks: [Block]

    public init(_ blocks: [Block]) { self.blocks = blocks }

    /// Creates paragraphs of plain text. An empty line begins a new paragraph; single line breaks stay.
    public init(plain text: String) {
        var paragraphs: [[Inline]] = []
        var open: [Inline] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if line.allSatisfy(\.isWhitespace) {
                if !open.isEmpty { paragraphs.append(open) }
                open = []
            } else {
                if !open.isEmpty { open.append(.lineBreak) }
                open.append(.text(String(line)))
            }
        }
        if !open.isEmpty { paragraphs.append(open) }
        blocks = paragraphs.map(Block.paragraph)
    }

    /// Returns an address that an author's link may lead to; `nil` if the address is not allowed.
    ///
    /// Allowed are paths of this site, and `https`, `http` and `mailto` addresses, whose scheme is returned in lower
    /// case. Refused are all others, such as `javascript:` and `//host`, and addresses with white space or control
    /// characters, which browsers remove.
    public static func address(_ typed: String) -> String? {
        guard typed.utf8.count <= 2000,
            typed.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        if typed.hasPrefix("/") { return typed.hasPrefix("//") ? nil : typed }
        guard let colon = typed.firstIndex(of: ":") else { return nil }
        let (scheme, rest) = (typed[..<colon].lowercased(), typed[colon...])
        switch scheme {
        case "http", "https": return rest.hasPrefix("://") && rest.count > 3 ? scheme + rest : nil
        case "mailto": return rest.count > 1 ? scheme + rest : nil
        default: return nil
        }
    }

    /// The text without its structure, one line for each block, for the search.
    public var plainText: String {
        var lines: [String] = []
        PTRichText.gather(blocks, into: &lines)
        return lines.joined(separator: "\n")
    }

    private static func gather(_ blocks: [Block], into lines: inout [String]) {
        for block in blocks {
            switch block {
            case .heading(_, let text), .paragraph(let text): lines.append(words(text))
            case .codeBlock(let code): lines.append(code)
            case .quote(let inner): gather(inner, into: &lines)
            case .list(let list): for item in list.items { gather(item.body, into: &lines) }
            case .table(let table):
                for row in [table.head] + table.rows { lines.append(row.map(words).joined(separator: " ")) }
            case .rule: break
            }
        }
    }

    /// The text of a line.
    static func words(_ text: [Inline]) -> String {
        text.reduce(into: "") { words, inline in
            switch inline {
            case .text(let text), .code(let text): words += text
            case .emphasis(let inner), .strong(let inner), .strikethrough(let inner), .link(_, let inner):
                words += self.words(inner)
            case .picture(let image): words += image.alt
            case .formula(let formula): words += formula.plainText
            case .lineBreak: words += " "
            }
        }
    }
}
