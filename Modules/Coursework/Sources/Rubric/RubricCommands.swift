import CoursesInterface
import CourseworkModel
import Domain
import FeatureKit
import Foundation
import GradingInterface

/// Lists the criteria of an assignment.
struct ListRubric: Query {
    static let contract = Contract(
        "coursework.rubric", "/api/v1/assignments/{assignmentId}/rubric", access: .member(.viewCourses),
        summary: "The criteria of an assignment with their levels, in their order.")
    typealias Result = Page<RubricCriterion>

    let assignmentId: UUID

    init(_ fields: inout FieldReader) { assignmentId = fields.id("assignmentId") }
}

/// Adds a criterion to the rubric of an assignment, or changes one.
struct SaveCriterion: Command {
    static let contract = Contract(
        "coursework.saveCriterion", "/api/v1/assignments/{assignmentId}/rubric", access: .member(.teachCourses),
        summary: """
            Adds a criterion with two to five levels to the rubric of an assignment, or changes the one with the given id. \
            The points of levels that students have cannot be changed. Refused with 409 if a version is given and someone \
            has changed the criterion since.
            """)
    typealias Result = RubricCriterion

    /// The name of the field with the title of a level, counted from 1.
    static func titleField(_ level: Int) -> String { "title\(level)" }
    /// The name of the field with the points of a level, counted from 1.
    static func pointsField(_ level: Int) -> String { "points\(level)" }

    let assignmentId: UUID
    /// The criterion that is changed; `nil` for a new one.
    let criterionId: UUID?
    let title: String
    /// The levels in the order of the form; those without a title and points are left out.
    let levels: [(field: Int, title: String?, points: Hundredths?)]
    /// The version of the criterion that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        criterionId = fields.optionalId("criterionId")
        title = fields.text("title", max: 120)
        levels = (1...Rubric.mostLevels).map { number in
            (
                number, fields.optionalText(Self.titleField(number), max: 60),
                fields.optionalPoints(Self.pointsField(number), code: "coursework.score", in: 0...10_000)
            )
        }.filter { $0.title != nil || $0.points != nil }
        version = fields.contentVersion()
        fields.refuse(Self.titleField(2), "coursework.levels", unless: levels.count > 1)
    }
}

extension RubricCriterion {
    /// The version of the fields that the form of a criterion edits.
    var version: ContentVersion { ContentVersion([title] + levels.flatMap { [$0.title, $0.points] }) }
}

/// Deletes a criterion from the rubric of an assignment.
struct DeleteCriterion: Command {
    static let contract = Contract(
        "coursework.deleteCriterion", "/api/v1/assignments/{assignmentId}/rubric/{criterionId}/delete",
        access: .member(.teachCourses),
        summary: "Deletes a criterion with the levels that students have in it. Their scores stay as they are.")
    typealias Result = Done

    let assignmentId: UUID
    let criterionId: UUID

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        criterionId = fields.id("criterionId")
    }
}

/// The commands of rubrics.
struct RubricHandlers: Sendable {
    let access: CourseworkAccess
    let changes: CourseworkChanges

