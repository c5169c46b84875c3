import CoursesInterface
import CoursesTesting
import Domain
import FeatureKit
import Foundation
import GradingInterface
import TestKit
import Testing

@testable import Grading

@Suite("How much work was done")
struct WorkCountTests {
    private let service = SQLGradeService(courses: TestCourses(), roster: TestCourses())

    @Test(
        "what was handed in, marked and released counts, however good; what is missing, excused or hidden does not")
    func counts() async throws {
        let house = try await GradingHouse()
        let (essay, quiz) = (try await house.item(), try await house.item("Quiz", .quizzes))
        let (hidden, final) = (
            try await house.item("Secret", released: false), try await house.item("Final", .final)
        )
        try await house.mark(house.mia, "19", essay)
        try await house.mark(house.mia, "0", quiz)
        try await house.mark(house.mia, "20", hidden)
        try await house.mark(house.mia, "missing", final)
        try await house.mark(house.noah, "excused", essay)
        try await house.mark(house.noah, "3", quiz)
        let (mia, noah) = (GradingHouse.id(house.mia), GradingHouse.id(house.noah))
        let (all, own, other) = try await house.school.database.read { sql in
            (
                try service.workDone(inCourse: house.course.id, sql), try service.workDone(by: mia, in: sql),
                try service.workDone(by: noah, in: sql)
            )
        }
        #expect(all == [mia: 2, noah: 1])
        #expect(own == 2 && other == 1)
    }

    @Test("counting reads no table in whole")
    func usesIndexes() async throws {
        let house = try await GradingHouse()
        try await house.school.expectIndexed(WorkCounts.query(ofStudent: UUID()))
        try await house.school.expectIndexed(WorkCounts.query(ofCourse: house.course.id))
    }
}
