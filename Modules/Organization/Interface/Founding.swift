public import Domain
public import FeatureKit
public import Foundation

/// Founds schools: makes the database with its first content, the founder as its first person, and the founder's
/// membership as super admin.
public protocol SchoolFounding: Sendable {
    /// Creates the database of a new school and fills it, which is slow. The school cannot be reached before `create`.
    func prepareFounding(
        _ draft: OrganizationDraft, in context: RequestContext,
        filling fill: @escaping @Sendable (inout CommandContext) throws -> Void
    ) async throws -> Founding

    /// Adds the school to the server's directory database, in a transaction of that database.
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

/// A new school whose own database exists, but which the server's directory database does not list yet.
public struct Founding: Sendable {
    public let organization: Organization
    /// The id of the founder as a person of the new school.
    public let personId: UUID

    public init(organization: Organization, personId: UUID) {
        self.organization = organization
        self.personId = personId
    }
}
