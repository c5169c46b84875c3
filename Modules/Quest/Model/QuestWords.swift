import Domain
import Foundation

/// The texts of the child's page, which are among its properties.
public struct QuestWords: Hashable, Sendable {
    private let words: [String: String]
    private let language: Language

    public init(_ page: PlayProperties) {
        words = page.words
        language = Language(rawValue: page.language) ?? .english
    }

    /// The text of a key with its values in place of `{name}`; empty for an unknown key.
    public func callAsFunction(_ key: String, _ values: [String: String] = [:]) -> String {
        values.reduce(words[key] ?? "") { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// The text of a key with a number `{n}`, in its singular or plural form (CLDR).
    public func count(_ key: String, _ number: Int) -> String {
        let isOne =
            switch language {
            case .english: number == 1
            case .french: (0...1).contains(number)
            }
        return self(
            "\(key).\(isOne ? "one" : "other")",
            ["n": number.formatted(.number.locale(Locale(identifier: language.rawValue)))])
    }

    /// A duration as it is shown: `2m 30s`.
    public func short(_ seconds: Double) -> String {
        TimeFormatting.formatDuration(seconds) { self("unit.\($0.rawValue.prefix(1))", ["n": $1]) }
    }

    /// A duration as it is spoken: `2 minutes 30 seconds`.
    public func long(_ seconds: Double) -> String {
        TimeFormatting.formatDurationLong(seconds) { count($0.rawValue, $1) }
    }

    /// A guess as the dial shows it: the number and its unit.
    public func dialed(_ seconds: Double) -> (number: String, unit: String) {
        let whole = Int(seconds)
        let (minutes, rest) = (whole / 60, whole % 60)
        guard minutes > 0 else { return ("\(whole)", count("dial.seconds", whole)) }
        return (
            rest > 0 ? "\(minutes):\(Self.padded(rest))" : "\(minutes)",
            count("dial.minutes", rest > 0 ? 2 : minutes)
        )
    }

    /// The time of a running task: `2:05`, or `1:02:05` from an hour on.
    public func counting(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds))
        let (hours, minutes, rest) = (whole / 3600, whole % 3600 / 60, Self.padded(whole % 60))
        return hours > 0 ? "\(hours):\(Self.padded(minutes)):\(rest)" : "\(minutes):\(rest)"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
