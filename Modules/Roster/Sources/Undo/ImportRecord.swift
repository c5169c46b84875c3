import ClassroomInterface
import CoursesInterface
import Domain
import EnrollmentInterface
import FeatureKit
import Foundation
import OrganizationInterface
import RosterInterface

/// One change of an import with the values before and after, from which it can be undone.
struct ImportRow: Sendable, Hashable {
    /// The values of a person, classroom, term, course or stay.
    struct Values: Codable, Sendable, Hashable {
        var given: String?
        var family: String?
        var preferred: String?
        var email: String?
        var number: String?
        var gradeLevel: String?
        /// The title of a classroom.
        var title: String?
        var term: ImportedTerm?
        var course: ImportedCourse?
        /// The first day of an enrollment in a course.
        var firstDay: Day?
        /// The last day of a student's stay in a classroom or course.
        var lastDay: Day?

        init(_ person: Person) {
            (given, family, preferred) = (person.name.given, person.name.family, person.name.preferred)
            (email, number, gradeLevel) = (person.email, person.number, person.gradeLevel)
        }

        init(title: String) { self.title = title }
        init(firstDay: Day? = nil, lastDay: Day) { (self.firstDay, self.lastDay) = (firstDay, lastDay) }
        init(_ term: ImportedTerm) { self.term = term }
        init(_ course: ImportedCourse) { self.course = course }

        var name: PersonName { PersonName(given: given ?? "", family: family ?? "", preferred: preferred) }

        /// Whether the person has exactly these values.
        func areThose(of person: Person) -> Bool { self == Values(person) }

        /// Sets the person's values to these.
        func restore(_ person: inout Person) {
            (person.name, person.email, person.number, person.gradeLevel) = (name, email, number, gradeLevel)
        }
    }

    let number: Int
    let kind: RosterChange.Kind
    var personId: UUID?
    /// The guardian's child.
    var childId: UUID?
    var classroomId: UUID?
    /// The id of a course or term.
    var courseId: UUID?
    var role: Role?
    var before: Values?
    var after: Values?
}

extension RosterPlan {
    /// The rows that record what the plan does.
    var record: [ImportRow] {
        var rows: [ImportRow] = []
        func add(
            _ kind: RosterChange.Kind, person: UUID? = nil, room: UUID? = nil, role: Role? = nil,
            before: ImportRow.Values? = nil, after: ImportRow.Values? = nil, child: UUID? = nil,
            course: UUID? = nil
        ) {
            rows.append(
                ImportRow(
                    number: rows.count, kind: kind, personId: person, childId: child, classroomId: room,
                    courseId: course, role: role, before: before, after: after))
        }
        for new in newPeople { add(.personCreated, person: new.person.id, after: .init(new.person)) }
        for change in changedPeople {
            add(.personUpdated, person: change.after.id, before: .init(change.before), after: .init(change.after))
        }
        for room in classrooms.newClassrooms {
            add(.classroomCreated, room: room.id, after: .init(title: room.name))
        }
        for room in classrooms.renamedClassrooms {
            add(
                .classroomRenamed, room: room.id, before: .init(title: formerNames[room.id] ?? room.name),
                after: .init(title: room.name))
        }
        for id in classrooms.students { add(.studentAdded, person: id) }
        for place in classrooms.guidePlaces { add(.guideAssigned, person: place.personId, room: place.classroomId) }
        for place in classrooms.studentPlaces {
            add(.studentEnrolled, person: place.personId, room: place.classroomId)
        }
        for (place, day) in classrooms.departures {
            add(.studentLeft, person: place.personId, room: place.classroomId, after: .init(lastDay: day))
        }
        for assignment in assignments { add(.roleGiven, person: assignment.personId, role: assignment.role) }
        for link in families { add(.guardianLinked, person: link.guardianId, child: link.childId) }
        for term in newTerms { add(.termCreated, after: .init(term), course: term.id) }
        for change in changedTerms {
            add(.termUpdated, before: .init(change.before), after: .init(change.after), course: change.after.id)
        }
        for course in newCourses { add(.courseCreated, after: .init(course), course: course.id) }
        for change in changedCourses {
            add(.courseUpdated, before: .init(change.before), after: .init(change.after), course: change.after.id)
        }
        for place in coursePlaces { add(.courseEnrolled, person: place.personId, course: place.courseId) }
        for (place, day) in courseDepartures {
            add(
                .courseLeft, person: place.personId,
                after: .init(firstDay: formerFirstDays[place], lastDay: day), course: place.courseId)
        }
        return rows
    }
}

/// The SQL of import records.
enum ImportRepository {
    /// The state of a row.
    enum State: String, SQLConvertible {
        case active = "stands"
        /// The role is to be removed, but still in the directory.
        case leaving
        case undone
    }

    /// The days for which a record is stored by default: a mistake of the autumn can be undone in winter.
    static let days = 90

