public import Domain
public import FeatureKit
public import Foundation

/// A student's grade in a course, computed from the scores that count and that were released, that is, shown to the
/// student.
public struct CourseGrade: Codable, Sendable, Hashable {
    public let courseId: UUID
    /// The weighted percentage, rounded by the school's rule, as it is shown. The letter follows from it. Extra
    /// credit can raise it above 100.
    public let shown: Hundredths
    /// The letter grade by the school's scale, such as `B+`.
    public let letter: String
    public let color: GradeColor

    public init(courseId: UUID, shown: Hundredths, letter: String, color: GradeColor) {
        self.courseId = courseId
        self.shown = shown
        self.letter = letter
        self.color = color
    }
}

/// The color of a grade, which is always shown together with text.
public enum GradeColor: String, Codable, Sendable, Hashable, CaseIterable {
    case green, yellow, orange, red
}

/// A grade point average over courses, rounded once, half up, to two decimal places.
public struct GradePointAverage: Codable, Sendable, Hashable {
    /// The average in which every course counts the same, from 0 to 4.
    public let unweighted: Hundredths
    /// The average in which courses count by their credits, from 0 to 4; `nil` if no course has credits.
    public let creditWeighted: Hundredths?
    /// The number of courses that count for the average.
    public let courseCount: Int

    public init(unweighted: Hundredths, creditWeighted: Hundredths?, courseCount: Int) {
        self.unweighted = unweighted
        self.creditWeighted = creditWeighted
        self.courseCount = courseCount
    }
}

extension GradePointAverage {
    /// Returns the unweighted average with two decimal places: "3.67", "3,67".
    public func shown(_ words: Words) -> String { unweighted.shown(words, places: 2) }

    /// Returns the average by credits with two decimal places; `nil` if there is none.
    public func shownByCredits(_ words: Words) -> String? { creditWeighted?.shown(words, places: 2) }
}

extension Hundredths {
    /// Returns the number as readers of a language write it: "8.5", "8,5". A negative number has a minus sign, not a
    /// hyphen.
    public func shown(_ words: Words, places: Int = 0) -> String {
        let text = text(places: places).replacing("-", with: "\u{2212}")
        return words.language == .french ? text.replacing(".", with: ",") : text
    }
}

/// Reads the grades and scores that were released, that is, shown to students and families. All calls run in the
/// caller's transaction.
public protocol GradeService: Sendable {
    /// Returns the grades of a student in these courses. Courses without a score are left out.
    func grades(
        for studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: CourseGrade]
    /// Returns the work of a student in these courses, in the order of the grade items.
    ///
    /// Work of the gradebook is included once its scores were shown to the student, work of other feature blocks if the
    /// student sees it.
    func work(
        for studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: [GradedWork]]
    /// Returns the student's average over all courses; `nil` if the student has no score.
    func gradePointAverage(for studentId: UUID, in sql: any SQLReading) throws -> GradePointAverage?
}

/// A piece of work that is graded, such as an assignment or quiz, and whether the student has done it.
public struct GradedWork: Sendable, Hashable {
    public let category: GradeCategory
    public let dueDay: Day?
    /// Whether the work was handed in, or scored if it is not handed in here.
    public let isDone: Bool

    public init(category: GradeCategory, dueDay: Day?, isDone: Bool) {
        self.category = category
        self.dueDay = dueDay
        self.isDone = isDone
    }
}

/// The refresh topics of pages that show grades: a change that carries one makes the open pages that name it reload.
public enum GradeTopic {
    /// The refresh topic of pages that depend on the school's grading scale.
    public static let scale = "grades.scale"
    /// Returns the refresh topic of pages with the grades that one student may see.
    public static func student(_ id: UUID) -> String { "grades:\(id.text)" }
    /// Returns the refresh topic of pages with the gradebook of a course.
    public static func gradebook(_ courseId: UUID) -> String { "gradebook:\(courseId.text)" }
}

/// The grade items that another feature block, such as one with quizzes, adds to the gradebook.
public protocol GradedItemSource: Sendable {
    /// Returns the grade items of a course with their scores.
    func items(of courseId: UUID, in sql: any SQLReading) throws -> [GradedItem]
    /// Returns the path of the page of a grade item; `nil` if the item is of another block or was deleted.
    func path(ofItem itemId: UUID, in sql: any SQLReading) throws -> String?
    /// Returns the grade items of each of these courses with the scores of one student. Other scores may be left out.
    func items(
        of courseIds: [UUID], for studentId: UUID, in sql: any SQLReading
    ) throws -> [UUID: [GradedItem]]
    /// Returns the work of each of these courses that a student sees, and whether it is done, whatever its score.
    func work(
        for studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: [GradedWork]]
    /// Returns the times at which a student handed in work, in any course.
    func handedIn(by studentId: UUID, in sql: any SQLReading) throws -> [Date]
    /// The names of deep links that the source's block declares: `assignments`. The gradebook declares its own under
    /// these names only without this source.
    var linkNames: Set<String> { get }
}

extension GradedItemSource {
    public func path(ofItem itemId: UUID, in sql: any SQLReading) throws -> String? { nil }

    public func items(
        of courseIds: [UUID], for studentId: UUID, in sql: any SQLReading
    ) throws -> [UUID: [GradedItem]] {
        try courseIds.reduce(into: [:]) { $0[$1] = try items(of: $1, in: sql) }
    }

    /// Returns the grade items whose scores the student may see; those with a score are done.
    public func work(
        for studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: [GradedWork]] {
        try items(of: courseIds, for: studentId, in: sql).mapValues { items in
            items.filter { $0.isShown(to: studentId) }.map {
                GradedWork(category: $0.category, dueDay: $0.dueDay, isDone: $0.marks[studentId] != nil)
            }
        }
    }

    public func handedIn(by studentId: UUID, in sql: any SQLReading) throws -> [Date] { [] }

    public var linkNames: Set<String> { [] }
}

/// A grade item that another feature block, such as one with quizzes, adds to the gradebook.
public struct GradedItem: Identifiable, Codable, Sendable, Hashable {
    public let id: UUID
    public let title: String
    public let category: GradeCategory
    /// The maximum score of the grade item.
    public let maximum: Hundredths
    public let dueDay: Day?
    /// The scores of the grade item by student. Students without a score are left out.
    public let marks: [UUID: Hundredths]
    /// The students who may see the grade item and their scores; `nil` for all. Teachers see all scores.
    public let shownTo: Set<UUID>?
    /// The path of the page where the scores of the grade item are entered.
    public let path: String

    public init(
        id: UUID, title: String, category: GradeCategory, maximum: Hundredths, dueDay: Day?,
        marks: [UUID: Hundredths], shownTo: Set<UUID>? = nil,
        path: String
    ) {
        self.id = id
        self.title = title
        self.category = category
        self.maximum = maximum
        self.dueDay = dueDay
        self.marks = marks
        self.shownTo = shownTo
        self.path = path
    }

    /// Whether a student may see the grade item and their own score.
    public func isShown(to studentId: UUID) -> Bool { shownTo?.contains(studentId) ?? true }
}

/// The category of a grade item. Each has a weight in the grade of a course.
public enum GradeCategory: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
    case assignments, quizzes, participation, midterm
    case `final`
}
