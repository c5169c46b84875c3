public import Domain
public import FeatureKit
public import Foundation

/// What an account leaves behind in the schools that it belongs to: told beforehand, and erased with it.
public protocol AccountErasing: Sendable {
    /// What becomes of the account's person in each of its schools.
    func places(of accountId: UUID) async throws -> [AccountPlace]
    /// The directory's half, in the transaction that deletes the account; what the schools have to do is noted
    /// with it. Throws `Problem` 409 where a school would be without a super admin.
    func erase(_ accountId: UUID, in context: CommandContext) throws
    /// The schools' half, for everybody of whom it is noted. Safe to repeat.
    func carryOut() async throws
}

/// A school of an account, and what becomes of the person there when the account is deleted.
public struct AccountPlace: Hashable, Sendable {
    public enum Fate: Hashable, Sendable {
        /// Name, address and roles are erased; what the person wrote stays without them.
        case erased
        /// A student's record is the school's to keep; only the account is taken off it.
        case kept
        /// Nobody else could govern the school: the account cannot go yet.
        case needed
    }
    public let organization: Organization
    public let personId: UUID
    public let fate: Fate

    public init(organization: Organization, personId: UUID, fate: Fate) {
        self.organization = organization
        self.personId = personId
        self.fate = fate
    }
}
