import Domain
import FeatureKit
import Foundation

/// The practice of the sample school's student with an account.
extension DemoSchool {
    private static let words = """
        circle = The circle has one center.
        compass = Open the compass a little.
        diagonal = The diagonal joins two corners.
        hexagon = A hexagon has six sides.
        parallel = The two lines are parallel.
        pattern = The pattern repeats.
        rectangle = A door is a rectangle.
        symmetry = The leaf shows symmetry.
        tiling = The tiling covers the floor.
        triangle = A triangle has three corners.
        """

    private static let rounds:
        [(
            daysAgo: Int, tool: String, kind: String, level: Int, asked: Int, correct: Int, seconds: Int,
            missed: [String]
        )] = [
            (11, "math", "multiplication", 3, 10, 7, 118, ["7 × 8", "6 × 9", "8 × 7"]),
            (10, "typing", "qwerty", 1, 41, 38, 96, ["g", "h"]),
            (9, "math", "multiplication", 3, 10, 8, 104, ["7 × 8", "9 × 6"]),
            (8, "spelling", "en", 0, 10, 7, 210, ["parallel", "symmetry", "diagonal"]),
            (6, "math", "multiplication", 4, 10, 9, 92, ["8 × 7"]),
            (5, "typing", "qwerty", 1, 40, 39, 78, ["h"]),
            (4, "spelling", "en", 0, 10, 9, 174, ["symmetry"]),
            (3, "math", "fractions", 2, 10, 8, 131, ["5/6 − 1/6", "7/8 − 3/8"]),
            (2, "typing", "qwerty", 2, 52, 50, 88, ["l"]),
            (1, "math", "multiplication", 5, 10, 9, 99, ["23 × 3"]),
        ]

    /// Adds a word list of a course, and a student's rounds of the last two weeks.
    func practice(
        of student: Caller, in courseId: String, as teacher: Caller, _ diary: inout DemoDiary
    ) async throws {
        let list = try await run(
            "practice.createList",
            [
                "name": .text("Words of geometry"), "language": .text("en"), "courseId": .text(courseId),
                "words": .text(Self.words),
            ], as: teacher)
        let listId = Self.text("id", of: list)
        for round in Self.rounds {
            var fields: [String: InputValue] = [
                "round": .text(UUID().uuidString), "tool": .text(round.tool), "kind": .text(round.kind),
                "level": .number(Double(round.level)), "asked": .number(Double(round.asked)),
                "correct": .number(Double(round.correct)), "seconds": .number(Double(round.seconds)),
                "missed": .list(round.missed.map { .text($0) }),
            ]
            if round.tool == "spelling" {
                fields["list"] = .text(listId)
                fields["listName"] = .text("Words of geometry")
            }
            diary.add(diary.today.adding(days: -round.daysAgo), 16, 40) { [fields] in
                try await run(
                    "practice.record",
                    fields.merging(["finishedAt": .text(clock.now.formatted(.iso8601))]) { $1 }, as: student)
            }
        }
    }
}
