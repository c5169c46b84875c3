public import ClassroomInterface
public import Domain
public import FeatureKit
public import Foundation

/// Reads the contacts, attendance and stays of the children of a class from the school's database, for other feature
/// blocks.
public struct SQLClassRecord: ClassRecord, ClassroomStays {
    public init() {}

    public func contacts(of studentIds: [UUID], in sql: any SQLReading) throws -> [UUID: [FamilyContact]] {
        try ContactRepository.contacts(of: studentIds, in: sql).mapValues { contacts in
            contacts.map { FamilyContact(fullName: $0.fullName, email: $0.email, phone: $0.phone) }
        }
    }

    public func attendance(
        of studentIds: [UUID], from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [UUID: [Day: Bool]] {
        try AttendanceRepository.marks(of: studentIds, from: first, through: last, in: sql).reduce(into: [:]) {
            $0[$1.studentId, default: [:]][$1.day] = $1.status == .present
        }
    }

    public func register(
        of classroomId: UUID, orgId: UUID, from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [RegisterLine] {
        let here = Dictionary(
            grouping: try StayRepository.stays(inClassroom: classroomId, from: first, through: last, in: sql),
            by: \.studentId)
        let ids = Array(here.keys)
        let all = Dictionary(grouping: try StayRepository.stays(ofStudents: ids, in: sql), by: \.studentId)
        let marks = Dictionary(
            grouping: try AttendanceRepository.marks(of: ids, from: first, through: last, in: sql), by: \.studentId)
        return try StudentRepository.students(ids, orgId: orgId, in: sql).map { student in
            let counted = marks[student.id, default: []].filter {
                $0.counts(in: classroomId, all[student.id, default: []])
            }
            return RegisterLine(
                student: student, stays: here[student.id, default: []],
                marks: counted.reduce(into: [:]) { $0[$1.day] = $1.status == .present })
        }
    }

    // MARK: - ClassroomStays

    public func stays(
        inClassroom classroomId: UUID, from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [ClassroomStay] {
        try StayRepository.stays(inClassroom: classroomId, from: first, through: last, in: sql)
    }

    public func stays(ofStudents ids: [UUID], in sql: any SQLReading) throws -> [UUID: [ClassroomStay]] {
        Dictionary(grouping: try StayRepository.stays(ofStudents: ids, in: sql), by: \.studentId)
    }
}

extension AttendanceMark {
    /// Whether the mark counts in a classroom: the student belonged to it that day, and did not move that day
    /// between it and the classroom of the mark. The mark of a student in two classrooms counts in both.
    /// - Parameter stays: all stays of the student.
    func counts(in classroomId: UUID, _ stays: [ClassroomStay]) -> Bool {
        let here = stays.filter { $0.classroomId == classroomId && $0.contains(day) }
        guard !here.isEmpty else { return false }
        guard let place = self.classroomId, place != classroomId else { return true }
        return !stays.contains { there in
            there.classroomId == place
                && here.contains { here in
                    (here.firstDay == day && there.lastDay == day) || (here.lastDay == day && there.firstDay == day)
                }
        }
    }
}
