import ClassroomInterface
import CoursesInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// Decides who may practice with which word lists, and who may see whose results.
struct PracticeAccess: Sendable {
    let people: any PeopleService
    /// The courses; `nil` in a server without them.
    let courses: (any CourseTieService)?
    /// The classrooms and their students; `nil` in a server without them.
    let classrooms: (any ClassroomService)?
    let students: (any StudentService)?

    // MARK: - Lists

    /// The lists that a member may practice: their own, and those of the courses that they lead or are in.
    func lists(of membership: ActiveMembership, in sql: any SQLReading) throws -> [WordList] {
        try WordListRepository.lists(
            of: membership.personId, courses: courses?.courseIds(of: membership, in: sql) ?? [], in: sql)
    }

    /// Returns a list that a member may practice, and whether they may edit it. Throws `Problem.notFound` for others.
    func list(
        _ id: UUID, seenBy membership: ActiveMembership, in sql: any SQLReading
    ) throws -> (list: WordList, edits: Bool) {
        guard let list = try WordListRepository.list(id, in: sql) else { throw Problem.notFound }
        guard let courseId = list.courseId else {
            guard list.ownerId == membership.personId else { throw Problem.notFound }
            return (list, true)
        }
        if try led(by: membership, in: sql).contains(where: { $0.id == courseId }) { return (list, true) }
        guard try courses?.courseIds(of: membership, in: sql).contains(courseId) == true else {
            throw Problem.notFound
        }
        return (list, false)
    }

    /// Returns a list that a member may edit. Throws `Problem.notFound` for others.
    func list(_ id: UUID, editedBy membership: ActiveMembership, in sql: any SQLReading) throws -> WordList {
        let (list, edits) = try list(id, seenBy: membership, in: sql)
        guard edits else { throw Problem.notFound }
        return list
    }

    /// The courses that a member leads.
    func led(by membership: ActiveMembership, in sql: any SQLReading) throws -> [CourseSummary] {
        guard Permission.teachCourses.isGiven(to: membership.roles) else { return [] }
        return try courses?.courses(ledBy: membership, in: sql) ?? []
    }

    // MARK: - Results

    /// Returns the name of a person whose results a member may see: the member, or a student of a class that they guide.
    /// Throws `Problem.notFound` for others.
    ///
    /// Parents see what a guide shares with them. Practice is where a child may try and err without being watched.
    func name(
        of personId: UUID, seenBy membership: ActiveMembership, in sql: any SQLReading
    ) throws -> String {
        let isSeen =
            try personId == membership.personId || isGuided(personId, by: membership, in: sql)
        guard isSeen, let person = try people.people([personId], of: membership.organization.id, in: sql)[personId]
        else { throw Problem.notFound }
        return person.name.display
    }

    private func isGuided(
        _ personId: UUID, by membership: ActiveMembership, in sql: any SQLReading
    ) throws -> Bool {
        guard Permission.viewClassrooms.isGiven(to: membership.roles), let students else { return false }
        do {
            _ = try students.student(personId, visibleTo: membership, in: sql)
            return true
        } catch let problem as Problem where problem == .notFound { return false }
    }

    /// The students of the classes that a member guides, by name.
    func guided(by membership: ActiveMembership, in sql: any SQLReading) throws -> [(id: UUID, name: String)] {
        guard Permission.viewClassrooms.isGiven(to: membership.roles), let classrooms, let students else {
            return []
        }
        var (seen, found): (Set<UUID>, [(id: UUID, name: String)]) = ([], [])
        for room in try classrooms.classrooms(visibleTo: membership, in: sql) {
            for student in try students.students(of: room.id, orgId: membership.organization.id, in: sql)
            where seen.insert(student.id).inserted {
                found.append((student.id, student.displayName))
            }
        }
        return found.sorted { NameFolding.fold($0.name) < NameFolding.fold($1.name) }
    }

    /// The audience of changes about a child's practice: the child and the guides.
    func audience(of personId: UUID, in sql: any SQLReading) throws -> [Audience] {
        [.person(personId)]
            + (try students?.classroomIds(ofStudent: personId, in: sql).map(Audience.classroom) ?? [])
    }
}

extension Permission {
    /// Allows practicing, making word lists, and viewing how practice goes, of oneself and of the students of one's classes.
    static let practice = Permission("practice.use", Set(Role.guideRoles + [.student]))
}

extension Audience {
    /// The people of a course who practice, without their families.
    static func practicing(_ courseId: UUID) -> Audience { Audience("practice:\(courseId.text)") }
}

/// The refresh topics of pages about practice.
enum PracticeTopic {
    /// The refresh topic of pages about the results of one person.
    static func results(of personId: UUID) -> String { "practice:\(personId.text)" }
    /// The refresh topic of pages with word lists.
    static let lists = "practice-lists"
}
