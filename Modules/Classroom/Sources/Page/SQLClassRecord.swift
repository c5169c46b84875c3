public import ClassroomInterface
public import Domain
public import FeatureKit
public import Foundation

/// What other blocks may put together about a class.
public struct SQLClassRecord: ClassRecord {
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
}
