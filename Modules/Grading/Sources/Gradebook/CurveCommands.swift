import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

/// Raises all scores of an item by a curve.
struct CurveScores: Command {
    static let contract = Contract(
        "grades.curve", "/api/v1/courses/{courseId}/gradebook/items/{itemId}/curve",
        access: .member(.teachCourses),
        summary:
            "Raises all scores of an item by a curve: add points, or raise until the best has the maximum (best, scale). Refused if a score has changed since the caller saw it."
    )
    typealias Result = CurvedScores

    let courseId: UUID
    let itemId: UUID
    let curve: GradeCurve
    /// The scores that the caller saw: `studentId=8.5`, separated by spaces.
    let seen: [UUID: String]

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        itemId = fields.id("itemId")
        let method = fields.choice("method", of: CurveMethod.self)
        let text = fields.optionalText("points", max: 12) ?? ""
        // `refuse` reports what is wrong with the number.
        let points = (try? ScoreText.number(text)) ?? 0
        fields.refuse("points", "grading.curve.points", unless: method != .add || points > 0)
        curve = method.curve(points)
        let pairs = (fields.optionalText("seen", max: 100_000) ?? "").split(separator: " ")
            .map { $0.split(separator: "=", omittingEmptySubsequences: false).map(String.init) }
        seen = pairs.reduce(into: [:]) { seen, pair in
            if pair.count == 2, let id = UUID(text: pair[0]) { seen[id] = pair[1] }
        }
        fields.refuse("seen", "grading.curve.seen", unless: seen.count == pairs.count)
    }

    /// The value of the field `seen` for some scores.
    static func seen(_ scores: [(id: UUID, points: Hundredths)]) -> String {
        scores.map { "\($0.id.text)=\($0.points)" }.joined(separator: " ")
    }
}

/// The number of scores that a curve raised.
struct CurvedScores: Codable, Sendable, Hashable {
    let count: Int
}

/// The kinds of curve, as field values.
enum CurveMethod: String, Codable, Sendable, Hashable, CaseIterable {
    case add, best, scale

    func curve(_ points: Hundredths) -> GradeCurve {
        switch self {
        case .add: .add(points: points)
        case .best: .best
        case .scale: .scale
        }
    }
}

extension ScoreHandlers {
    /// The curve command.
    var columnCommands: [CommandRegistration] {
        [
            .handle(CurveScores.self) { command, context in
                let item = try items.item(command.itemId, of: command.courseId, context)
                let marked = try GradingRepository.scores(ofItem: item.id, in: context.sql).filter {
                    $0.points != nil
                }
                try check(marked, against: command.seen, of: item, in: context)
                let after = command.curve.applied(
                    to: marked.compactMap(\.points), maximum: item.maximum, isExtraCredit: item.isExtraCredit)
                var count = 0
                for (grade, points) in zip(marked, after) where grade.points != points {
                    var raised = grade
                    raised.points = points
                    raised.version += 1
                    try store(raised, of: item, in: &context)
                    count += 1
                }
                context.feedback = Feedback(.toast, context.words("grading.said.pasted", count))
                context.destination = GradebookScreens.path(item)
                return CurvedScores(count: count)
            }
        ]
    }

    /// Throws `grading.clashes` if the scores are not those that the caller saw.
    private func check(
        _ marked: [Score], against seen: [UUID: String], of item: GradebookItem, in context: CommandContext
    ) throws {
        let changed = marked.filter { $0.points.map { "\($0)" } != seen[$0.studentId] }
        guard !changed.isEmpty else { return }
        let orgId = try context.membership.organization.id
        let names = try people.people.people(changed.map(\.studentId), of: orgId, in: context.sql)
        var conflicts: [Int: ScoreConflict] = [:]
        for (row, grade) in changed.enumerated() {
            conflicts[row] = ScoreConflict(
                studentId: grade.studentId, itemId: item.id, student: names[grade.studentId]?.name.display ?? "–",
                item: item.title, theirs: grade.text, yours: seen[grade.studentId] ?? "")
        }
        try refuse(conflicts, "seen", orgId, in: context.sql)
    }
}
