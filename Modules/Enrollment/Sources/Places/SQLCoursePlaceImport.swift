import ClassroomInterface
public import CoursesInterface
public import Domain
public import EnrollmentInterface
public import FeatureKit
public import Foundation

/// Imports the enrollments of another system. Capacity applies as for a teacher who adds students.
public struct SQLCoursePlaceImport: CoursePlaceImporting {
    private let courses: any CourseService

    /// Creates the import with the service that reads courses.
    public init(courses: any CourseService) { self.courses = courses }

    public let tables: Set<String> = ["enrollments"]

    public func places(in sql: any SQLReading) throws -> [CoursePlace: Day] {
        try sql.rows("SELECT course_id, student_id, since FROM enrollments").reduce(into: [:]) { all, row in
            let place = try CoursePlace(courseId: row.get("course_id"), personId: row.get("student_id"))
            all[place] = Day(try row.get("since"), in: .gmt)
        }
    }

    public func add(
        _ places: [CoursePlace], firstDays: [CoursePlace: Day], at instant: Date, in sql: any SQLWriting
    ) throws {
        let courses = try courses.courses(Set(places.map(\.courseId)), in: sql)
        let byCourse = Dictionary(grouping: places, by: \.courseId)
        for (id, course) in courses.sorted(by: { $0.key.uuidString < $1.key.uuidString }) {
            var counts = try EnrollmentRepository.placeCounts(of: [id], in: sql)[id] ?? PlaceCounts()
            for place in byCourse[id] ?? [] {
                let state = Admissions.arrival(at: course, counts, isByLeader: true)
                _ = try EnrollmentRepository.insert(
                    place.personId, in: id, state, at: firstDays[place].map(Self.noon) ?? instant, sql)
                switch state {
                case .enrolled: counts.enrolled += 1
                case .pending: counts.pending += 1
                case .waitlisted: counts.waiting += 1
                }
            }
        }
    }

    /// Noon in UTC, which lies on the same day in nearly all time zones.
    private static func noon(of day: Day) -> Date { day.start(in: .gmt).addingTimeInterval(12 * 3600) }

    public func remove(_ places: [CoursePlace], in sql: any SQLWriting) throws {
        try EnrollmentRepository.delete(places, in: sql)
    }
}
