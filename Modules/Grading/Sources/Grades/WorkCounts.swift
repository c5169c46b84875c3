public import CoursesInterface
import Domain
public import FeatureKit
public import Foundation
public import GradingInterface

/// Counts graded work in the database, without reading the scores themselves.
extension SQLGradeService: WorkRecord {
    public func workDone(by studentId: UUID, in sql: any SQLReading) throws -> Int {
        let own: Int = try sql.value(WorkCounts.query(for: studentId)) ?? 0
        guard !reader.sources.isEmpty else { return own }
        let courseIds = try roster.courseIds(ofStudent: studentId, in: sql)
        return try reader.sources.reduce(own) { sum, source in
            try sum
                + source.items(of: Array(courseIds), for: studentId, in: sql).values.joined()
                .count { $0.marks[studentId] != nil && $0.isShown(to: studentId) }
        }
    }

    public func workDone(inCourse courseId: UUID, _ sql: any SQLReading) throws -> [UUID: Int] {
        var all: [UUID: Int] = [:]
        for row in try sql.rows(WorkCounts.query(ofCourse: courseId)) {
            all[try row.get("student_id")] = try row.get("done")
        }
        for source in reader.sources {
            for item in try source.items(of: courseId, in: sql) {
                for studentId in item.marks.keys where item.isShown(to: studentId) {
                    all[studentId, default: 0] += 1
                }
            }
        }
        return all
    }
}

extension SQLGradeService {
    public func handedIn(by studentId: UUID, in sql: any SQLReading) throws -> [Date] {
        try reader.sources.flatMap { try $0.handedIn(by: studentId, in: sql) }
    }
}

extension SQLGradeService: CourseRecords {
    public func hasRecords(
        of studentId: UUID, in courseId: UUID, seenByStudent isReleased: Bool, _ sql: any SQLReading
    ) throws -> Bool {
        try GradingRepository.courseIds(markedForStudent: studentId, isReleased: isReleased, in: sql)
            .contains(courseId)
    }
}

/// The queries that count graded work.
enum WorkCounts {
    static func query(for studentId: UUID) -> SQL {
        """
        SELECT COUNT(*) FROM grading_marks m JOIN grading_items i ON i.id = m.item_id
        WHERE m.student_id = \(studentId) AND \(isDone)
        """
    }

    static func query(ofCourse courseId: UUID) -> SQL {
        """
        SELECT m.student_id, COUNT(*) AS done FROM grading_items i JOIN grading_marks m ON m.item_id = i.id
        WHERE i.course_id = \(courseId) AND \(isDone) GROUP BY m.student_id
        """
    }

    private static let isDone: SQL = """
        i.released_at IS NOT NULL AND m.points IS NOT NULL
            AND m.state NOT IN (\(GradeEntry.State.missing), \(GradeEntry.State.excused))
        """
}
