import Domain

/// Cards that were read from pasted lines or a text file.
///
/// One line is one card: front, separator, back. The separator is a tab, a semicolon or a comma. Fields may have
/// quotation marks as in CSV (RFC 4180), and then contain separators and line breaks. This reads what Quizlet and Anki
/// export as text; Anki's lines with `#` are obeyed, and its HTML becomes plain text.
public struct CardLines: Sendable, Hashable {
    /// A card that was read.
    public struct Card: Sendable, Hashable {
        public let front: String
        public let back: String

        public init(front: String, back: String) {
            self.front = front
            self.back = back
        }
    }
    /// A line that is no card.
    public struct Fault: Sendable, Hashable {
        /// The kinds of faults in a line of cards.
        public enum Kind: String, Sendable, Hashable { case noSeparator, emptySide, tooLong, control }
        public let kind: Kind
        /// The line in which the card begins, counted from 1.
        public let line: Int

        public init(_ kind: Kind, line: Int) {
            self.kind = kind
            self.line = line
        }
    }

    public private(set) var cards: [Card] = []
    public private(set) var faults: [Fault] = []

    /// The separators, the likeliest first.
    private static let separators: [UInt8] = [UInt8(ascii: "\t"), UInt8(ascii: ";"), UInt8(ascii: ",")]
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    /// The titles of columns that a first line may have instead of a card.
    private static let titles: Set<String> = [
        "front", "back", "term", "definition", "question", "answer", "recto", "verso", "terme", "définition",
        "réponse",
    ]

    /// Reads cards from a text.
    /// - Parameter longest: the largest length of a side in Unicode scalars.
    public init(_ text: String, longest: Int = CardSide.longest) {
        var bytes = Array(text.utf8)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let file = AnkiHeader(bytes)
        let separator = file.separator ?? Self.separator(of: bytes, from: file.end)
        let rows = Self.rows(bytes, from: file.end, line: file.lines + 1, separator: separator)
        // More than two fields in every line are columns, of which the first two count. In some lines only, the
        // separator is part of the back.
        let counts = Set(rows.map(\.fields.count))
        let areColumns = counts.count == 1 || separator == Self.separators[0] || file.separator != nil
        for (place, row) in rows.enumerated() {
            guard row.fields.count > 1 else {
                faults.append(Fault(.noSeparator, line: row.line))
                continue
            }
            let joined =
                areColumns || row.isQuoted
                ? row.fields[1]
                : row.fields.dropFirst().joined(separator: String(decoding: [separator], as: UTF8.self))
            func side(_ field: String) -> String {
                // In CSV, an apostrophe before a formula is not part of the text.
                let text = separator == Self.separators[0] ? field : CSVField.value(field)
                return Self.cleaned(file.isHTML ? Self.plain(text) : text)
            }
            let (front, back) = (side(row.fields[0]), side(joined))
            // A file with Anki's header has no titles.
            if place == 0, file.lines == 0, Self.titles.contains(front.lowercased()),
                Self.titles.contains(back.lowercased())
            {
                continue
            }
            if let kind = Self.fault(front, longest) ?? Self.fault(back, longest) {
                faults.append(Fault(kind, line: row.line))
            } else {
                cards.append(Card(front: front, back: back))
            }
        }
    }

