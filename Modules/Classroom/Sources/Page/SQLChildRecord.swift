public import ClassroomInterface
public import FeatureKit
public import Foundation

/// Reads a child's observations and open lessons from the school's database for other feature blocks, and plans lessons
/// and tasks.
public struct SQLChildRecord: ChildRecord {
    public init() {}

    public func evidence(
        of studentId: UUID, materials: Set<UUID>, timeZone: TimeZone, in sql: any SQLReading
    ) throws -> [UUID: [Evidence]] {
        try ObservationRepository.evidence(of: studentId, materials: materials, timeZone: timeZone, in: sql)
    }

    public func openLessons(of studentId: UUID, in sql: any SQLReading) throws -> Set<String> {
        try WorkRepository.openTitles(of: studentId, .lesson, in: sql)
    }

    public func plan(
        lesson title: String, details: String?, for studentId: UUID, in context: inout CommandContext
    ) throws {
        _ = try WorkService.create(
            .lesson, WorkDraft(title: title, details: details), of: studentId, in: &context)
    }

    public func plan(
        task title: String, details: String?, for studentId: UUID, in context: inout CommandContext
    ) throws {
        _ = try WorkService.create(.task, WorkDraft(title: title, details: details), of: studentId, in: &context)
    }
}
