import CoursesInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import Synchronization

/// A day of the week on which courses meet.
enum Weekday: String, Codable, Sendable, Hashable, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// The index that `Day.daysSinceMonday` and `CoursePeriod.weekday` use.
    var daysSinceMonday: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    /// A day with this weekday, to format its name.
    var sample: Day { CoursePeriod.day(ofWeekday: daysSinceMonday) }
}

/// The filters of the catalog.
struct CatalogFilter: Sendable, Hashable {
    /// Words that the name or description must contain.
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

    /// Reads the filters of a request.
    init(_ fields: inout FieldReader) {
        words = fields.optionalText("q", max: 200) ?? ""
        subject = fields.optionalText("subject")
        gradeLevel = fields.optionalText("gradeLevel")
        teacherId = fields.optionalId("teacherId")
        weekday = fields.optionalChoice("weekday")
    }

    var isEmpty: Bool { self == CatalogFilter() }
}

/// The courses that a school offers, prepared for filtering.
struct CourseCatalog: Sendable {
    /// The filtered values of a course, compact so that two thousand courses are searched quickly.
    private struct Traits: Sendable {
        let subject: String
        let gradeLevel: String?
        let teacherIds: [UUID]
        let weekdays: Set<Int>
        /// The folded name, subject and description in UTF-8.
        let text: [UInt8]
    }
    /// The courses by subject and name.
    let courses: [Course]
    private let traits: [Traits]
    let subjects: [String]
    let gradeLevels: [String]
    let teacherIds: [UUID]

    init(_ courses: [Course]) {
        self.courses = courses
        traits = courses.map { course in
            Traits(
                subject: course.subject, gradeLevel: course.gradeLevel, teacherIds: course.teacherIds,
                weekdays: Set(course.periods.map(\.weekday)),
                text: Array(
                    NameFolding.fold([course.name, course.subject, course.details ?? ""].joined(separator: " "))
                        .utf8))
        }
        subjects = Self.each(courses.map(\.subject))
        gradeLevels = Self.each(courses.compactMap(\.gradeLevel))
        var seen: Set<UUID> = []
        teacherIds = courses.flatMap(\.teacherIds).filter { seen.insert($0).inserted }
    }

    /// The indices of the matching courses. Every word must occur in the name, subject or description.
    func places(_ filter: CatalogFilter) -> [Int] {
        let words = NameFolding.fold(filter.words).split(separator: " ").map { Array($0.utf8) }
        let day = filter.weekday?.daysSinceMonday
        return traits.indices.filter { place in
            (filter.subject.map { $0 == traits[place].subject } ?? true)
                && (filter.gradeLevel.map { $0 == traits[place].gradeLevel } ?? true)
                && (filter.teacherId.map { traits[place].teacherIds.contains($0) } ?? true)
                && (day.map { traits[place].weekdays.contains($0) } ?? true)
                && words.allSatisfy { Self.contains($0, in: traits[place].text) }
        }
    }

    /// Whether `text` contains `word`. No UTF-8 character begins within another, so bytes can be compared.
    private static func contains(_ word: [UInt8], in text: [UInt8]) -> Bool {
        guard let first = word.first, word.count <= text.count else { return word.isEmpty }
        return text.withUnsafeBufferPointer { text in
            word.withUnsafeBufferPointer { word in
                (0...text.count - word.count).contains { start in
                    text[start] == first && (1..<word.count).allSatisfy { text[start + $0] == word[$0] }
                }
            }
        }
    }

    /// The distinct texts in localized order.
    private static func each(_ texts: [String]) -> [String] {
        Set(texts).sorted { $0.localizedStandardCompare($1) == .orderedAscending }
    }
}

/// Caches the catalogs of schools until their courses change.
final class CatalogCache: Sendable {
    /// The most cached catalogs, more than the schools that are used in an hour.
    private static let limit = 200
    private struct Entry {
        let day: Day
        let version: Int64
        let catalog: CourseCatalog
    }

    private let courses: any CourseService
    private let entries = Mutex<[UUID: Entry]>([:])

    init(courses: any CourseService) { self.courses = courses }

    /// The catalog of a school on a day.
    func catalog(of orgId: UUID, on day: Day, in sql: any SQLReading) throws -> CourseCatalog {
        let version = try courses.version(in: sql)
        if let known = entries.withLock({ $0[orgId] }), known.day == day, known.version == version {
            return known.catalog
        }
        let catalog = CourseCatalog(try courses.offered(on: day, in: sql))
        entries.withLock { entries in
            if entries.count >= Self.limit { entries.removeAll() }
            entries[orgId] = Entry(day: day, version: version, catalog: catalog)
        }
        return catalog
    }
}
