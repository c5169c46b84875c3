import ClassroomInterface
import CoursesInterface
import Domain
import FeatureKit
import Foundation
import MessagingModel
import OrganizationInterface

/// Counts the people who would read an announcement, so that its author sees the audience before publishing.
struct AnnouncementReaders: Sendable {
    let handlers: AnnouncementHandlers
    let authorId: UUID
    /// The roles of the school's people who can sign in.
    let assigned: [UUID: Set<Role>]

    init(_ handlers: AnnouncementHandlers, _ context: RequestContext) async throws {
        let membership = try context.membership
        self.handlers = handlers
        authorId = membership.personId
        assigned = try await handlers.correspondents.roles.assigned(in: membership.organization.id)
    }

    /// The number of people in the whole school or a group.
    func count(in circle: Announcement.Circle?) -> Int {
        switch circle {
        case nil: count { _ in true }
        case .staff: count { $0.contains(where: \.isStaff) }
        case .families: count { $0.contains(.parent) || Self.isAdmin($0) }
        }
    }

    /// The number of guides, students, guardians and admins who read a class's announcements.
    func count(inClassroom id: UUID, _ sql: any SQLReading) throws -> Int {
        let circle = try handlers.correspondents.ties.circle(of: id, in: sql)
        return count(circle.guides.union(circle.students).union(circle.guardians))
    }

    /// The number of teachers, students, guardians and admins who read a course's announcements.
    func count(inCourse id: UUID, _ sql: any SQLReading) throws -> Int {
        count(try handlers.courses?.people(of: id, in: sql) ?? [])
    }

    private func count(_ people: Set<UUID>) -> Int {
        assigned.count { id, roles in id != authorId && (people.contains(id) || Self.isAdmin(roles)) }
    }

    private func count(_ isReader: (Set<Role>) -> Bool) -> Int {
        assigned.count { id, roles in id != authorId && isReader(roles) }
    }

    private static func isAdmin(_ roles: Set<Role>) -> Bool { !roles.isDisjoint(with: [.superAdmin, .admin]) }
}
