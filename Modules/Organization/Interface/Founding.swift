public import Domain
public import FeatureKit
public import Foundation

/// Founds a school: its database with what is put into it, its first person, and the founder's place in
/// it as super admin.
public protocol SchoolFounding: Sendable {
    /// The slow half: makes the database and fills it. Nobody can reach it before `create`.
    func prepareFounding(
        _ draft: OrganizationDraft, in context: RequestContext,
        filling fill: @escaping @Sendable (inout CommandContext) throws -> Void
    ) async throws -> Founding

    /// The other half, in the directory's transaction.
    func create(_ founding: Founding, in context: CommandContext) throws
}

/// What is typed about an organization.
public struct OrganizationDraft: Sendable, Hashable {
    public var name: String
    public var avatarTint: Tint?
    /// IANA name; the server's own where it is left out.
    public var timeZone: String?

    public init(name: String, avatarTint: Tint? = nil, timeZone: String? = nil) {
        self.name = name
        self.avatarTint = avatarTint
        self.timeZone = timeZone
    }
}

/// A school whose database exists and whose place in the directory does not yet.
public struct Founding: Sendable {
    public let organization: Organization
    /// The founder as a person of the school.
    public let personId: UUID

    public init(organization: Organization, personId: UUID) {
        self.organization = organization
        self.personId = personId
    }
}
