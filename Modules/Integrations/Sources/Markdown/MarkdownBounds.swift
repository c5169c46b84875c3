/// Whether a text can be given to cmark-gfm without harm, told in one pass over its bytes.
///
/// NB: Debian 12 has cmark-gfm 0.29.0.gfm.6, which takes time or memory beyond all measure for some texts. The figures below
/// were measured with it; `CMarkReaderTests` holds the texts. With a later version one may look which bounds can go.
struct MarkdownBounds {
    /// A lesson has at most 200,000 characters.
    static let bytes = 1 << 20
    /// Quotes and lists within one another: each line asks all that are open. 25,000 of them
    /// before 12,500 lines took eight seconds.
    static let markers = 32
    /// Blanks before a line, which may continue a list within lists.
    static let indent = 128
    /// Brackets that open within one paragraph: each `![[]()` looks back at all before it; 200,000
    /// bytes of them took fifteen seconds.
    static let brackets = 400
    /// `@` in all: each looks around itself for an address of mail.
    static let ats = 4000
    /// The lines of a paragraph times its bars, over all: a short row gets all the cells of the head, which took gigabytes.
    static let cells = 100_000
    /// What a reference holds times all that may name it: each gets a copy of its address and title.
    static let references = 8 << 20

    private var markers = 0
    private var indent = 0
    private var ats = 0
    private var allBrackets = 0
    private var cells = 0
    private var longestReference = 0
    private var worstBrackets = 0

    // Of the paragraph, which ends with an empty line.
    private var lines = 0
    private var bars = 0
    private var brackets = 0
    private var size = 0
    private var hasReference = false

    /// Whether the text is within all bounds.
    static func hold(_ text: some Collection<UInt8>) -> Bool {
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

    /// Whether the line can still be in what opens quotes and lists: `>`, `-`, `+`, `*`, `1.`, `2)`; counts them.
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
