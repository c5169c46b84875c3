import Foundation

/// Formats durations in whole seconds. The caller gives the units in the reader's language; English is the default.
public enum TimeFormatting {
    /// A unit of time, as the texts of the catalog name it.
    public enum Unit: String, CaseIterable, Sendable { case hours, minutes, seconds }

    /// Returns `2m 30s`, `4m 00s`, `45s` or `1h 05m 00s`. Units after the first have two digits.
    ///
    /// - Parameter unit: formats a number, as shown, with its unit.
    public static func formatDuration(
        _ seconds: Double, unit: (Unit, String) -> String = { $1 + $0.rawValue.prefix(1) }
    ) -> String {
        parts(of: seconds).enumerated().map { index, part in
            unit(part.unit, index > 0 && part.count < 10 ? "0\(part.count)" : "\(part.count)")
        }.joined(separator: " ")
    }

    /// Returns `2 minutes 30 seconds`, as a screen reader speaks it. Units with 0 are left out.
    ///
    /// - Parameter unit: formats a number with its unit.
    public static func formatDurationLong(
        _ seconds: Double, unit: (Unit, Int) -> String = { TimeFormatting.english($0, $1) }
    ) -> String {
        let parts = parts(of: seconds)
        let spoken = parts.filter { $0.count > 0 }
        return (spoken.isEmpty ? parts : spoken).map { unit($0.unit, $0.count) }.joined(separator: " ")
    }

    /// Splits whole seconds into hours, minutes and seconds, without leading zero units.
    ///
    /// Invalid durations count as 0, and more than a hundred hours as a hundred.
    private static func parts(of seconds: Double) -> [(unit: Unit, count: Int)] {
        let whole = Int(min(max(seconds.isFinite ? seconds : 0, 0), 360_000).rounded())
        let all = [(Unit.hours, whole / 3600), (.minutes, whole % 3600 / 60), (.seconds, whole % 60)]
        return all.drop { $0.0 != .seconds && $0.1 == 0 }.map { (unit: $0.0, count: $0.1) }
    }

    /// The English name of a number of units: `1 minute`.
    public static func english(_ unit: Unit, _ count: Int) -> String {
        "\(count) \(count == 1 ? String(unit.rawValue.dropLast()) : unit.rawValue)"
    }
}
