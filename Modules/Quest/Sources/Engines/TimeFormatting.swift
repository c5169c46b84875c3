import Foundation

/// Writes durations to the second. What a unit is called is the caller's to say, in the reader's language; without
/// it, it is English.
enum TimeFormatting {
    enum Unit: String, CaseIterable, Sendable { case hours, minutes, seconds }

    /// `2m 30s`, `4m 00s`, `45s`, `1h 05m 00s`: units after the first have two digits.
    /// - Parameter unit: a number, as it is to be shown, with its unit.
    static func formatDuration(_ seconds: Double, unit: (Unit, String) -> String = { $1 + $0.rawValue.prefix(1) })
        -> String
    {
        parts(of: seconds).enumerated().map { index, part in
            unit(part.unit, index > 0 && part.count < 10 ? "0\(part.count)" : "\(part.count)")
        }.joined(separator: " ")
    }

    /// `2 minutes 30 seconds`, as a screen reader speaks it; units of which there are none are left out.
    /// - Parameter unit: a number with its unit.
    static func formatDurationLong(_ seconds: Double, unit: (Unit, Int) -> String = english) -> String {
        let parts = parts(of: seconds)
        let spoken = parts.filter { $0.count > 0 }
        return (spoken.isEmpty ? parts : spoken).map { unit($0.unit, $0.count) }.joined(separator: " ")
    }

    /// Whole seconds as hours, minutes and seconds, from the largest that there are. A duration that is none counts
    /// as nothing, and more than a hundred hours as a hundred.
    private static func parts(of seconds: Double) -> [(unit: Unit, count: Int)] {
        let whole = Int(min(max(seconds.isFinite ? seconds : 0, 0), 360_000).rounded())
        let all = [(Unit.hours, whole / 3600), (.minutes, whole % 3600 / 60), (.seconds, whole % 60)]
        return all.drop { $0.0 != .seconds && $0.1 == 0 }.map { (unit: $0.0, count: $0.1) }
    }

    private static func english(_ unit: Unit, _ count: Int) -> String {
        "\(count) \(count == 1 ? String(unit.rawValue.dropLast()) : unit.rawValue)"
    }
}
