import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Courses

@Suite("Lessons as text")
struct LessonTextTests {
    @Test("a lesson shows its structure, and its form says how to write it, in both languages")
    func shown() async throws {
        let house = try await CoursesHouse()
        let course = try await house.course()
        let lesson = try await house.lesson("One", in: try await house.module(in: course))
        try await house.school.execute(
            UpdateLesson.self,
            ["lessonId": .id(lesson.id), "version": .number(1), "title": "One", "content": "It is **strong**."],
            as: house.teacher)
        let path = LessonScreens.path(lesson)
        #expect(try await house.outline(path, as: house.teacher).contains("It is *strong*."))
        #expect(try await house.outline(path, as: house.teacher).contains("A draft"))
        for (language, tip) in [(Language.english, "Markdown works"), (.french, "Le Markdown est compris")] {
            let answer = try await house.school.house.screen("\(path)/edit", as: house.teacher, language: language)
            guard case .screen(let screen) = answer, case .form(let form)? = screen.body.first else {
                Issue.record("no form")
                return
            }
            #expect(form.fields.first { $0.name == "content" }?.hint?.contains(tip) == true)
        }
    }

    @Test("a picture that the text names and the lesson does not have is told to the teacher alone")
    func missingPictures() async throws {
        let house = try await CoursesHouse()
        let course = try await house.course()
        house.circle.enrol(house.mia, in: course)
        let lesson: Lesson = try await house.school.execute(
            AddLesson.self,
            [
                "moduleId": .id(try await house.module(in: course).id), "title": "One", "published": .bool(true),
                "content": "![The sea](sea.png) and ![the shore](shore.JPG), ![sea](sea.png)",
            ], as: house.teacher)
        let path = LessonScreens.path(lesson)
        let page = try await house.outline(path, as: house.teacher)
        #expect(page.contains("2 pictures are missing") && page.contains("sea.png, shore.JPG"))
        #expect(try await !house.outline(path, as: house.mia).contains("missing"))
    }

    @Test("a lesson is found by its title and its words, not by its markup", .requirement("WW-14.03.e"))
    func found() async throws {
        let house = try await CoursesHouse()
        let course = try await house.course()
        let module = try await house.module(in: course)
        let lesson: Lesson = try await house.school.execute(
            AddLesson.self, ["moduleId": .id(module.id), "title": "One", "content": "Wa**ter** flows."],
            as: house.teacher)
        let source = try #require(house.feature.pages.searchSources.first { $0.category == "lessons" })
        let membership = try #require(house.teacher.membership)
        let documents = try await house.school.database.read { sql in
            try source.documents([lesson.id], membership.organization.id, sql)
        }
        #expect(documents.map(\.title) == ["One"])
        #expect(documents.map(\.text) == ["Water flows."])
    }
}
