import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The search for classrooms, children and their records. Guides of a child's classes and administrators find them.
enum ClassroomSearch {
    static let sources = [students, classrooms, observations, work, habits]

    /// The changes that affect more than one child or classroom at once.
    private static let sweeping: Set<String> = [
        "roster.imported", "roster.undone", "records.personErased", "classroom.deleted",
    ]

    private static let students = SearchSource(
        category: "people", title: "students.title", icon: .person, isOfPeople: true, order: 10,
        kinds: sweeping.union([
            "student.created", "student.updated", "student.deleted", "student.enteredClass", "student.leftClass",
        ]),
        touched: { change, _ in change.touches("student") },
        ids: { after, limit, sql in try StudentRepository.ids(after: after, limit: limit, in: sql) },
        documents: { ids, _, sql in
            let readers = try readers(ofStudents: ids, in: sql)
            return try sql.rows(
                """
                SELECT students.id, \(PeopleTable.columns) FROM students
                JOIN \(PeopleTable.name) ON \(PeopleTable.id) = students.id WHERE students.id IN \(list: ids)
                """
            ).map { row in
                let (id, name): (UUID, PersonName) = (try row.get("id"), try PeopleTable.personName(row))
                return try SearchDocument(
                    id: id, title: name.display,
                    text: [name.given, row.optional("email") ?? "", row.optional("number") ?? ""].joined(
                        separator: " "),
                    path: "/students/\(id.text)", tint: row.get("avatar_tint"), readers: readers(id))
            }
        })

    private static let classrooms = SearchSource(
        category: "classrooms", title: "classrooms.title", icon: .door, order: 30,
        kinds: sweeping.union(["classroom.created", "classroom.updated"]),
        touched: { change, _ in change.touches("classroom") },
        ids: { after, limit, sql in
            try sql.rows(
                "SELECT id FROM classrooms WHERE id > \(after?.text ?? "") ORDER BY id LIMIT \(limit)"
            ).map { try $0.get("id") }
        },
        documents: { ids, _, sql in
            try sql.rows("SELECT id, name, avatar_tint FROM classrooms WHERE id IN \(list: ids)").map { row in
                let id: UUID = try row.get("id")
                return try SearchDocument(
                    id: id, title: row.get("name"), path: "/classrooms/\(id.text)", tint: row.get("avatar_tint"),
                    readers: [.classroom(id)] + staff)
            }
        })

    private static let observations = SearchSource(
        category: "observations", title: "observation.title", icon: .eye, order: 50,
        kinds: childKinds.union([
            "observation.created", "observation.updated", "observation.deleted", "records.expired",
        ]),
        touched: { change, sql in
            try touched(change, "observation") {
                try sql.rows("SELECT id FROM observations WHERE student_id = \($0)").map { try $0.get("id") }
            }
        },
        ids: { after, limit, sql in
            try sql.rows(
                "SELECT id FROM observations WHERE id > \(after?.text ?? "") ORDER BY id LIMIT \(limit)"
            ).map { try $0.get("id") }
        },
        documents: { ids, _, sql in
            let rows = try sql.rows("SELECT id, student_id, content FROM observations WHERE id IN \(list: ids)")
            let about = try about(rows, in: sql)
            return try rows.map { row in
                let (id, child): (UUID, UUID) = try (row.get("id"), row.get("student_id"))
                let content: String = try row.get("content")
                return SearchDocument(
                    id: id, title: SearchSource.excerpt(content), subtitle: about.names[child]?.display ?? "",
                    text: content, path: "/students/\(child.text)/observations/\(id.text)", tint: Tint(for: child),
                    readers: about.readers(child))
            }
        })

