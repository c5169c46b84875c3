/// Limits on a Markdown text, checked in one pass over its bytes before cmark-gfm parses it.
///
/// NB: Debian 12 has cmark-gfm 0.29.0.gfm.6, which takes excessive time or memory for some texts. The limits were
/// measured with it; `CMarkReaderTests` has the texts. A later version may make some limits unnecessary.
struct MarkdownBounds {
    /// The largest text in bytes. A lesson has at most 200,000 characters.
    static let bytes = 1 << 20
    /// The deepest nesting of quotes and lists. Each line checks all open ones: 25,000 of them before 12,500 lines took
    /// eight seconds.
    static let markers = 32
    /// The most spaces before a line, which may continue nested lists.
    static let indent = 128
    /// The most opening brackets in a paragraph. Each `![[]()` looks back at all before it: 200,000 bytes of them took
    /// fifteen seconds.
    static let brackets = 400
    /// The most `@` in a text. Each searches its surroundings for a mail address.
    static let ats = 4000
    /// The most table cells: for each paragraph its lines times its bars. A short row gets all the cells of the header
    /// row, which took gigabytes.
    static let cells = 100_000
    /// The longest reference times the number of brackets that may use it. Each use copies the address and title.
    static let references = 8 << 20

    private var markers = 0
    private var indent = 0
    private var ats = 0
    private var allBrackets = 0
    private var cells = 0
    private var longestReference = 0
    private var worstBrackets = 0

    // Counts of the current paragraph, which ends with an empty line.
    private var lines = 0
    private var bars = 0
    private var brackets = 0
    private var size = 0
    private var hasReference = false

    /// Whether the text is within all limits.
    static func allows(_ text: some Collection<UInt8>) -> Bool {
        guard text.count <= bytes else { return false }
        var all = MarkdownBounds()
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 10 || $0 == 13 }) {
            all.read(line)
        }
        all.endParagraph()
        return all.markers <= markers && all.indent <= indent && all.worstBrackets <= brackets && all.ats <= ats
            && all.cells <= cells && all.allBrackets * all.longestReference <= references
    }

    private mutating func read(_ line: some Collection<UInt8>) {
        var (isBegin, isEmpty, signs, blanks, own) = (true, true, 0, 0, 0)
        var last: UInt8 = 0
        for byte in line {
            switch byte {
            case UInt8(ascii: " "): blanks += isBegin && isEmpty ? 1 : 0
            case UInt8(ascii: "\t"): blanks += isBegin && isEmpty ? 4 : 0
            default: isEmpty = false
            }
            if isBegin { isBegin = MarkdownBounds.canBeMarker(byte, after: last, &signs) }
            switch byte {
            case UInt8(ascii: "|"): own += 1
            case UInt8(ascii: "["): brackets += 1
            case UInt8(ascii: "@"): ats += 1
            case UInt8(ascii: ":") where last == UInt8(ascii: "]"): hasReference = true
            default: break
            }
            last = byte
        }
        markers = max(markers, signs)
        indent = max(indent, blanks)
        guard !isEmpty else { return endParagraph() }
        lines += 1
        bars = max(bars, own)
        size += line.count + 1
    }

    /// Whether the line can still be within markers of quotes and lists (`>`, `-`, `+`, `*`, `1.`, `2)`). Counts the
    /// markers.
    private static func canBeMarker(_ byte: UInt8, after last: UInt8, _ signs: inout Int) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"):
            if [UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "."), UInt8(ascii: ")")]
                .contains(last)
            {
                signs += 1
            }
            return true
        case UInt8(ascii: ">"):
            signs += 1
            return true
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "."), UInt8(ascii: ")"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            return true
        default: return false
        }
    }

    private mutating func endParagraph() {
        cells += lines * bars
        worstBrackets = max(worstBrackets, brackets)
        allBrackets += brackets
        if hasReference { longestReference = max(longestReference, size) }
        (lines, bars, brackets, size, hasReference) = (0, 0, 0, 0, false)
    }
}
