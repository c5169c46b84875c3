public import Domain
public import Foundation

/// A decimal number that is compared exactly, with at most 30 digits.
public struct ExactNumber: Sendable, Hashable, Comparable {
    /// The value of the number.
    public let value: Decimal

    /// Zero.
    public static let zero = ExactNumber(value: 0)

    init(value: Decimal) { self.value = value }

    /// Reads a number as it is stored in a key: ASCII digits, a point, a sign and an exponent (`-1.5e3`).
    ///
    /// Returns `nil` for any other text.
    public init?(_ text: String) {
        guard let number = Self.plain(text) else { return nil }
        self = number
    }

    /// Whether the difference of two numbers is at most a tolerance.
    public func isWithin(_ tolerance: ExactNumber, of other: ExactNumber) -> Bool {
        let difference = value - other.value
        return (difference < 0 ? -difference : difference) <= tolerance.value
    }

    public static func < (left: ExactNumber, right: ExactNumber) -> Bool { left.value < right.value }

    /// The digits of the number with a point, without groups.
    public var text: String { "\(value)" }

    static func plain(_ text: String) -> ExactNumber? {
        let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let base = parts.first else { return nil }
        let digits = base.hasPrefix("-") || base.hasPrefix("+") ? base.dropFirst() : base
        let halves = digits.split(separator: ".", omittingEmptySubsequences: false)
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        guard (1...2).contains(halves.count), halves.allSatisfy({ $0.utf8.allSatisfy(isDigit) }),
            (1...30).contains(halves.joined().utf8.count)
        else { return nil }
        var exponent = 0
        if parts.count == 2 {
            guard let power = Int(parts[1]), abs(power) <= 60 else { return nil }
            exponent = power
        }
        guard let mantissa = Decimal(string: halves.joined(), locale: Locale(identifier: "en_US_POSIX")) else {
            return nil
        }
        exponent -= halves.count == 2 ? halves[1].utf8.count : 0
        let value = Decimal(sign: base.hasPrefix("-") ? .minus : .plus, exponent: exponent, significand: mantissa)
        return ExactNumber(value: value)
    }
}

/// The meaning of a typed number.
public enum NumberReading: Sendable, Hashable {
    case number(ExactNumber)
    /// The text can be read as a number with decimals or as one with groups of thousands, such as `16,000`.
    case ambiguous(decimal: ExactNumber, grouped: ExactNumber)
    case none

    /// Reads a number as people type it: `3,14` and `3.14`, `1 234,5`, `1,234.5`, `−7` with a minus sign, and the
    /// digits of other scripts.
    ///
    /// A single comma or point before exactly three digits can separate decimals or thousands, so the text is
    /// ambiguous, unless zero precedes it (`0,125`).
    public init(_ typed: String) {
        var text = ""
        for scalar in AnswerText.visible(typed).unicodeScalars {
            if let digit = scalar.properties.numericType == .decimal ? scalar.properties.numericValue : nil {
                text += String(Int(digit))
                continue
            }
            switch scalar {
            case "\u{2212}", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{FF0D}": text += "-"
            case "\u{FF0B}": text += "+"
            case "\u{066B}", "\u{FF0C}": text += ","
            case "\u{FF0E}": text += "."
            case "\u{2019}", "\u{066C}", "'": text += "\u{20}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        self = Self.read(text.trimmingCharacters(in: .whitespaces))
    }

    private static func read(_ typed: String) -> NumberReading {
        var text = typed[...]
        var sign = ""
        if text.hasPrefix("-") || text.hasPrefix("+") {
            sign = text.hasPrefix("-") ? "-" : ""
            text = text.dropFirst().drop { $0 == " " }
        }
        var exponent = ""
        if let place = text.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            exponent = String(text[place...])
            text = text[..<place]
        }
        guard let first = text.first, first.isNumber || first == "," || first == "." else { return .none }
        func number(_ digits: String) -> ExactNumber? { ExactNumber(sign + digits + exponent) }
        func sole(_ digits: String) -> NumberReading { number(digits).map(NumberReading.number) ?? .none }
        let marks = text.filter { $0 == "," || $0 == "." }
        let hasBlanks = text.contains(" ")
        let kinds = Set(marks)
        if marks.isEmpty {
            return hasBlanks ? (ungrouped(text, by: " ").map(sole) ?? .none) : sole(String(text))
        }
        guard let last = marks.last, let place = text.lastIndex(of: last) else { return .none }
        let (whole, decimals) = (text[..<place], text[text.index(after: place)...])
        if kinds.count == 2 {
            // The last mark separates the decimals, the other one the thousands.
            guard marks.filter({ $0 == last }).count == 1, !hasBlanks,
                let other = kinds.first(where: { $0 != last }), let digits = ungrouped(whole, by: other)
            else { return .none }
            return sole("\(digits).\(decimals)")
        }
        if marks.count > 1 { return hasBlanks ? .none : (ungrouped(text, by: last).map(sole) ?? .none) }
        if hasBlanks { return ungrouped(whole, by: " ").map { sole("\($0).\(decimals)") } ?? .none }
        let canBeGrouped =
            exponent.isEmpty && decimals.count == 3 && (1...3).contains(whole.count) && whole.first != "0"
        guard canBeGrouped, let decimal = number("\(whole).\(decimals)"),
            let grouped = number("\(whole)\(decimals)")
        else { return sole("\(whole).\(decimals)") }
        return .ambiguous(decimal: decimal, grouped: grouped)
    }

    /// Returns the digits of a number whose thousands are separated; `nil` if the groups are not of three digits.
    private static func ungrouped(_ text: Substring, by mark: Character) -> String? {
        let groups = text.split(separator: mark, omittingEmptySubsequences: false)
        guard let first = groups.first, (1...3).contains(first.count),
            groups.dropFirst().allSatisfy({ $0.count == 3 })
        else { return nil }
        return groups.joined()
    }

    /// Returns the number that counts: the one that the student chose, else the one of the student's language.
    ///
    /// - Parameter chosen: the student's choice between two readings (`QuizAnswer.number`).
    public func number(in language: Language, typed: String, chosen: String?) -> ExactNumber? {
        switch self {
        case .number(let number): return number
        case .none: return nil
        case .ambiguous(let decimal, let grouped):
            if let choice = chosen.flatMap(ExactNumber.init), choice == decimal || choice == grouped {
                return choice
            }
            let separator: Character = language == .french ? "," : "."
            return typed.contains(separator) ? decimal : grouped
        }
    }
}