    /// Stores the record of an import.
    static func insert(
        _ id: UUID, _ rows: [ImportRow], by personId: UUID?, at instant: Date, in sql: any SQLWriting
    ) throws {
        let byKind = Dictionary(grouping: rows, by: \.kind)
        let counts = RosterChange.Kind.allCases.compactMap { kind in
            byKind[kind].map { PastImport.Count(kind: kind, count: $0.count) }
        }
        try sql.execute(
            """
            INSERT INTO roster_imports (id, person_id, at, counts)
            VALUES (\(id), \(personId), \(instant), \(try text(counts)))
            """)
        let values = try rows.map { row -> [SQLValue] in
            [
                id.sqlValue, row.number.sqlValue, row.kind.sqlValue, row.personId?.sqlValue ?? .null,
                row.childId?.sqlValue ?? .null, row.classroomId?.sqlValue ?? .null, row.courseId?.sqlValue ?? .null,
                row.role?.sqlValue ?? .null,
                try row.before.map { .text(try text($0)) } ?? .null,
                try row.after.map { .text(try text($0)) } ?? .null,
                State.active.sqlValue,
            ]
        }
        for portion in SQL.portions(of: values) {
            try sql.execute(
                """
                INSERT INTO roster_import_rows (import_id, number, kind, person_id, child_id, classroom_id,
                    course_id, role, before, after, state)
                VALUES \(rows: portion)
                """)
        }
    }

    /// All imports, the latest first.
    static func all(in sql: any SQLReading) throws -> [PastImport] {
        try imports("ORDER BY at DESC, id DESC", in: sql)
    }

    /// Returns an import, or `nil` if it is unknown.
    static func one(_ id: UUID, in sql: any SQLReading) throws -> PastImport? {
        try imports("WHERE id = \(id)", in: sql).first
    }

    private static func imports(_ condition: SQL, in sql: any SQLReading) throws -> [PastImport] {
        try sql.rows(
            """
            SELECT id, person_id, at, counts, undone_at,
                (SELECT COUNT(*) FROM roster_import_rows WHERE import_id = roster_imports.id
                    AND state = \(State.active)) AS standing
            FROM roster_imports \(condition)
            """
        ).map { row in
            try PastImport(
                id: row.get("id"), at: row.get("at"), personId: row.optional("person_id"), person: nil,
                counts: value(of: row.get("counts")), standing: row.get("standing"),
                undoneAt: row.optional("undone_at"))
        }
    }

    /// The rows of an import that are not undone.
    static func activeRows(of id: UUID, in sql: any SQLReading) throws -> [ImportRow] {
        try sql.rows(
            """
            SELECT number, kind, person_id, child_id, classroom_id, course_id, role, before, after
            FROM roster_import_rows
            WHERE import_id = \(id) AND state = \(State.active) ORDER BY number
            """
        ).map { row in
            try ImportRow(
                number: row.get("number"), kind: row.get("kind"), personId: row.optional("person_id"),
                childId: row.optional("child_id"),
                classroomId: row.optional("classroom_id"), courseId: row.optional("course_id"),
                role: row.optional("role"),
                before: row.optional("before", as: String.self).map { try value(of: $0) },
                after: row.optional("after", as: String.self).map { try value(of: $0) })
        }
    }

    /// Sets the state of rows.
    static func mark(
        _ numbers: [Int], of id: UUID, _ state: State, in sql: any SQLWriting
    ) throws {
        for portion in SQL.portions(of: numbers.map { [$0.sqlValue] }) {
            try sql.execute(
                """
                UPDATE roster_import_rows SET state = \(state)
                WHERE import_id = \(id) AND number IN (VALUES \(rows: portion))
                """)
        }
    }

    /// Stores the time of the undo.
    static func noteUndone(_ id: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE roster_imports SET undone_at = \(instant) WHERE id = \(id)")
    }

    /// The roles to be removed that the directory still has.
    static func leavingRoles(in sql: any SQLReading) throws -> [RosterPlan.RoleAssignment] {
        try sql.rows(
            """
            SELECT DISTINCT person_id, role FROM roster_import_rows WHERE state = \(State.leaving)
            ORDER BY person_id, role
            """
        ).map { try RosterPlan.RoleAssignment(personId: $0.get("person_id"), role: $0.get("role")) }
    }

    /// Marks the roles as removed from the directory.
    static func markTaken(_ role: Role, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE roster_import_rows SET state = \(State.undone)
            WHERE state = \(State.leaving) AND role = \(role)
            """)
    }

    /// Deletes rows of roles that the people had already, so that an undo does not remove them.
    static func deleteAssignments(_ role: Role, to personIds: [UUID], in sql: any SQLWriting) throws {
        for portion in SQL.portions(of: personIds.map { [$0.sqlValue] }) {
            try sql.execute(
                """
                DELETE FROM roster_import_rows
                WHERE kind = \(RosterChange.Kind.roleGiven) AND role = \(role) AND state = \(State.active)
                    AND person_id IN (VALUES \(rows: portion))
                """)
        }
    }

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSON.encode(value), as: UTF8.self)
    }

    private static func value<Value: Decodable>(of text: String) throws -> Value {
        try JSON.decode(Value.self, from: Data(text.utf8))
    }
}
