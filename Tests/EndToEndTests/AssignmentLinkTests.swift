import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@Suite("Links to assignments")
struct AssignmentLinkTests {
    @Test(
        "assignment:{uuid} opens the assignment, and wolfwhale://assignments the list", .requirement("WW-1.14.b"))
    func links() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let student = try await tower.student(of: sample)
            for (link, path) in [
                ("assignment:\(sample.assignmentId)", "/assignments/\(sample.assignmentId)"),
                ("wolfwhale://assignment/\(sample.assignmentId)", "/assignments/\(sample.assignmentId)"),
                ("wolfwhale://assignments", "/assignments"),
                // A grade item of the gradebook still opens the gradebook.
                ("assignment:\(sample.gradedItemId)", "/courses/\(sample.courseId)/grades"),
            ] {
                let escaped = link.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let answer = try await tower.page("/open?link=\(escaped)", as: student.browser)
                #expect(answer.headers[.location]?.lowercased() == path.lowercased(), "\(link)")
            }
            let page = try await tower.page("/assignments/\(sample.assignmentId)", as: student.browser)
            #expect(page.text.contains("Reading log"))
        }
    }
}
