import FeatureKit
import Foundation

/// What a device is told next, out of what waits for it. Pure: the same in every try.
enum PushPlan {
    /// More than this at once are one summary.
    static let singles = 3
    /// Seconds after which nobody is told any more outside of the list.
    static let lifetime: TimeInterval = 24 * 3600

    enum Part: Sendable, Hashable {
        case single(LoggedChange)
        /// Several in one, up to the place of the last.
        case summary(count: Int, through: Int64)

        var through: Int64 {
            switch self {
            case .single(let logged): logged.seq
            case .summary(_, let through): through
            }
        }
    }

    /// - Parameters:
    ///   - waiting: what the person wants to be told and has not read, oldest first.
    ///   - begun: where a summary ends that was begun and may have arrived.
    static func parts(
        of waiting: [LoggedChange], begun: Int64?, quiet: QuietHours?, timeZone: TimeZone
    ) -> [Part] {
        if let begun {
            let first = waiting.prefix { $0.seq <= begun }
            let rest = parts(
                of: Array(waiting.dropFirst(first.count)), begun: nil, quiet: quiet, timeZone: timeZone)
            return first.isEmpty ? rest : [.summary(count: first.count, through: begun)] + rest
        }
        // What the quiet hours held back comes as one.
        let wereHeld = waiting.contains { logged in quiet?.contains(logged.at, in: timeZone) == true }
        guard waiting.count > singles || wereHeld && waiting.count > 1, let last = waiting.last else {
            return waiting.map(Part.single)
        }
        return [.summary(count: waiting.count, through: last.seq)]
    }
}
