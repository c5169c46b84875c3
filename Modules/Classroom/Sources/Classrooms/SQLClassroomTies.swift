public import ClassroomInterface
import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface

/// Reads the relations between people and classrooms from the feature block's tables and the school's guardians.
public struct SQLClassroomTies: ClassroomTieService {
    private let guardians: any GuardianService

    public init(guardians: any GuardianService) { self.guardians = guardians }

    public func ties(of personIds: [UUID], in sql: any SQLReading) throws -> [UUID: ClassroomTies] {
        var all = Dictionary(personIds.map { ($0, ClassroomTies()) }, uniquingKeysWith: { first, _ in first })
        let guided = try sql.rows(ofEach: personIds) {
            "SELECT person_id, classroom_id FROM classroom_guides WHERE person_id IN \(list: $0)"
        }
        for row in guided {
            try all[row.get("person_id"), default: ClassroomTies()].guided.insert(row.get("classroom_id"))
        }
        for id in all.keys { all[id]?.children = Set(try guardians.children(ofGuardian: id, in: sql)) }
        let learners = Set(personIds).union(all.values.flatMap(\.children))
        let rooms: [UUID: Set<UUID>] = try sql.rows(ofEach: learners) {
            "SELECT student_id, classroom_id FROM classroom_students WHERE student_id IN \(list: $0)"
        }.reduce(into: [:]) { try $0[$1.get("student_id"), default: []].insert($1.get("classroom_id")) }
        for id in all.keys {
            all[id]?.learnsIn = rooms[id] ?? []
            let children = all[id]?.children ?? []
            all[id]?.childrensClassrooms = Set(children.flatMap { rooms[$0] ?? [] })
        }
        return all
    }

    public func circle(of classroomId: UUID, in sql: any SQLReading) throws -> ClassroomCircle {
        let guides: [UUID] = try sql.rows(
            "SELECT person_id FROM classroom_guides WHERE classroom_id = \(classroomId)"
        ).map { try $0.get("person_id") }
        let students: [UUID] = try sql.rows(
            "SELECT student_id FROM classroom_students WHERE classroom_id = \(classroomId)"
        ).map { try $0.get("student_id") }
        return ClassroomCircle(
            guides: Set(guides), students: Set(students),
            guardians: Set(try students.flatMap { try guardians.guardians(ofChild: $0, in: sql).map(\.id) }))
    }

    public func allClassrooms(in sql: any SQLReading) throws -> [ClassroomSummary] {
        try ClassroomRepository.summaries(ofGuide: nil, in: sql)
    }

    public func classrooms(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [ClassroomSummary] {
        guard !ids.isEmpty else { return [] }
        return try sql.rows(
            """
            SELECT id, name, avatar_tint, cover, small_cover, (
                SELECT COUNT(*) FROM classroom_students WHERE classroom_id = classrooms.id
            ) AS student_count
            FROM classrooms WHERE id IN \(list: ids) ORDER BY created_at, id
            """
        ).map(ClassroomRepository.summary)
    }
}