    /// The lessons and tasks of children, including completed ones.
    private static let work = SearchSource(
        category: "plans", title: "work.plans", icon: .task, order: 52,
        kinds: childKinds.union([
            "lesson.created", "lesson.updated", "lesson.deleted", "task.created", "task.updated", "task.deleted",
        ]),
        touched: { change, sql in
            try touched(change, "work") {
                try sql.rows("SELECT id FROM student_work WHERE student_id = \($0)").map { try $0.get("id") }
            }
        },
        ids: { after, limit, sql in
            try sql.rows(
                "SELECT id FROM student_work WHERE id > \(after?.text ?? "") ORDER BY id LIMIT \(limit)"
            ).map { try $0.get("id") }
        },
        documents: { ids, _, sql in
            let rows = try sql.rows(
                "SELECT id, student_id, title, details FROM student_work WHERE id IN \(list: ids)")
            let about = try about(rows, in: sql)
            return try rows.map { row in
                let (id, child): (UUID, UUID) = try (row.get("id"), row.get("student_id"))
                return try SearchDocument(
                    id: id, title: row.get("title"), subtitle: about.names[child]?.display ?? "",
                    text: row.optional("details") ?? "", path: "/students/\(child.text)/plans/\(id.text)",
                    tint: Tint(for: child), readers: about.readers(child))
            }
        })

    private static let habits = SearchSource(
        category: "habits", title: "habit.title", icon: .check, order: 54,
        kinds: childKinds.union(["habit.created", "habit.updated", "habit.deleted"]),
        touched: { change, sql in
            try touched(change, "habit") {
                try sql.rows("SELECT id FROM habits WHERE student_id = \($0)").map { try $0.get("id") }
            }
        },
        ids: { after, limit, sql in
            try sql.rows("SELECT id FROM habits WHERE id > \(after?.text ?? "") ORDER BY id LIMIT \(limit)").map {
                try $0.get("id")
            }
        },
        documents: { ids, _, sql in
            let rows = try sql.rows("SELECT id, student_id, name FROM habits WHERE id IN \(list: ids)")
            let about = try about(rows, in: sql)
            return try rows.map { row in
                let (id, child): (UUID, UUID) = try (row.get("id"), row.get("student_id"))
                return try SearchDocument(
                    id: id, title: row.get("name"), subtitle: about.names[child]?.display ?? "",
                    path: "/students/\(child.text)/habits", tint: Tint(for: child), readers: about.readers(child))
            }
        })

    /// The changes that affect every document about a child: a new name, other classes, or a deletion.
    private static let childKinds = sweeping.union([
        "student.enteredClass", "student.leftClass", "student.deleted", "student.updated",
    ])

    /// Returns the records of children that a change affects.
    /// - Parameters:
    ///   - key: where the change names the record.
    ///   - records: finds the records of a child.
    private static func touched(
        _ change: LoggedChange, _ key: String, _ records: (UUID) throws -> [UUID]
    ) throws -> SearchTouch {
        guard change.change.kind.hasPrefix("student."),
            let id = change.change.payload["student"].flatMap(UUID.init(text:))
        else { return change.touches(key) }
        // The records of a deleted child are deleted too, so their ids cannot be found any more.
        return change.change.kind == "student.deleted" ? .everything : .some(try records(id))
    }

    /// Returns the names of the children whom rows are about, with the audiences that may find them.
    private static func about(
        _ rows: [SQLRow], in sql: any SQLReading
    ) throws -> (names: [UUID: PersonName], readers: (UUID) -> [Audience]) {
        let children: [UUID] = try Array(Set(rows.map { try $0.get("student_id") }))
        return (
            try PeopleTable.names(children, in: sql), try readers(ofStudents: children, in: sql)
        )
    }

    private static let staff = Audience.roles([.superAdmin, .admin])

    /// Returns the audiences that may see each of these students.
    private static func readers(
        ofStudents ids: [UUID], in sql: any SQLReading
    ) throws -> (UUID) -> [Audience] {
        let rooms = try sql.rows(
            "SELECT student_id, classroom_id FROM classroom_students WHERE student_id IN \(list: ids)"
        ).reduce(into: [UUID: [Audience]]()) { rooms, row in
            rooms[try row.get("student_id"), default: []].append(.classroom(try row.get("classroom_id")))
        }
        return { rooms[$0, default: []] + staff }
    }
}
