import ClassroomInterface
import Domain
import FeatureKit
import Foundation

extension Permission {
    /// To write down what happens with a child: observations, habits, lessons, tasks, contacts.
    static let keepRecords = Permission("students.keepRecords", Set(Role.guideRoles))
}

/// The way of every command to a child's records: who may, whom they see, and what is told of it.
enum StudentAccess {
    /// Throws `Problem.notFound` where the member may not see the child.
    static func check(_ studentId: UUID, _ membership: ActiveMembership, in sql: any SQLReading) throws {
        guard try ClassroomAccess.sees(membership, student: studentId, in: sql),
            try StudentRepository.exists(studentId, in: sql)
        else { throw Problem.notFound }
    }

    /// Records a change of a child's records, for those who see the child. Nothing that was written goes into the log.
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
