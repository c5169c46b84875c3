import CoursesInterface
import CoursesTesting
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Enrollment

@Suite("The catalog")
struct CatalogTests {
    private func find(
        _ query: InputValue = [:], in fixture: EnrollmentFixture, as caller: Caller
    ) async throws -> [CatalogEntry] {
        try await fixture.school.answer(ListCatalog.self, query, as: caller).items
    }

    @Test(
        "the catalog is filtered by subject, grade level, teacher and day, and searched by name and description",
        .requirement("WW-7.02.a", "WW-7.02.b", "WW-7.01.a"))
    func filters() async throws {
        let fixture = try await EnrollmentFixture()
        let other = EnrollmentFixture.id(fixture.stranger)
        try await fixture.course("Algèbre") {
            $0.gradeLevel = "Grade 9"
            $0.periods = [CoursePeriod(weekday: 0, start: 540, end: 600)]
        }
        try await fixture.course("Painting") {
            $0.subject = "Arts"
            $0.details = "Colour, light and the École de Paris."
            $0.teacherIds = [other]
            $0.periods = [CoursePeriod(weekday: 3, start: 540, end: 600)]
        }
        try await fixture.course("Old", isArchived: true)
        let mia = try await fixture.student("Mia Roy")
        func names(_ query: InputValue) async throws -> [String] {
            try await find(query, in: fixture, as: mia).map(\.course.name)
        }
        #expect(try await names([:]) == ["Painting", "Algèbre"])
        #expect(try await names(["subject": "Arts"]) == ["Painting"])
        #expect(try await names(["gradeLevel": "Grade 9"]) == ["Algèbre"])
        #expect(try await names(["teacherId": .text(other.text)]) == ["Painting"])
        #expect(try await names(["weekday": "monday"]) == ["Algèbre"])
        #expect(try await names(["q": "algebre"]) == ["Algèbre"])
        #expect(try await names(["q": "ecole light"]) == ["Painting"])
        #expect(try await names(["q": "ecole algebre"]).isEmpty)
    }

    @Test(
        "a course in the catalog has its teachers, number of students, capacity and status",
        .requirement("WW-7.01.b", "WW-7.05.b"))
    func cards() async throws {
        let fixture = try await EnrollmentFixture()
        let course = try await fixture.course(capacity: 1)
        let (mia, noah) = (try await fixture.student("Mia Roy"), try await fixture.student("Noah Roy"))
        try await fixture.enroll(mia, in: course)
        try await fixture.enroll(noah, in: course)
        let entry = try #require(try await find(in: fixture, as: noah).first)
        #expect(entry.teachers == ["Tea Cher"])
        #expect((entry.enrolledCount, entry.course.capacity) == (1, 1))
        #expect((entry.status, entry.position) == (.waitlisted, 1))
        #expect(try await find(in: fixture, as: mia).first?.status == .enrolled)
        #expect(try await find(in: fixture, as: fixture.teacher).first?.status == nil)
    }

    @Test("a card of the catalog shows the course's name, schedule and description", .requirement("WW-7.01.c"))
    func page() async throws {
        let fixture = try await EnrollmentFixture()
        try await fixture.course("Algebra") {
            $0.details = "Letters for numbers."
            $0.periods = [CoursePeriod(weekday: 0, start: 540, end: 600)]
        }
        let page = try await fixture.school.environment.outline(
            CatalogScreens.path, as: fixture.student("Mia Roy"))
        #expect(page.contains("- Algebra · Mathematics"), "\(page)")
        #expect(page.contains("Tea Cher · Mon 9:00"), "\(page)")
        #expect(page.contains("Letters for numbers."), "\(page)")
    }

    @Test("the catalog is read page by page, and a new course appears in it")
    func portions() async throws {
        let fixture = try await EnrollmentFixture()
        let mia = try await fixture.student("Mia Roy")
        for number in 1...5 { try await fixture.course("Course \(number)") }
        let first = try await fixture.school.answer(ListCatalog.self, ["limit": "3"], as: mia)
        #expect(first.items.count == 3)
        let next = try #require(first.next)
        let rest = try await fixture.school.answer(
            ListCatalog.self, ["limit": "3", "after": .text(next)], as: mia)
        #expect(rest.items.map(\.course.name) == ["Course 4", "Course 5"])
        #expect(rest.next == nil)
        try await fixture.course("Course 6")
        #expect(try await find(in: fixture, as: mia).count == 6)
    }
}
