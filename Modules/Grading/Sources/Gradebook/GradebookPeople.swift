import CoursesInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// The students of a gradebook, in its order.
struct GradebookPeople: Sendable {
    let roster: any CourseRoster
    let people: any PeopleService

    struct Student: Identifiable, Codable, Sendable, Hashable {
        let id: UUID
        let name: String
    }

    /// The students of a course by name, as the school's language sorts, then by id.
    func students(of courseId: UUID, _ orgId: UUID, in sql: any SQLReading) throws -> [Student] {
        try named(roster.students(of: courseId, in: sql), orgId, in: sql)
    }

    /// The students who left a course and have scores in it, in the same order.
    func formerStudents(of courseId: UUID, _ gradebook: Gradebook, _ orgId: UUID, in sql: any SQLReading) throws
        -> [Student]
    {
        let left = gradebook.scoredStudents.subtracting(try roster.students(of: courseId, in: sql))
        return try named(Array(left), orgId, in: sql)
    }

    private func named(_ ids: [UUID], _ orgId: UUID, in sql: any SQLReading) throws -> [Student] {
        let known = try people.people(ids, of: orgId, in: sql)
        return ids.compactMap { id in known[id].map { Student(id: id, name: $0.name.display) } }
            .sorted { left, right in
                let order = left.name.localizedStandardCompare(right.name)
                return order == .orderedSame ? left.id < right.id : order == .orderedAscending
            }
    }
}
