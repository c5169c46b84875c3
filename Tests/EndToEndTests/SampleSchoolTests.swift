import Domain
import FeatureKit
import Foundation
import Persistence
import ServerApp
import TestKit
import Testing

@Suite("The sample school")
struct SampleSchoolTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Minutes after midnight of an instant that is stored as milliseconds, in the sample school's time zone (UTC).
    private func minutes(_ milliseconds: Int) -> Int { milliseconds / 60_000 % 1440 }

    @Test(
        "the sample school has weeks of ordered records in school hours, none in the future",
        arguments: ["2026-11-25T10:40:00Z", "2026-11-25T02:15:00Z", "2026-11-29T12:00:00Z", "2028-03-01T23:59:00Z"])
    func history(_ end: String) async throws {
        let now = try Date(end, strategy: .iso8601)
        let settings = Tower.settings(in: folder)
        _ = try await fillDemoSchool(settings, at: now)
        let composition = try await ServerComposition.build(settings)
        let id = try #require(try await composition.schools.all().first)
        try await composition.schools.school(id).read { sql in
            let times: [Int] = try sql.rows("SELECT at FROM change_log ORDER BY seq").map { try $0.get("at") }
            #expect(times.count > 500)
            #expect(times == times.sorted())
            #expect(Double(times.last ?? 0) <= now.timeIntervalSince1970 * 1000)

            let marks = try sql.rows("SELECT DISTINCT day, marked_at FROM attendance_marks")
            let days = Set(try marks.map { try $0.get("day") as Day })
            #expect((20...21).contains(days.count))
            #expect(days.allSatisfy { (0..<5).contains(($0.number + 3) % 7) }, "Mondays to Fridays")
            let today = Day(now, in: .gmt)
            for mark in marks where try mark.get("day") as Day != today {
                #expect((510..<540).contains(minutes(try mark.get("marked_at"))), "8:30 to 9:00")
            }
            for (column, table, least): (SQL, SQL, Int) in [
                ("created_at", "observations", 10), ("completed_at", "student_work", 8),
                ("created_at", "habit_logs", 10), ("sent_at", "messages", 6), ("changed_at", "grading_marks", 4),
            ] {
                let days: Int? = try sql.value("SELECT COUNT(DISTINCT \(column) / 86400000) FROM \(table)")
                #expect((days ?? 0) >= least, "\(table)")
            }
        }
        try await composition.close()
    }
}
