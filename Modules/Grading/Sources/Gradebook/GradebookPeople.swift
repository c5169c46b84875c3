import CoursesInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// The students of a course in the gradebook's order.
struct GradebookPeople: Sendable {
    let roster: any CourseRoster
    let people: any PeopleService

    struct Student: Identifiable, Codable, Sendable, Hashable {
        let id: UUID
        let name: String
    }

    /// By name, as the school's language has it, and by id where names are equal.
    func students(of courseId: UUID, _ orgId: UUID, in sql: any SQLReading) throws -> [Student] {
        let ids = try roster.students(of: courseId, in: sql)
        let known = try people.people(ids, of: orgId, in: sql)
        return ids.compactMap { id in known[id].map { Student(id: id, name: $0.name.display) } }
            .sorted { left, right in
                let order = left.name.localizedStandardCompare(right.name)
                return order == .orderedSame ? left.id.text < right.id.text : order == .orderedAscending
            }
    }
}
