/// A decimal number with two places, kept as the whole number of its hundredths: points, full marks, cut-offs and
/// percentages as they are shown. Sums and differences are exact.
public struct Hundredths: Sendable, Hashable {
    /// How many hundredths: 850 for 8.5.
    public let count: Int

    public init(count: Int) { self.count = count }

    /// A whole number.
    public init(_ whole: Int) { count = whole * 100 }

    /// Up to nine ASCII digits, with one or two more after a point: "8.5"; `nil` for anything else.
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

    /// With all of these places, 0 to 2, beyond those that it needs anyway: 3 with two is "3.00".
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
    /// As short as it goes: "8.5", "20".
    public var description: String { text() }
}

/// As text, so that no reader makes a binary fraction of it.
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
