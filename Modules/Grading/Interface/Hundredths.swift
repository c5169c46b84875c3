/// A decimal number with two places, stored as a whole number of hundredths.
///
/// Used for scores, maximum scores, cut-offs and percentages. Sums and differences are exact.
public struct Hundredths: Sendable, Hashable {
    /// The number of hundredths: 850 stands for 8.5.
    public let count: Int

    public init(count: Int) { self.count = count }

    /// Creates the number for a whole number: 8 becomes 800 hundredths.
    public init(_ whole: Int) { count = whole * 100 }

    /// Reads up to nine ASCII digits, optionally with a point and one or two decimal places: "8.5"; `nil` for any
    /// other text.
    public init?(_ text: String) {
        var (value, digits, places) = (0, 0, -1)
        for character in text.utf8 {
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if places < 0 { digits += 1 } else { places += 1 }
                guard digits <= 9, places <= 2 else { return nil }
                value = value * 10 + Int(character - UInt8(ascii: "0"))
            case UInt8(ascii: ".") where places < 0 && digits > 0: places = 0
            default: return nil
            }
        }
        guard digits > 0, places != 0 else { return nil }
        self.init(count: places < 0 ? value * 100 : places == 1 ? value * 10 : value)
    }

    /// Returns the number with at least this many decimal places, 0 to 2: 3 with two places is "3.00".
    public func text(places: Int = 0) -> String {
        let (whole, rest) = count.magnitude.quotientAndRemainder(dividingBy: 100)
        let sign = count < 0 ? "-" : ""
        let needed = max(places, rest == 0 ? 0 : rest % 10 == 0 ? 1 : 2)
        switch needed {
        case 0: return "\(sign)\(whole)"
        case 1: return "\(sign)\(whole).\(rest / 10)"
        default: return "\(sign)\(whole).\(rest / 10)\(rest % 10)"
        }
    }
}

extension Hundredths: Comparable {
    public static func < (left: Hundredths, right: Hundredths) -> Bool { left.count < right.count }
}

extension Hundredths: AdditiveArithmetic {
    public static var zero: Hundredths { Hundredths(count: 0) }
    public static func + (left: Hundredths, right: Hundredths) -> Hundredths {
        Hundredths(count: left.count + right.count)
    }
    public static func - (left: Hundredths, right: Hundredths) -> Hundredths {
        Hundredths(count: left.count - right.count)
    }
}

extension Hundredths: ExpressibleByIntegerLiteral {
    public init(integerLiteral whole: Int) { self.init(whole) }
}

extension Hundredths: CustomStringConvertible {
    /// The number with as few decimal places as possible: "8.5", "20".
    public var description: String { text() }
}

/// Encoded as text, so that no client converts it to a binary fraction.
extension Hundredths: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Hundredths(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "No decimal number with two places.")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text())
    }
}
