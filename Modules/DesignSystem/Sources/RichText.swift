/// A text with headings, lists, tables and links, as its author structured it: what is important, never how it looks.
///
/// It holds no markup, no address of another kind than `address(_:)` lets through and no picture but those that its reader was
/// given, so that a renderer may show every part of it.
public struct PTRichText: Codable, Hashable, Sendable {
    /// What stands below one another.
    public indirect enum Block: Codable, Hashable, Sendable {
        /// `level` 1 is the first below the page's own title; at most `deepestHeading`.
        case heading(level: Int, text: [Inline])
        case paragraph([Inline])
        /// Lines that are shown as they are.
        case codeBlock(String)
        case quote([Block])
        case list(List)
        case table(Table)
        /// A line between two parts.
        case rule
    }

    /// What stands within a line.
    public indirect enum Inline: Codable, Hashable, Sendable {
        case text(String)
        case code(String)
        case emphasis([Inline])
        case strong([Inline])
        case strikethrough([Inline])
        /// `address` is one that `PTRichText.address(_:)` gave.
        case link(address: String, text: [Inline])
        /// One of ours, never from another site.
        case picture(PTImage)
        case lineBreak
    }

    /// A list with bullets, or with numbers from `start`.
    public struct List: Codable, Hashable, Sendable {
        public var items: [Item]
        /// The first number; `nil` is a list with bullets.
        public var start: Int?
        /// Its items are short: they stand close together.
        public var isTight: Bool

        public init(items: [Item], start: Int? = nil, isTight: Bool = true) {
            self.items = items
            self.start = start
            self.isTight = isTight
        }
    }

    /// One entry of a list.
    public struct Item: Codable, Hashable, Sendable {
        public var body: [Block]
        /// Whether a task is done; `nil` where the entry is no task.
        public var isDone: Bool?

        public init(body: [Block], isDone: Bool? = nil) {
            self.body = body
            self.isDone = isDone
        }
    }

    /// A table with a head; rows may be shorter than it.
    public struct Table: Codable, Hashable, Sendable {
        /// Where the text of a column stands.
        public enum Alignment: String, Codable, Hashable, Sendable {
            case start, center, end
        }

        public var head: [[Inline]]
        public var rows: [[[Inline]]]
        /// One for each column; columns without one begin at the start.
        public var alignments: [Alignment]

        public init(head: [[Inline]], rows: [[[Inline]]], alignments: [Alignment] = []) {
            self.head = head
            self.rows = rows
            self.alignments = alignments
        }
    }

    /// Below the page's title there are five levels (HTML: `h2` to `h6`).
    public static let deepestHeading = 5

    public var blocks: [Block]

    public init(_ blocks: [Block]) { self.blocks = blocks }

    /// Paragraphs without any markup: an empty line begins a new one, a line's end stays one.
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

    /// An address that a link of an author may lead to: a path of this site, or `https`, `http` or `mailto` with its
    /// scheme in small letters; `nil` for every other (`javascript:`, `//host`, what holds blanks or control characters,
    /// which browsers drop).
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

    /// The words alone, a line for each block: what a search looks through.
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

    /// The words of a line.
    static func words(_ text: [Inline]) -> String {
        text.reduce(into: "") { words, inline in
            switch inline {
            case .text(let text), .code(let text): words += text
            case .emphasis(let inner), .strong(let inner), .strikethrough(let inner), .link(_, let inner):
                words += self.words(inner)
            case .picture(let image): words += image.alt
            case .lineBreak: words += " "
            }
        }
    }
}
