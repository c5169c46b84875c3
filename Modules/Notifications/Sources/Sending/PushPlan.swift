import FeatureKit
import Foundation

/// Divides what waits for a device into messages. A pure function, so that every try sends the same.
enum PushPlan {
    /// More changes than this at once become a summary.
    static let singles = 3
    /// Seconds after which a change is not sent to devices any more.
    static let lifetime: TimeInterval = 24 * 3600

    /// One message to a device.
    enum Part: Sendable, Hashable {
        case single(LoggedChange)
        /// Several changes in one message, up to and including a number of the change log.
        case summary(count: Int, through: Int64)

        /// The number of the last change in it.
        var through: Int64 {
            switch self {
            case .single(let logged): logged.seq
            case .summary(_, let through): through
            }
        }
    }

    /// Returns the messages for the waiting changes, in order.
    ///
    /// - Parameters:
    ///   - waiting: the changes that the person wants to see and has not read, oldest first.
    ///   - begun: the last number of a summary that was begun and may have arrived.
    ///   - quiet: the person's quiet hours. Several changes of which one fell into them become a summary.
    ///   - timeZone: the school's.
    static func parts(
        of waiting: [LoggedChange], begun: Int64?, quiet: QuietHours?, timeZone: TimeZone
    ) -> [Part] {
        if let begun {
            let first = waiting.prefix { $0.seq <= begun }
            let rest = parts(
                of: Array(waiting.dropFirst(first.count)), begun: nil, quiet: quiet, timeZone: timeZone)
            return first.isEmpty ? rest : [.summary(count: first.count, through: begun)] + rest
        }
        let isHeldBack = waiting.contains { logged in quiet?.contains(logged.at, in: timeZone) == true }
        guard waiting.count > singles || isHeldBack && waiting.count > 1, let last = waiting.last else {
            return waiting.map(Part.single)
        }
        return [.summary(count: waiting.count, through: last.seq)]
    }
}
