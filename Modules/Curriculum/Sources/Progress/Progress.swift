import ClassroomInterface
import CurriculumInterface
import Domain
import FeatureKit
import Foundation

/// Records a student's progress with a material.
struct RecordProgress: Command {
    static let contract = Contract(
        "curriculum.record", "/api/v1/students/{studentId}/materials/{materialId}",
        access: .member(.recordProgress),
        replay: .natural,
        summary: "Records how far a student is with a material; the same again changes nothing.")
    typealias Result = MaterialProgress

    let studentId: UUID
    let materialId: UUID
    let state: ProgressState
    let day: Day?

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        materialId = fields.id("materialId")
        state = fields.choice("state")
        day = fields.optionalDay("day")
    }
}

/// Lists a student's current progress.
struct StudentProgress: Query {
    static let contract = Contract(
        "curriculum.student", "/api/v1/students/{studentId}/materials", access: .member(.recordProgress),
        summary: "Where a student stands with each material that was recorded.")
    typealias Result = Page<MaterialProgress>

    let studentId: UUID

    init(_ fields: inout FieldReader) { studentId = fields.id("studentId") }
}

/// Lists the current progress of a class.
struct ClassProgress: Query {
    static let contract = Contract(
        "curriculum.class", "/api/v1/classrooms/{classroomId}/materials", access: .member(.recordProgress),
        summary: "Where the students of a class stand with the materials of a subject, or of all.")
    typealias Result = Page<MaterialProgress>

    let classroomId: UUID
    let subjectId: UUID?

    init(_ fields: inout FieldReader) {
        classroomId = fields.id("classroomId")
        subjectId = fields.optionalId("subjectId")
    }
}

/// The handlers of progress.
struct ProgressHandlers: Sendable {
    /// The days in the past for which progress can be recorded.
    static let window = 365

    let taxonomy: SchoolTaxonomy
    let classrooms: any ClassroomService
    let students: any StudentService

    var commands: [CommandRegistration] {
        [
            .handle(RecordProgress.self) { command, context in
                let membership = try context.membership
                let student = try students.student(
                    command.studentId, visibleTo: membership, in: context.sql)
                let material = try taxonomy.curriculum(in: context.sql).entry(command.materialId, .material)
                let progress = MaterialProgress(
                    studentId: student.id, materialId: material.id, state: command.state,
                    day: try Self.checked(command.day, context.today), recordedBy: membership.personId,
                    recordedAt: context.now)
                context.feedback = Feedback(
                    .toast,
                    context.words(
                        "curriculum.recorded", material.name(in: context.words.language),
                        context.words("curriculum.state.\(command.state.rawValue)")))
                // The same state again keeps the first record.
                let known = try ProgressRepository.last(
                    student.id, material.id, of: progress.day, in: context.sql)
                if let known, known.state == progress.state { return known }
                try ProgressRepository.insert(progress, id: context.newId(), in: context.sql)
                context.record(try change(progress, in: context.sql))
                return progress
            }
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(StudentProgress.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    _ = try students.student(query.studentId, visibleTo: membership, in: sql)
                    let progress = try ProgressRepository.progress(of: query.studentId, in: sql)
                    let order = try taxonomy.curriculum(in: sql).entries
                    return Page(items: order.compactMap { progress[$0.id] }, next: nil)
                }
            },
            .handle(ClassProgress.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    _ = try classrooms.classroom(query.classroomId, visibleTo: membership, in: sql)
                    let children = try students.students(
                        of: query.classroomId, orgId: membership.organization.id, in: sql)
                    let materials = try taxonomy.curriculum(in: sql).materials(of: query.subjectId)
                    return Page(
                        items: try ProgressRepository.progress(
                            of: children.map(\.id), materials.map(\.id), in: sql),
                        next: nil)
                }
            },
        ]
    }

    /// Returns the day, by default today. Throws if it is in the future or too long ago.
    private static func checked(_ day: Day?, _ today: Day) throws -> Day {
        guard let day else { return today }
        guard day <= today else { throw Problem.invalid("day", "curriculum.future") }
        guard day >= today.adding(days: -window) else {
            throw Problem.invalid("day", "curriculum.tooOld", [.number(window)])
        }
        return day
    }

    private func change(_ progress: MaterialProgress, in sql: any SQLReading) throws -> Change {
        let classrooms = try students.classroomIds(ofStudent: progress.studentId, in: sql)
        return Change(
            "curriculum.recorded",
            topics: ["student:\(progress.studentId.text)"] + classrooms.map(ProgressHandlers.topic),
            audience: Audience.roles([.superAdmin, .admin]) + classrooms.map(Audience.classroom),
            payload: [
                "student": progress.studentId.text, "material": progress.materialId.text,
                "state": progress.state.rawValue, "day": progress.day.description,
            ])
    }

    /// The topic of a class's progress.
    static func topic(_ classroomId: UUID) -> String { "curriculum:\(classroomId.text)" }
}
