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
    /// What is looked at in a course; small, so that two thousand of them are passed in a moment.
    private struct Traits: Sendable {
        let subject: String
        let gradeLevel: String?
        let teacherIds: [UUID]
        let weekdays: Set<Int>
        /// Name, subject and description, folded.
        let text: [UInt8]
    }
    /// By subject and name.
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

    /// The places of the courses that fit. Every word must stand somewhere in the name or the description.
    func places(_ filter: CatalogueFilter) -> [Int] {
        let words = NameFolding.fold(filter.words).split(separator: " ").map { Array($0.utf8) }
        let day = filter.weekday?.daysSinceMonday
        return traits.indices.filter { place in
            (filter.subject.map { $0 == traits[place].subject } ?? true)
                && (filter.gradeLevel.map { $0 == traits[place].gradeLevel } ?? true)
                && (filter.teacherId.map { traits[place].teacherIds.contains($0) } ?? true)
                && (day.map { traits[place].weekdays.contains($0) } ?? true)
                && words.allSatisfy { Self.stands($0, in: traits[place].text) }
        }
    }

    /// Whether some bytes stand in others. UTF-8 has no character that begins within another.
    private static func stands(_ word: [UInt8], in text: [UInt8]) -> Bool {
        guard let first = word.first, word.count <= text.count else { return word.isEmpty }
        return text.withUnsafeBufferPointer { text in
            word.withUnsafeBufferPointer { word in
                (0...text.count - word.count).contains { start in
                    text[start] == first && (1..<word.count).allSatisfy { text[start + $0] == word[$0] }
                }
            }
        }
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
