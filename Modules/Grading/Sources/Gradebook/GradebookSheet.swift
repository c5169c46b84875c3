import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface

/// The properties of the island `pt-gradebook`: students by items.
///
/// A class of 150 has 9,000 cells. A student's scores are therefore one text separated by tabs, in which empty
/// cells cost one character.
struct GradebookSheet: Encodable {
    struct Item: Encodable {
        let id: String
        let title: String
        /// The maximum and the due day, shown under the title.
        let detail: String
        let tint: Tint?
        let maximum: String
        /// The page on which the item is graded.
        let path: String
        /// Whether another block grades the item.
        let isFixed: Bool
        /// Whether the due day has come, so that a missing score still has to be entered.
        let isDue: Bool
    }
    struct Student: Encodable {
        let id: String
        let name: String
        let path: String
    }
    struct Total: Encodable {
        let text: String
        let letter: String
        let color: GradeColor
        let trend: GradeTrend?
    }
    let api: String
    let course: String
    let point: String
    let items: [Item]
    let students: [Student]
    let totals: [Total?]
    let marks: [String]
    /// A student's versions as one text, like the scores.
    let versions: [String]
    let comments: [[Int]]
    let words: [String: String]

    /// Makes the properties.
    ///
    /// - Parameter courseGrades: the students' grades, in their order.
    init(
        _ course: Course, _ students: [GradebookPeople.Student], _ gradebook: Gradebook,
        _ courseGrades: [GradeCalculationService.CourseGrade?], today: Day, _ words: Words
    ) {
        api = "/api/v1/courses/\(course.id.text)/gradebook"
        self.course = course.name
        point = words.language == .french ? "," : "."
        items = gradebook.items.map { item in
            Item(
                id: item.id.text, title: item.title, detail: Self.detail(item, words), tint: item.category.tint,
                maximum: item.maximum.shown(words), path: item.path ?? GradebookScreens.path(item),
                isFixed: item.path != nil, isDue: item.dueDay.map { $0 <= today } ?? false)
        }
        let grades = GradesScreens.path(course.id)
        self.students = students.map {
            Student(id: $0.id.text, name: $0.name, path: "\(grades)?student=\($0.id.text)")
        }
        totals = zip(students, courseGrades).map { student, courseGrade in
            courseGrade.map {
                Total(
                    text: $0.shown.shown(words), letter: $0.letter.rawValue, color: $0.color,
                    trend: gradebook.trend(of: student.id))
            }
        }
        let rows = students.map { gradebook.scores(of: $0.id) }
        marks = rows.map { row in row.map { $0?.text ?? "" }.joined(separator: "\t") }
        versions = rows.map { row in row.map { String($0?.version ?? 0) }.joined(separator: " ") }
        comments = rows.map { row in row.indices.filter { row[$0]?.comment != nil } }
        self.words = Dictionary(
            uniqueKeysWithValues: Self.textKeys.map { name in (name, words("grading.sheet.\(name)")) })
    }

    /// The details that distinguish a column: "/ 20 · 3 Oct · hidden".
    private static func detail(_ item: GradebookItem, _ words: Words) -> String {
        [
            "/ \(item.maximum.shown(words))", item.dueDay.map { words.dayAndMonth($0) },
            item.isExtraCredit ? words("grading.extraCredit") : nil,
            item.releasedAt == nil ? words("grading.isHidden") : nil,
        ].compactMap(\.self).joined(separator: " · ")
    }

    private static let textKeys = [
        "bar", "clash", "close", "comment", "commented", "decide", "excused", "falling", "fixed", "keys", "label",
        "late",
        "lateNeedsMark", "missing", "notPasted", "oneColumn", "outOf", "pasteNeedsAll", "pasteTooLong", "pasted",
        "rising", "saved", "show", "showAll", "showMissing", "showOpen", "someone", "steady", "student", "tip",
        "total", "totalTip", "undo", "unmarked", "waitingMarks", "yours",
    ]
}

extension GradeCategory {
    /// The color of the category's dot. The final exam has none. The page of an item names the category.
    var tint: Tint? {
        switch self {
        case .assignments: .sky
        case .quizzes: .leaf
        case .participation: .clay
        case .midterm: .berry
        case .final: nil
        }
    }
}