    private static func fault(_ side: String, _ longest: Int) -> Fault.Kind? {
        let scalars = side.unicodeScalars
        if !scalars.contains(where: { !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint }) {
            return .emptySide
        }
        if scalars.count > longest { return .tooLong }
        // The same characters as in `FieldReader.text`.
        return scalars.contains {
            ($0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t")
                || [0x2028, 0x2029, 0x202D, 0x202E].contains($0.value)
        } ? .control : nil
    }

    // MARK: - Rows

    private struct Row {
        var fields: [String]
        let line: Int
        var isQuoted = false
    }

    /// Chooses the separator that most lines contain, in doubt the likeliest.
    private static func separator(of bytes: [UInt8], from start: Int) -> UInt8 {
        var lines: [UInt8: Int] = [:]
        var seen: Set<UInt8> = []
        var isQuoted = false
        for byte in bytes[start...] {
            if byte == quote { isQuoted.toggle() }
            if byte == lineFeed, !isQuoted {
                for one in seen { lines[one, default: 0] += 1 }
                seen = []
            } else if !isQuoted, separators.contains(byte) {
                seen.insert(byte)
            }
        }
        for one in seen { lines[one, default: 0] += 1 }
        let most = separators.map { lines[$0, default: 0] }.max() ?? 0
        return separators.first { lines[$0, default: 0] == most } ?? separators[0]
    }

    private static func rows(_ bytes: [UInt8], from start: Int, line: Int, separator: UInt8) -> [Row] {
        var (index, line) = (start, line)
        var rows: [Row] = []
        while index < bytes.count {
            var row = Row(fields: [], line: line)
            repeat {
                var field: [UInt8] = []
                let opening = quotedField(bytes, from: index, separator: separator)
                if let (content, end) = opening {
                    line += content.count { $0 == lineFeed }
                    (field, index, row.isQuoted) = (content, end, true)
                } else {
                    while index < bytes.count, bytes[index] != separator, !isBreak(bytes[index]) {
                        field.append(bytes[index])
                        index += 1
                    }
                }
                row.fields.append(String(decoding: field, as: UTF8.self))
                guard index < bytes.count, bytes[index] == separator else { break }
                index += 1
                if index == bytes.count { row.fields.append("") }
            } while index < bytes.count
            if index < bytes.count {
                if bytes[index] == carriageReturn, index + 1 < bytes.count, bytes[index + 1] == lineFeed {
                    index += 1
                }
                index += 1
                line += 1
            }
            let isBlank = row.fields.allSatisfy { field in field.allSatisfy(\.isWhitespace) }
            if !isBlank { rows.append(row) }
        }
        return rows
    }

    private static func isBreak(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }

    /// Reads a field in quotation marks; `nil` if the field does not begin with one, or if text follows the closing one,
    /// as in a line that begins with a quoted word.
    private static func quotedField(
        _ bytes: [UInt8], from start: Int, separator: UInt8
    ) -> (content: [UInt8], end: Int)? {
        guard start < bytes.count, bytes[start] == quote else { return nil }
        var (index, content): (Int, [UInt8]) = (start + 1, [])
        while index < bytes.count {
            if bytes[index] != quote {
                content.append(bytes[index])
            } else if index + 1 < bytes.count, bytes[index + 1] == quote {
                content.append(quote)
                index += 1
            } else {
                let end = index + 1
                let isEnd = end == bytes.count || bytes[end] == separator || isBreak(bytes[end])
                return isEnd ? (content, end) : nil
            }
            index += 1
        }
        return nil
    }

    // MARK: - Texts

    /// Returns a text without white space at its ends, with `\n` for every line break.
    private static func cleaned(_ text: String) -> String {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            var line = line
            while line.last?.isWhitespace == true { line.removeLast() }
            return line
        }
        var joined = lines.joined(separator: "\n")[...]
        while joined.first?.isWhitespace == true { joined.removeFirst() }
        while joined.last?.isWhitespace == true { joined.removeLast() }
        return String(joined)
    }

    /// Returns the text of a field in HTML: tags are removed, breaks become line breaks, and the common entities
    /// become their characters. References to Anki's sounds are removed, because the export has no files.
    private static func plain(_ html: String) -> String {
        var text = html.replacing(/(?i)<\s*(br|\/div|\/p|\/li)\s*\/?>/, with: "\n")
        text = text.replacing(/<[^>]*>/, with: "").replacing(/\[sound:[^\]]*\]/, with: "")
        for (entity, letter) in [
            ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ] { text = text.replacing(entity, with: letter) }
        return text
    }
}

/// The lines with `#` at the beginning of a file that Anki exported.
private struct AnkiHeader {
    var separator: UInt8?
    var isHTML = false
    /// The index of the first byte after the header.
    var end = 0
    var lines = 0

    private static let names: [String: UInt8] = [
        "tab": UInt8(ascii: "\t"), "comma": UInt8(ascii: ","), "semicolon": UInt8(ascii: ";"),
        "pipe": UInt8(ascii: "|"), "colon": UInt8(ascii: ":"), "space": UInt8(ascii: " "),
    ]

    init(_ bytes: [UInt8]) {
        while end < bytes.count, bytes[end] == UInt8(ascii: "#") {
            let stop = bytes[end...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let line = String(decoding: bytes[end..<stop], as: UTF8.self).lowercased()
            let parts = line.dropFirst().split(separator: ":", maxSplits: 1).map { part in
                part.filter { $0 != "\r" }
            }
            // A card may begin with the sign, such as "#1".
            guard parts.count == 2,
                [
                    "separator", "html", "columns", "tags column", "deck column", "deck", "tags",
                    "notetype", "notetype column", "guid column",
                ].contains(parts[0])
            else { return }
            if parts[0] == "separator" {
                separator = Self.names[parts[1]] ?? (parts[1].utf8.count == 1 ? parts[1].utf8.first : separator)
            }
            if parts[0] == "html" { isHTML = parts[1] == "true" }
            (end, lines) = (min(stop + 1, bytes.count), lines + 1)
        }
    }
}
