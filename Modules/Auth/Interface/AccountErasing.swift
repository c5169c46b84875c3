public import Domain
public import FeatureKit
public import Foundation

/// Erases an account's people in the schools that it belongs to, and lists beforehand what will happen to each.
public protocol AccountErasing: Sendable {
    /// Returns the schools of an account and what happens to its person in each.
    func places(of accountId: UUID) async throws -> [AccountPlace]
    /// Erases the account's rows in the server's directory database, in the transaction that deletes the account. Also
    /// records there what the schools' databases still have to erase.
    /// - Throws: `Problem` 409 if a school would be left without a super admin.
    func erase(_ accountId: UUID, in context: CommandContext) throws
    /// Erases the deleted accounts' people in the schools' databases, as far as `erase` recorded them. Safe to repeat.
    func carryOut() async throws
}

/// A school of an account, and what happens to its person when the account is deleted.
public struct AccountPlace: Hashable, Sendable {
    /// The fate of a deleted account's person in a school.
    public enum Fate: Hashable, Sendable {
        /// The person's name, address and roles are erased. The texts that the person wrote stay without them.
        case erased
        /// The school keeps the record of a student; only the link between the record and the account is removed.
        case retained
        /// The school has no other super admin, so the account cannot be deleted yet.
        case needed
    }
    public let organization: Organization
    /// The id of the account's person in the school.
    public let personId: UUID
    public let fate: Fate

    public init(organization: Organization, personId: UUID, fate: Fate) {
        self.organization = organization
        self.personId = personId
        self.fate = fate
    }
}
