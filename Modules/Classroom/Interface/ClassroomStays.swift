public import Domain
public import FeatureKit
public import Foundation

/// The days from the first to the last on which a student belongs to a classroom.
public struct ClassroomStay: Codable, Sendable, Hashable {
    public let studentId: UUID
    public let classroomId: UUID
    /// `nil` for a student who was in the classroom before stays were recorded.
    public let firstDay: Day?
    /// `nil` while the student is in the classroom; otherwise in the past or today.
    public let lastDay: Day?

    public init(studentId: UUID, classroomId: UUID, firstDay: Day?, lastDay: Day?) {
        self.studentId = studentId
        self.classroomId = classroomId
        self.firstDay = firstDay
        self.lastDay = lastDay
    }

    public func contains(_ day: Day) -> Bool {
        (firstDay.map { $0 <= day } ?? true) && (lastDay.map { day <= $0 } ?? true)
    }
}

/// Who belonged to which classroom on which day. All of it inside the caller's own transaction; whether the member may
/// see the classroom or the students is the caller's to ask.
public protocol ClassroomStays: Sendable {
    /// The stays in a classroom that contain at least one day between two days, both included.
    func stays(
        inClassroom classroomId: UUID, from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [ClassroomStay]
    /// All stays of these students, by student, the earliest first.
    func stays(ofStudents ids: [UUID], in sql: any SQLReading) throws -> [UUID: [ClassroomStay]]
}

/// A student of a classroom with the marks of some days.
public struct RegisterLine: Sendable, Hashable {
    public let student: Student
    /// The stays in this classroom that contain one of the days.
    public let stays: [ClassroomStay]
    /// Whether the student was present, for each day that was marked and counts in this classroom.
    public let marks: [Day: Bool]

    public init(student: Student, stays: [ClassroomStay], marks: [Day: Bool]) {
        self.student = student
        self.stays = stays
        self.marks = marks
    }

    /// Whether the student belonged to the classroom on a day.
    public func belongs(on day: Day) -> Bool { stays.contains { $0.contains(day) } }
}
