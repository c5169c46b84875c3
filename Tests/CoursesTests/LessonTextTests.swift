import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Courses

@Suite("The text of lessons")
struct LessonTextTests {
    @Test("a lesson shows its structure, and its form explains the syntax in both languages")
    func shown() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        let lesson = try await fixture.lesson("One", in: try await fixture.module(in: course))
        try await fixture.school.execute(
            UpdateLesson.self,
            ["lessonId": .id(lesson.id), "version": .number(1), "title": "One", "content": "It is **strong**."],
            as: fixture.teacher)
        let path = LessonScreens.path(lesson)
        #expect(try await fixture.outline(path, as: fixture.teacher).contains("It is *strong*."))
        #expect(try await fixture.outline(path, as: fixture.teacher).contains("Draft: students"))
        for (language, tip) in [(Language.english, "Markdown:"), (.french, "Markdown")] {
            let answer = try await fixture.school.environment.screen(
                "\(path)/edit", as: fixture.teacher, language: language)
            guard case .screen(let screen) = answer, case .form(let form)? = screen.body.first else {
                Issue.record("no form")
                return
            }
            #expect(form.fields.first { $0.name == "content" }?.hint?.contains(tip) == true)
        }
    }

    @Test("only teachers see a warning about pictures that the text names and the lesson does not have")
    func missingPictures() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        fixture.circle.enrol(fixture.mia, in: course)
        let lesson: Lesson = try await fixture.school.execute(
            AddLesson.self,
            [
                "moduleId": .id(try await fixture.module(in: course).id), "title": "One", "published": .bool(true),
                "content": "![The sea](sea.png) and ![the shore](shore.JPG), ![sea](sea.png)",
            ], as: fixture.teacher)
        let path = LessonScreens.path(lesson)
        let page = try await fixture.outline(path, as: fixture.teacher)
        #expect(page.contains("2 pictures are missing") && page.contains("sea.png, shore.JPG"))
        #expect(try await !fixture.outline(path, as: fixture.mia).contains("missing"))
    }

    @Test("a lesson is found by its title and its words but not by its markup", .requirement("WW-14.03.e"))
    func found() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        let module = try await fixture.module(in: course)
        let lesson: Lesson = try await fixture.school.execute(
            AddLesson.self, ["moduleId": .id(module.id), "title": "One", "content": "Wa**ter** flows."],
            as: fixture.teacher)
        let source = try #require(fixture.feature.pages.searchSources.first { $0.category == "lessons" })
        let membership = try #require(fixture.teacher.membership)
        let documents = try await fixture.school.database.read { sql in
            try source.documents([lesson.id], membership.organization.id, sql)
        }
        #expect(documents.map(\.title) == ["One"])
        #expect(documents.map(\.text) == ["Water flows."])
    }
}
