import ClassroomInterface
import CoursesInterface
import FeatureKit
import Foundation
import Messaging
import OrganizationInterface
import ShellInterface

extension Wirings {
    static let messaging: BlockWiring? = BlockWiring("Messaging", needs: ["Organization"]) { services in
        services.offer((any UnreadCounting).self) {
            MessagingFeature.makeUnreadCounter(
                roles: try services.require(),
                ties: try services.find((any ClassroomTieService).self) ?? NoClassrooms(),
                people: try services.require())
        }
    } build: { services in
        try MessagingFeature.make(
            roles: services.require(), ties: services.find((any ClassroomTieService).self) ?? NoClassrooms(),
            people: services.require(),
            courses: services.find((any CourseTieService).self), images: services.ports.images)
    }
}

/// The classrooms of a school without the block Classroom: there are none.
private struct NoClassrooms: ClassroomTieService {
    func ties(of personIds: [UUID], in sql: any SQLReading) throws -> [UUID: ClassroomTies] { [:] }
    func circle(of classroomId: UUID, in sql: any SQLReading) throws -> ClassroomCircle {
        ClassroomCircle(guides: [], students: [], guardians: [])
    }
    func classrooms(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [ClassroomSummary] { [] }
    func allClassrooms(in sql: any SQLReading) throws -> [ClassroomSummary] { [] }
}
