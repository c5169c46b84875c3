public import Domain
public import FeatureKit
public import Foundation

/// Where a student stands in a course, as far as the marks that count and were released say.
public struct CourseGrade: Codable, Sendable, Hashable {
    public let courseId: UUID
    /// The weighted percentage by the school's rounding rule, as it is shown; the letter follows from it. Above 100
    /// with extra credit.
    public let shown: Hundredths
    /// `B+`, by the school's scale.
    public let letter: String
    public let color: GradeColor

    public init(courseId: UUID, shown: Hundredths, letter: String, color: GradeColor) {
        self.courseId = courseId
        self.shown = shown
        self.letter = letter
        self.color = color
    }
}

/// How a grade is coloured; colour never stands alone.
public enum GradeColor: String, Codable, Sendable, Hashable, CaseIterable {
    case green, yellow, orange, red
}

/// A grade point average over courses; rounded once, half up, to the two places that are shown.
public struct GradePointAverage: Codable, Sendable, Hashable {
    /// Every course counts the same; 0 to 4.
    public let unweighted: Hundredths
    /// Every course counts by its credits; 0 to 4. `nil` where no course is worth any.
    public let creditWeighted: Hundredths?
    /// How many courses it is made of.
    public let courseCount: Int

    public init(unweighted: Hundredths, creditWeighted: Hundredths?, courseCount: Int) {
        self.unweighted = unweighted
        self.creditWeighted = creditWeighted
        self.courseCount = courseCount
    }
}

extension GradePointAverage {
    /// With two places: "3.67", "3,67".
    public func shown(_ words: Words) -> String { unweighted.shown(words, places: 2) }

    /// The same of the average by credits.
    public func shownByCredits(_ words: Words) -> String? { creditWeighted?.shown(words, places: 2) }
}

extension Hundredths {
    /// As a person of this language reads it: "8.5", "8,5". A negative number has a minus sign, not a hyphen.
    public func shown(_ words: Words, places: Int = 0) -> String {
        let text = text(places: places).replacing("-", with: "\u{2212}")
        return words.language == .french ? text.replacing(".", with: ",") : text
    }
}

/// Grades, for other blocks; inside the caller's own transaction. Only what was released to the student.
public protocol GradeService: Sendable {
    /// Where a student stands in each of these courses; those without a mark are left out.
    func grades(
        for studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: CourseGrade]
    /// What a student was to do in each of these courses, as far as its marks were released, in the order of the items.
    func work(
        for studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: [GradedWork]]
    /// The average over all courses of a student; `nil` without any mark.
    func gradePointAverage(for studentId: UUID, in sql: any SQLReading) throws -> GradePointAverage?
}

/// One thing that a student was to do, and whether they did.
public struct GradedWork: Sendable, Hashable {
    public let category: GradeCategory
    public let dueDay: Day?
    /// Whether it was handed in and marked.
    public let isDone: Bool

    public init(category: GradeCategory, dueDay: Day?, isDone: Bool) {
        self.category = category
        self.dueDay = dueDay
        self.isDone = isDone
    }
}

/// The topics of pages that show grades.
public enum GradeTopic {
    /// The school's scale.
    public static let scale = "grades.scale"
    /// One student's released grades.
    public static func student(_ id: UUID) -> String { "grades:\(id.text)" }
}

/// What another block has marked (assignments, quizzes), for the gradebook.
public protocol GradedItemSource: Sendable {
    /// The items of a course with their marks.
    func items(of courseId: UUID, in sql: any SQLReading) throws -> [GradedItem]
}

/// Something that students of a course get marks for, from another block.
public struct GradedItem: Identifiable, Codable, Sendable, Hashable {
    public let id: UUID
    public let title: String
    public let category: GradeCategory
    /// The full mark.
    public let maximum: Hundredths
    public let dueDay: Day?
    /// The marks by student; those who have none are left out.
    public let marks: [UUID: Hundredths]
    /// The page where it is marked.
    public let path: String

    public init(
        id: UUID, title: String, category: GradeCategory, maximum: Hundredths, dueDay: Day?,
        marks: [UUID: Hundredths],
        path: String
    ) {
        self.id = id
        self.title = title
        self.category = category
        self.maximum = maximum
        self.dueDay = dueDay
        self.marks = marks
        self.path = path
    }
}

/// What kind of work a mark is for; each has its weight in a course's grade.
public enum GradeCategory: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
    case assignments, quizzes, participation, midterm
    case `final`
}
