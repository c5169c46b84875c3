import ClassroomInterface
import Domain
import FeatureKit
import Foundation

extension Permission {
    /// Allows recording what happens with a child: observations, habits, lessons, tasks, contacts.
    static let keepRecords = Permission("students.keepRecords", Set(Role.guideRoles))
}

/// The checks and the change record that every command on a child's records uses.
enum StudentAccess {
    /// Throws `Problem.notFound` if the member may not see the child.
    static func check(_ studentId: UUID, _ membership: ActiveMembership, in sql: any SQLReading) throws {
        guard try ClassroomAccess.sees(membership, student: studentId, in: sql),
            try StudentRepository.exists(studentId, in: sql)
        else { throw Problem.notFound }
    }

    /// Records a change of a child's records for everyone who may see the child. The log contains no text that
    /// people wrote.
    static func record(
        _ kind: String, of studentId: UUID, _ payload: [String: String] = [:], in context: inout CommandContext
    ) throws {
        let rooms = try ClassroomRepository.classroomIds(ofStudent: studentId, in: context.sql)
        context.record(
            Change(
                kind, topics: [topic(studentId), "my-day"],
                audience: Audience.roles([.superAdmin, .admin]) + rooms.map(Audience.classroom),
                payload: payload.merging(["student": studentId.text]) { own, _ in own }))
    }

    static func topic(_ studentId: UUID) -> String { "student:\(studentId.text)" }
}
