import CoursesInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import Synchronization

/// A day of the week on which courses meet.
enum Weekday: String, Codable, Sendable, Hashable, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// As `Day.daysSinceMonday` and `CoursePeriod.weekday` count.
    var daysSinceMonday: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    /// Some day that is one, for its name.
    var sample: Day { CoursePeriod.day(ofWeekday: daysSinceMonday) }
}

/// What narrows a catalogue.
struct CatalogueFilter: Sendable, Hashable {
    /// Words of the name or the description.
    var words = ""
    var subject: String?
    var gradeLevel: String?
    var teacherId: UUID?
    var weekday: Weekday?

    init(
        words: String = "", subject: String? = nil, gradeLevel: String? = nil, teacherId: UUID? = nil,
        weekday: Weekday? = nil
    ) {
        self.words = words
        self.subject = subject
        self.gradeLevel = gradeLevel
        self.teacherId = teacherId
        self.weekday = weekday
    }

    init(_ fields: inout FieldReader) {
        words = fields.optionalText("q", max: 200) ?? ""
        subject = fields.optionalText("subject")
        gradeLevel = fields.optionalText("gradeLevel")
        teacherId = fields.optionalId("teacherId")
        weekday = fields.optionalChoice("weekday")
    }

    var isEmpty: Bool { self == CatalogueFilter() }
}

/// The offered courses of a school, made ready to be filtered.
struct CourseCatalogue: Sendable {
    /// A course with what is searched in it.
    private struct Entry: Sendable {
        let course: Course
        let folded: String
    }
    private let entries: [Entry]
    let subjects: [String]
    let gradeLevels: [String]
    let teacherIds: [UUID]

    init(_ courses: [Course]) {
        entries = courses.map { course in
            Entry(
                course: course,
                folded: NameFolding.fold(
                    [course.name, course.subject, course.details ?? ""].joined(separator: " ")))
        }
        subjects = Self.each(courses.map(\.subject))
        gradeLevels = Self.each(courses.compactMap(\.gradeLevel))
        var seen: Set<UUID> = []
        teacherIds = courses.flatMap(\.teacherIds).filter { seen.insert($0).inserted }
    }

    /// The courses that fit, by subject and name. Every word must stand somewhere in the name or the description.
    func courses(_ filter: CatalogueFilter) -> [Course] {
        let words = NameFolding.fold(filter.words).split(separator: " ")
        return entries.filter { entry in
            let course = entry.course
            return (filter.subject.map { $0 == course.subject } ?? true)
                && (filter.gradeLevel.map { $0 == course.gradeLevel } ?? true)
                && (filter.teacherId.map(course.teacherIds.contains) ?? true)
                && (filter.weekday.map { day in course.periods.contains { $0.weekday == day.daysSinceMonday } }
                    ?? true)
                && words.allSatisfy { entry.folded.contains($0) }
        }.map(\.course)
    }

    /// Each text once, in the order of people.
    private static func each(_ texts: [String]) -> [String] {
        Set(texts).sorted { $0.localizedStandardCompare($1) == .orderedAscending }
    }
}

/// Keeps the catalogues of schools ready until their courses change.
final class CatalogueShelf: Sendable {
    /// More schools than are looked at in the same hour.
    private static let limit = 200
    private struct Kept {
        let day: Day
        let version: Int64
        let catalogue: CourseCatalogue
    }

    private let courses: any CourseService
    private let kept = Mutex<[UUID: Kept]>([:])

    init(courses: any CourseService) { self.courses = courses }

    func catalogue(of orgId: UUID, on day: Day, in sql: any SQLReading) throws -> CourseCatalogue {
        let version = try courses.version(in: sql)
        if let known = kept.withLock({ $0[orgId] }), known.day == day, known.version == version {
            return known.catalogue
        }
        let catalogue = CourseCatalogue(try courses.offered(on: day, in: sql))
        kept.withLock { kept in
            if kept.count >= Self.limit { kept.removeAll() }
            kept[orgId] = Kept(day: day, version: version, catalogue: catalogue)
        }
        return catalogue
    }
}