    var queries: [QueryRegistration] {
        [
            .handle(ListRubric.self) { query, context in
                let (membership, now) = (try context.membership, context.now)
                return try await context.school.read { sql in
                    let seen = try access.seen(query.assignmentId, membership, at: now, in: sql)
                    return Page(
                        items: try RubricRepository.rubric(of: seen.assignment.id, in: sql).criteria, next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(SaveCriterion.self, save),
            .handle(DeleteCriterion.self) { command, context in
                let (one, _) = try access.led(command.assignmentId, context.membership, in: context.sql)
                let rubric = try RubricRepository.rubric(of: one.id, in: context.sql)
                guard rubric.criteria.contains(where: { $0.id == command.criterionId }) else {
                    throw Problem.notFound
                }
                try RubricRepository.delete(command.criterionId, in: context.sql)
                try record(one, &context)
                context.feedback = Feedback(.toast, context.words("coursework.said.criterionDeleted"))
                context.destination = RubricScreens.path(one.id)
                return Done()
            },
        ]
    }

    @Sendable
    private func save(_ command: SaveCriterion, _ context: inout CommandContext) throws -> RubricCriterion {
        let (one, _) = try access.led(command.assignmentId, context.membership, in: context.sql)
        var rubric = try RubricRepository.rubric(of: one.id, in: context.sql)
        let levels = try command.levels.map { level in
            guard let title = level.title else {
                throw Problem.invalid(SaveCriterion.titleField(level.field), "required")
            }
            if one.maximum != nil, level.points == nil {
                throw Problem.invalid(SaveCriterion.pointsField(level.field), "required")
            }
            return RubricCriterion.Level(title: title, points: "\(level.points ?? .zero)")
        }
        let place = rubric.criteria.firstIndex { $0.id == command.criterionId }
        guard command.criterionId == nil || place != nil else { throw Problem.notFound }
        let criterion = RubricCriterion(
            id: command.criterionId ?? context.newId(), title: command.title, levels: levels)
        if let place {
            let before = rubric.criteria[place]
            try before.version.check(command.version)
            if before.levels.map(\.points) != levels.map(\.points),
                try RubricRepository.studentCount(of: criterion.id, in: context.sql) > 0
            {
                throw Problem(409, "coursework.rubricUsed")
            }
            rubric.criteria[place] = criterion
        } else {
            guard rubric.criteria.count < Rubric.mostCriteria else {
                throw Problem(409, "coursework.rubricFull", [.number(Rubric.mostCriteria)])
            }
            rubric.criteria.append(criterion)
        }
        if let maximum = one.maximum, rubric.total > maximum {
            throw Problem.invalid(
                SaveCriterion.pointsField(1), "coursework.rubricAbove",
                [.text("\(rubric.total)"), .text("\(maximum)")])
        }
        try RubricRepository.put(criterion, at: place ?? rubric.criteria.count, of: one.id, in: context.sql)
        try record(one, &context)
        context.feedback = Feedback(.toast, context.words("coursework.said.criterionSaved"))
        context.destination = RubricScreens.path(one.id)
        return criterion
    }

    /// Records a changed rubric, which students of a published assignment see.
    private func record(_ one: Assignment, _ context: inout CommandContext) throws {
        context.record(
            one.publishedAt == nil
                ? changes.forLeaders("coursework.rubricChanged", one)
                : try changes.forAll("coursework.rubricChanged", one, in: context.sql))
    }

    // MARK: - Marking

    /// Stores the levels that a teacher chose for a student, and returns the points of the rubric; `nil` if a criterion
    /// has no level.
    ///
    /// Criteria for which nothing was chosen keep their level. Throws a fault for a level that does not exist.
    ///
    /// - Parameter isComplete: whether every criterion must have a level.
    static func choose(
        _ choices: [RubricChoice], of assignmentId: UUID, for studentId: UUID, isComplete: Bool,
        in sql: any SQLWriting
    ) throws -> Hundredths? {
        let rubric = try RubricRepository.rubric(of: assignmentId, in: sql)
        for choice in choices {
            guard let place = rubric.criteria.firstIndex(where: { $0.id == choice.criterionId }),
                rubric.criteria[place].levels.indices.contains(choice.level)
            else { throw Problem(409, "coursework.rubricChanged") }
            try RubricRepository.set(choice, of: assignmentId, for: studentId, in: sql)
        }
        guard !rubric.criteria.isEmpty else { return nil }
        let chosen = try RubricRepository.levels(of: assignmentId, for: studentId, in: sql)
        if isComplete, !chosen.isEmpty,
            let missing = rubric.criteria.firstIndex(where: { chosen[$0.id] == nil })
        {
            throw Problem.invalid(RubricChoice.field(missing), "coursework.levelMissing")
        }
        return rubric.points(of: chosen)
    }
}
