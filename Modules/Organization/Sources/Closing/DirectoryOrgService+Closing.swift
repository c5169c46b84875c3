import Domain
public import FeatureKit
public import Foundation
import OrganizationInterface

extension DirectoryOrgService {
    /// The number of days for which a closed school can be reopened.
    static let graceDays = 30

    public func delete(typing name: String, atOnce: Bool, in context: CommandContext) throws -> Date {
        let membership = try context.membership
        let organization = membership.organization
        guard NameFolding.fold(name) == NameFolding.fold(organization.name) else {
            throw Problem.invalid("name", "closing.name", [.text(organization.name)])
        }
        let closing = try ClosingRepository.closing(of: organization.id, in: context.sql)
        context.sql.afterCommit { [memberships] in memberships.forgetActive() }
        if atOnce {
            // Deleting at once needs a second confirmation; the first one has closed the school.
            guard closing != nil else { throw Problem(409, "closing.notClosed") }
            try ClosingRepository.hasten(organization.id, to: context.now, in: context.sql)
            return context.now
        }
        guard closing == nil else { throw Problem(409, "closing.isClosed") }
        let end = context.now.addingTimeInterval(Double(Self.graceDays) * 86_400)
        try ClosingRepository.insert(
            Closing(orgId: organization.id, closedAt: context.now, deletesAt: end), by: membership.personId,
            in: context.sql)
        return end
    }

    /// Throws `Problem` if the school is closed, for transactions of the server's directory database that concern the
    /// school.
    public func refuseClosed(_ orgId: UUID, in sql: any SQLReading) throws {
        try ClosingRepository.refuseClosed(orgId, in: sql)
    }

    public func callBack(in context: CommandContext) throws {
        let orgId = try context.membership.organization.id
        if let closing = try ClosingRepository.closing(of: orgId, in: context.sql), closing.deletesAt <= context.now
        {
            throw Problem(409, "closing.over")
        }
        try ClosingRepository.remove(orgId, in: context.sql)
        context.sql.afterCommit { [memberships] in memberships.forgetActive() }
    }
}
