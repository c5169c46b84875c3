import ClassroomInterface
import CurriculumInterface
import Domain
import FeatureKit
import Foundation

/// Suggests what a student may be shown next.
struct StudentSuggestions: Query {
    static let contract = Contract(
        "curriculum.suggestions", "/api/v1/students/{studentId}/suggestions", access: .member(.recordProgress),
        summary: "What a student may be shown next, each with the records and observations that it rests on.")
    typealias Result = Page<MaterialSuggestion>

    let studentId: UUID

    init(_ fields: inout FieldReader) { studentId = fields.id("studentId") }
}

/// Plans a lesson from a suggestion.
struct AcceptSuggestion: Command {
    static let contract = Contract(
        "curriculum.accept", "/api/v1/students/{studentId}/materials/{materialId}/plan",
        access: .member(.recordProgress),
        summary: "Plans a lesson with a material for a student, where none is open yet.")
    typealias Result = Done

    let studentId: UUID
    let materialId: UUID

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        materialId = fields.id("materialId")
    }
}

/// Dismisses a suggestion for thirty days.
struct DismissSuggestion: Command {
    static let contract = Contract(
        "curriculum.dismiss", "/api/v1/students/{studentId}/materials/{materialId}/dismiss",
        access: .member(.recordProgress), replay: .natural,
        summary: "Takes a material off a student's suggestions for thirty days.")
    typealias Result = Done

    let studentId: UUID
    let materialId: UUID

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        materialId = fields.id("materialId")
    }
}

/// A suggested material and the reasons.
struct MaterialSuggestion: Codable, Sendable, Hashable {
    /// A prerequisite with the child's progress and observations.
    struct Reason: Codable, Sendable, Hashable {
        let materialId: UUID
        let name: String
        let state: ProgressState
        let day: Day
        let observations: [Evidence]
    }
    let materialId: UUID
    /// The name in the reader's language.
    let name: String
    let subject: String
    /// Empty for the first step in a subject without records.
    let because: [Reason]
}

/// The handlers of suggestions, which follow from the curriculum, progress, observations and lessons.
struct SuggestionHandlers: Sendable {
    /// The days for which a dismissed suggestion is hidden.
    static let dismissedDays = 30
    /// The most observations per reason.
    static let mostObservations = 2

    let taxonomy: SchoolTaxonomy
    let students: any StudentService
    let record: any ChildRecord

    var commands: [CommandRegistration] {
        [
            .handle(AcceptSuggestion.self) { command, context in
                let (student, material, curriculum) = try checked(
                    command.studentId, command.materialId, context)
                let words = context.words
                guard try !isPlanned(material, among: record.openLessons(of: student.id, in: context.sql)) else {
                    throw Problem(
                        409, "curriculum.alreadyPlanned", [.text(material.name(in: words.language))])
                }
                let progress = try ProgressRepository.progress(of: student.id, in: context.sql)
                let before = material.requires.compactMap { id -> String? in
                    guard let entry = curriculum[id], let now = progress[id], now.state != .notStarted else {
                        return nil
                    }
                    return words.reason(entry.name(in: words.language), now.state, now.day)
                }
                try record.plan(
                    lesson: material.name(in: words.language),
                    details: before.isEmpty ? nil : before.joined(separator: "\n"), for: student.id, in: &context)
                context.feedback = Feedback(
                    .toast, words("curriculum.planned", material.name(in: words.language)))
                return Done()
            },
            .handle(DismissSuggestion.self) { command, context in
                let (student, material, _) = try checked(command.studentId, command.materialId, context)
                try SuggestionRepository.dismiss(material.id, for: student.id, at: context.now, in: context.sql)
                context.record(
                    Change(
                        "curriculum.dismissed", topics: ["student:\(student.id.text)"],
                        audience: Audience.roles([.superAdmin, .admin])
                            + (try students.classroomIds(ofStudent: student.id, in: context.sql))
                            .map(Audience.classroom),
                        payload: ["student": student.id.text, "material": material.id.text]))
                context.feedback = Feedback(.toast, context.words("curriculum.dismissed", Self.dismissedDays))
                return Done()
            },
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(StudentSuggestions.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    _ = try students.student(query.studentId, visibleTo: membership, in: sql)
                    return Page(
                        items: try suggestions(
                            for: query.studentId, ProgressRepository.progress(of: query.studentId, in: sql),
                            taxonomy.curriculum(in: sql), at: context.now, context.words.language,
                            timeZone: membership.timeZone, in: sql),
                        next: nil)
                }
            }
        ]
    }

    /// The suggestions for a child with their reasons.
    func suggestions(
        for studentId: UUID, _ progress: [UUID: MaterialProgress], _ curriculum: Curriculum, at instant: Date,
        _ language: Language, timeZone: TimeZone, in sql: any SQLReading
    ) throws -> [MaterialSuggestion] {
        let offered = curriculum.materials()
        let open = try record.openLessons(of: studentId, in: sql)
        let since = instant.addingTimeInterval(-Double(Self.dismissedDays) * 86_400)
        let away = try SuggestionRepository.dismissed(of: studentId, since: since, in: sql)
        let planned = open.isEmpty ? [] : offered.filter { isPlanned($0, among: open) }.map(\.id)
        let engine = WhatsNextEngine<Day>(
            materials: offered.compactMap { material in
                material.subjectId.map { .init(id: material.id, area: $0, requires: material.requires) }
            },
            progress: progress.mapValues { .init(state: $0.state, day: $0.day) },
            excluded: away.union(planned))
        let found = engine.suggestions
        guard !found.isEmpty else { return [] }
        let evidence = try record.evidence(
            of: studentId, materials: Set(found.flatMap { $0.because.map(\.material) }), timeZone: timeZone, in: sql
        )
        func name(_ id: UUID) -> String { curriculum[id]?.name(in: language) ?? "" }
        return found.map { suggestion in
            MaterialSuggestion(
                materialId: suggestion.material, name: name(suggestion.material), subject: name(suggestion.area),
                because: suggestion.because.map { reason in
                    MaterialSuggestion.Reason(
                        materialId: reason.material, name: name(reason.material), state: reason.progress.state,
                        day: reason.progress.day,
                        observations: Array((evidence[reason.material] ?? []).prefix(Self.mostObservations)))
                })
        }
    }

    private func checked(
        _ studentId: UUID, _ materialId: UUID, _ context: CommandContext
    ) throws -> (Student, CurriculumEntry, Curriculum) {
        let student = try students.student(studentId, visibleTo: context.membership, in: context.sql)
        let curriculum = try taxonomy.curriculum(in: context.sql)
        return (student, try curriculum.entry(materialId, .material), curriculum)
    }

    /// Whether a lesson with the material's name in any language is open: a colleague may use another language.
    private func isPlanned(_ material: CurriculumEntry, among titles: Set<String>) -> Bool {
        Language.allCases.contains { titles.contains(material.name(in: $0)) }
    }
}

extension Words {
    /// A reason as text, such as "Brown Stair: mastered, Tuesday 3 November".
    func reason(_ name: String, _ state: ProgressState, _ day: Day) -> String {
        self("curriculum.reason", name, self("curriculum.state.\(state.rawValue)"), longDate(day))
    }
}
