public import Domain
public import FeatureKit
public import Foundation

/// The days from the first to the last on which a student belongs to a classroom.
public struct ClassroomStay: Codable, Sendable, Hashable {
    public let studentId: UUID
    public let classroomId: UUID
    /// The first day of the stay; `nil` for a student who was in the classroom before stays were recorded.
    public let firstDay: Day?
    /// The last day of the stay, in the past or today; `nil` while the student is in the classroom.
    public let lastDay: Day?

    public init(studentId: UUID, classroomId: UUID, firstDay: Day?, lastDay: Day?) {
        self.studentId = studentId
        self.classroomId = classroomId
        self.firstDay = firstDay
        self.lastDay = lastDay
    }

    /// Whether a day is within the stay.
    public func contains(_ day: Day) -> Bool {
        (firstDay.map { $0 <= day } ?? true) && (lastDay.map { day <= $0 } ?? true)
    }
}

/// The stays of students in classrooms.
///
/// All calls run in the caller's database transaction. The caller must check whether the member may see the classroom
/// or the students.
public protocol ClassroomStays: Sendable {
    /// Returns the stays in a classroom that include at least one day between two days, both included.
    func stays(
        inClassroom classroomId: UUID, from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [ClassroomStay]
    /// Returns all stays of these students by student, earliest first.
    func stays(ofStudents ids: [UUID], in sql: any SQLReading) throws -> [UUID: [ClassroomStay]]
}

/// A student of a classroom with the attendance marks of some days.
public struct RegisterLine: Sendable, Hashable {
    public let student: Student
    /// The student's stays in this classroom that include one of the days.
    public let stays: [ClassroomStay]
    /// The attendance marks that count in this classroom and not in another one, by day; `true` for present.
    public let marks: [Day: Bool]

    public init(student: Student, stays: [ClassroomStay], marks: [Day: Bool]) {
        self.student = student
        self.stays = stays
        self.marks = marks
    }

    /// Whether the student belonged to the classroom on a day.
    public func belongs(on day: Day) -> Bool { stays.contains { $0.contains(day) } }
}
