public import Domain
public import FeatureKit
public import Foundation

/// Founds schools: the database with its first content, the first person, and the founder's membership as super
/// admin.
public protocol SchoolFounding: Sendable {
    /// Creates the database and fills it, which is slow. The school cannot be reached before `create`.
    func prepareFounding(
        _ draft: OrganizationDraft, in context: RequestContext,
        filling fill: @escaping @Sendable (inout CommandContext) throws -> Void
    ) async throws -> Founding

    /// Adds the school to the directory, in the directory's transaction.
    func create(_ founding: Founding, in context: CommandContext) throws
}

/// The values for a new organization.
public struct OrganizationDraft: Sendable, Hashable {
    public var name: String
    public var avatarTint: Tint?
    /// The IANA name of the time zone; `nil` for the server's own.
    public var timeZone: String?

    public init(name: String, avatarTint: Tint? = nil, timeZone: String? = nil) {
        self.name = name
        self.avatarTint = avatarTint
        self.timeZone = timeZone
    }
}

/// A school with a database that is not in the directory yet.
public struct Founding: Sendable {
    public let organization: Organization
    /// The id of the founder as a person of the new school.
    public let personId: UUID

    public init(organization: Organization, personId: UUID) {
        self.organization = organization
        self.personId = personId
    }
}
