import AuthInterface
import Domain
import FeatureKit
import Foundation

/// The confirmations that an account needs before it can be used.
struct AccountConfirmations: Sendable, Hashable {
    var confirmedAt: Date?
    /// The day on which a child turns 13; `nil` for anyone older. The date of birth itself is not stored.
    var thirteenOn: Day?
    var parentEmail: String?
    var parentAgreedAt: Date?

    /// A confirmation that is still missing.
    enum Confirmation: String, Codable, Sendable, CaseIterable {
        /// The person opens the mailed link.
        case mail
        /// A parent agrees (COPPA, 16 CFR 312.5).
        case parent
    }

    /// The confirmation that is needed next on a day; `nil` when the account can be used.
    func missingConfirmation(on today: Day, confirmsMail: Bool) -> Confirmation? {
        if let thirteenOn, parentAgreedAt == nil, today < thirteenOn { return .parent }
        return confirmsMail && confirmedAt == nil ? .mail : nil
    }
}

/// The age below which a parent must agree (COPPA, 16 CFR 312.2).
enum AgeGate {
    static let consentAge = 13

    /// The day on which a child turns 13; `nil` when it has passed. Throws at `bornOn` for an impossible date of birth.
    static func thirteenOn(bornOn day: Day, today: Day) throws -> Day? {
        guard day <= today, day.year >= today.year - 120 else { throw Problem.invalid("bornOn", "auth.bornOn") }
        // A birthday on 29 February counts as 1 March in other years.
        let birthday =
            Day(year: day.year + consentAge, month: day.month, day: day.day)
            ?? Day(year: day.year + consentAge, month: 3, day: 1)
        guard let birthday else { throw Problem.invalid("bornOn", "auth.bornOn") }
        return today < birthday ? birthday : nil
    }

    /// The address of the parent who has to agree; `nil` when none has to. Throws at `parentEmail` when it is missing
    /// or is the child's own.
    static func parent(_ entered: String?, of email: String, isNeeded: Bool) throws -> String? {
        guard isNeeded else { return nil }
        guard let entered else { throw Problem.invalid("parentEmail", "auth.parentNeeded") }
        guard entered != email else { throw Problem.invalid("parentEmail", "auth.parentOther") }
        return entered
    }
}

/// The documents that a person agrees to.
enum Agreement: String, CaseIterable, Sendable {
    case terms
    case privacy
    /// A parent's consent to the account of a child under 13.
    case childAccount

    /// The version of the texts; changes when their meaning does.
    static let version = "2026-11"

    /// Records the consent of the account's holder, or of a parent, to each document.
    static func record(
        _ agreements: [Agreement], of accountId: UUID, by parent: String? = nil, _ context: CommandContext
    ) throws {
        for agreement in agreements {
            try ConsentLog.record(
                ConsentDraft(
                    accountId: accountId, purpose: agreement.rawValue, version: version,
                    giver: parent == nil ? .holder : .parent, giverEmail: parent), in: context)
        }
    }
}
