import ClassroomInterface
public import CoursesInterface
public import EnrollmentInterface
public import FeatureKit
public import Foundation

/// Places in courses that another system names, by the same rules of capacity as those that people ask for.
public struct SQLCoursePlaceImport: CoursePlaceImporting {
    private let courses: any CourseService

    public init(courses: any CourseService) { self.courses = courses }

    public let tables: Set<String> = ["enrollments"]

    public func places(in sql: any SQLReading) throws -> Set<CoursePlace> {
        Set(
            try sql.rows("SELECT course_id, student_id FROM enrollments").map {
                try CoursePlace(courseId: $0.get("course_id"), personId: $0.get("student_id"))
            })
    }

    public func add(_ places: [CoursePlace], at instant: Date, in sql: any SQLWriting) throws {
        let courses = try courses.courses(Set(places.map(\.courseId)), in: sql)
        let byCourse = Dictionary(grouping: places, by: \.courseId)
        for (id, course) in courses.sorted(by: { $0.key.uuidString < $1.key.uuidString }) {
            var seats = try EnrollmentRepository.seats(of: [id], in: sql)[id] ?? Seats()
            for place in byCourse[id] ?? [] {
                let state = Admissions.arrival(at: course, seats, isByLeader: true)
                _ = try EnrollmentRepository.insert(place.personId, in: id, state, at: instant, sql)
                switch state {
                case .enrolled: seats.enrolled += 1
                case .pending: seats.pending += 1
                case .waitlisted: seats.waiting += 1
                }
            }
        }
    }

    public func remove(_ places: [CoursePlace], in sql: any SQLWriting) throws {
        try EnrollmentRepository.delete(places, in: sql)
    }
}
