import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import ShellInterface
import TestKit
import Testing

@testable import Courses

@Suite("Courses")
struct CoursesTests {
    @Test("a teacher creates a course with all its fields")
    func make() async throws {
        let fixture = try await CoursesFixture()
        let term: Term = try await fixture.school.execute(
            AddTerm.self, ["name": "Autumn", "firstDay": "2026-09-01", "lastDay": "2027-01-20"], as: fixture.admin)
        let course = try await fixture.course(
            "Algebra",
            [
                "gradeLevel": "Grade 9", "details": "Letters for numbers.",
                "schedule": "Mon 9-10 B12\nThu 13:30-14:30",
                "credits": "1.5", "capacity": .number(24), "admission": "approval", "dropDay": "2026-10-01",
                "termId": .id(term.id),
            ])
        #expect(course.teacherIds == [CoursesFixture.id(fixture.teacher)])
        #expect(course.periods.map(\.weekday) == [0, 3])
        #expect((course.credits, course.capacity, course.admission) == (150, 24, .approval))
        let read = try await fixture.school.answer(
            ReadCourse.self, ["courseId": .text(course.id.text)], as: fixture.teacher)
        #expect(read == course)
        let page = try await fixture.outline("/courses/\(course.id.text)", as: fixture.teacher)
        for text in ["Algebra", "Mathematics", "Grade 9", "Tea Cher", "Mon 9:00", "1.5", "Autumn"] {
            #expect(page.contains(text), "\(text) is on the page")
        }
        let french = try await fixture.outline("/courses/\(course.id.text)", as: fixture.teacher, language: .french)
        #expect(french.contains("1,5"))
    }

    @Test("all faults of the form are reported at once")
    func faults() async throws {
        let fixture = try await CoursesFixture()
        let problem = await problem {
            try await fixture.course(
                "",
                [
                    "subject": "", "schedule": "Mon 9-10\nNoday 1-2", "credits": "many", "capacity": .number(-3),
                    "dropDay": "soon", "admission": "maybe",
                ])
        }
        #expect(
            problem?.faults.map(\.field)
                == ["name", "subject", "schedule", "credits", "capacity", "admission", "dropDay"])
        #expect(problem?.faults.first { $0.field == "schedule" }?.arguments == [.number(2)])
        let unknown = await CoursesTests.problem {
            try await fixture.course("Algebra", ["termId": .id(UUID())])
        }
        #expect(unknown?.faults.map(\.field) == ["termId"])
        #expect(
            await CoursesTests.problem {
                try await fixture.school.execute(
                    AddTerm.self, ["name": "X", "firstDay": "2026-09-02", "lastDay": "2026-09-01"],
                    as: fixture.admin)
            }?.faults.map(\.field) == ["lastDay"])
    }

    static func problem(_ work: () async throws -> some Any) async -> Problem? {
        do {
            _ = try await work()
            return nil
        } catch {
            return error as? Problem
        }
    }
    private func problem(_ work: () async throws -> some Any) async -> Problem? { await Self.problem(work) }

    @Test("a guide can change her own courses and add teachers, but cannot remove herself")
    func leading() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        let (own, other) = (CoursesFixture.id(fixture.teacher), CoursesFixture.id(fixture.other))
        #expect(await problem { try await fixture.update(course, as: fixture.other, [:]) } == .notFound)
        #expect(await problem { try await fixture.update(course, as: fixture.mia, [:]) } == .notAllowed)
        let away = await problem { try await fixture.update(course, ["teacherIds": .ids([other])]) }
        #expect(away?.faults.map(\.code) == ["courses.ownCourse"])
        let nobody = await problem {
            try await fixture.update(course, ["teacherIds": .ids([own, CoursesFixture.id(fixture.mia)])])
        }
        #expect(nobody?.faults.map(\.code) == ["courses.unknownTeacher"])
        try await fixture.update(course, ["teacherIds": .ids([own, other])])
        #expect(try await fixture.update(course, as: fixture.other, ["name": "Algebra I"]).name == "Algebra I")
        #expect(
            try await fixture.update(course, as: fixture.admin, ["teacherIds": .ids([other])]).teacherIds == [other]
        )
        #expect(await problem { try await fixture.update(course, [:]) } == .notFound)
    }

    @Test("a course with a capacity of 0 accepts no students, and one without a capacity has no limit")
    func places() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        #expect(try await fixture.update(course, ["capacity": .number(0)]).capacity == 0)
        #expect(try await fixture.update(course, [:]).capacity == nil)
    }

    @Test("changing or archiving a course adjusts its enrollments")
    func fitting() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        try await fixture.update(course, ["capacity": .number(5)])
        try await fixture.update(course, ["capacity": .number(5)])
        try await fixture.archive(course)
        try await fixture.archive(course)
        #expect(fixture.circle.fitted.map(\.capacity) == [5, 5])
        #expect(fixture.circle.fitted.map(\.isArchived) == [false, true])
    }

    @Test("students of a course and their parents can open it, and others see only what is offered")
    func entering() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        let lesson = try await fixture.lesson("One", in: try await fixture.module(in: course))
        fixture.circle.enrol(fixture.mia, in: course)
        let stranger = try await fixture.person(.student, "Noah Other")
        let path = "/courses/\(course.id.text)"
        let inside = "\(path)/lessons/\(lesson.id.text)"
        for caller in [fixture.teacher, fixture.admin, fixture.mia, fixture.mother] {
            #expect(try await fixture.outline(path, as: caller).contains("One"))
            #expect(try await fixture.outline(inside, as: caller).contains("Second."))
            #expect(try await fixture.names(as: caller) == ["Algebra"])
        }
        for caller in [stranger, fixture.other] {
            let page = try await fixture.outline(path, as: caller)
            #expect(page.contains("Mathematics") && !page.contains("One"))
            #expect(await problem { try await fixture.outline(inside, as: caller) } == .notFound)
            #expect(await problem { try await fixture.lessons(of: course, as: caller) } == .notFound)
            #expect(try await fixture.names(as: caller).isEmpty)
        }
        try await fixture.archive(course)
        #expect(await problem { try await fixture.outline(path, as: stranger) } == .notFound)
        #expect(try await fixture.outline(path, as: fixture.mia).contains("This course is archived."))
    }

    @Test("a course's page begins with the child who is in it, and the list names the child if there are several")
    func siblings() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        let (father, leo) = (
            try await fixture.person(.parent, "Tom Roy"), try await fixture.person(.student, "Leo Roy")
        )
        for child in [leo, fixture.mia] {
            fixture.circle.setParent(CoursesFixture.id(father), of: CoursesFixture.id(child))
        }
        fixture.circle.enrol(fixture.mia, in: course)
        #expect(try await fixture.outline("/courses", as: father).contains("Algebra · Mia Roy · Mathematics"))
        #expect(try await !fixture.outline("/courses", as: fixture.mother).contains("Mia Roy"))
        let page = "/courses/\(course.id.text)"
        #expect(try await fixture.outline(page, as: father).contains("Leo Roy | *Mia Roy*"))
        let chosen = ["student": CoursesFixture.id(leo).text]
        #expect(try await fixture.outline(page, as: father, query: chosen).contains("*Leo Roy* | Mia Roy"))
    }

    @Test(
        "the list of courses is searched by name, subject, grade level and teacher", arguments: Language.allCases)
    func search(language: Language) async throws {
        let fixture = try await CoursesFixture()
        try await fixture.course()
        try await fixture.course("Botany", ["subject": "Science", "gradeLevel": "Grade 4"])
        try await fixture.archive(try await fixture.course("Old Botany"))
        let words = Words(language, [fixture.feature.catalog])
        func names(_ query: String, as caller: Caller? = nil) async throws -> [String] {
            try await fixture.school.environment.page(
                "/courses", as: caller ?? fixture.teacher, query: ["q": query], language: language
            ).cells.map(\.title)
        }
        #expect(try await names("") == ["Algebra", "Botany", "Old Botany"])
        #expect(try await names("ALG math") == ["Algebra"])
        #expect(try await names("botan") == ["Botany", "Old Botany"])
        #expect(try await names("grade 4") == ["Botany"])
        let page = try await fixture.outline(
            "/courses", as: fixture.teacher, query: ["q": "100%"], language: language)
        #expect(page.contains("<search \(words("courses.search")) = 100%> -> /courses"))
        #expect(page.contains(words("courses.noHits")) && !page.contains("Algebra"))
        #expect(
            try await !fixture.outline("/courses", as: fixture.mia, language: language).contains("<search"),
            "without courses there is nothing to search")
    }

    @Test("a course is offered until its term ends, and offered courses are sorted by subject")
    func offered() async throws {
        let fixture = try await CoursesFixture()
        let today = Day(fixture.school.clock.now, in: .gmt)
        let term: Term = try await fixture.school.execute(
            AddTerm.self,
            [
                "name": "Autumn", "firstDay": .text(today.adding(days: -90).description),
                "lastDay": .text(today.description),
            ], as: fixture.admin)
        try await fixture.course("Old", ["termId": .id(term.id)])
        try await fixture.course("Zoology", ["subject": "Arts"])
        try await fixture.course("Algebra")
        func offered(_ day: Day) async throws -> [String] {
            try await fixture.school.database.read { try fixture.courses.offered(on: day, in: $0) }.map(\.name)
        }
        #expect(try await offered(today) == ["Zoology", "Algebra", "Old"])
        #expect(try await offered(today.adding(days: 1)) == ["Zoology", "Algebra"])
    }

    @Test("the version grows with each change of the offered courses and with nothing else")
    func version() async throws {
        let fixture = try await CoursesFixture()
        func version() async throws -> Int64 {
            try await fixture.school.database.read { try fixture.courses.version(in: $0) }
        }
        #expect(try await version() == 0)
        let course = try await fixture.course()
        let first = try await version()
        #expect(first > 0)
        try await fixture.lesson("One", in: try await fixture.module(in: course))
        #expect(try await version() == first)
        try await fixture.archive(course)
        #expect(try await version() > first)
    }
}

@Suite("Lessons")
struct LessonTests {
    @Test(
        "lessons are in the order of their modules, and drafts are shown only to those who lead the course",
        .requirement("WW-0.08.a"))
    func order() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        let (one, two) = (
            try await fixture.module("Week 1", in: course), try await fixture.module("Week 2", in: course)
        )
        let last = try await fixture.lesson("C", in: two)
        try await fixture.lesson("A", in: one)
        let draft = try await fixture.lesson("B", in: one, isPublished: false)
        fixture.circle.enrol(fixture.mia, in: course)
        #expect(try await fixture.lessons(of: course, as: fixture.teacher) == ["A", "B", "C"])
        #expect(try await fixture.lessons(of: course, as: fixture.mia) == ["A", "C"])
        let first = try await fixture.school.database.read {
            try LessonRepository.lessons(of: [course.id], in: $0)[0]
        }
        try await fixture.school.execute(
            MoveLesson.self, ["lessonId": .id(draft.id), "before": .id(first.id)], as: fixture.teacher)
        #expect(try await fixture.lessons(of: course, as: fixture.teacher) == ["B", "A", "C"])
        try await fixture.school.execute(
            MoveModule.self, ["moduleId": .id(two.id), "before": .id(one.id)], as: fixture.teacher)
        #expect(try await fixture.lessons(of: course, as: fixture.teacher) == ["C", "B", "A"])
        // A lesson of another module is not a valid target.
        await #expect(throws: Problem.notFound) {
            try await fixture.school.execute(
                MoveLesson.self, ["lessonId": .id(draft.id), "before": .id(last.id)], as: fixture.teacher)
        }
        let page = try await fixture.outline(
            "/courses/\(course.id.text)/lessons/\(draft.id.text)", as: fixture.teacher)
        #expect(page.contains("Draft: students do not see it yet."))
        await #expect(throws: Problem.notFound) {
            try await fixture.outline("/courses/\(course.id.text)/lessons/\(draft.id.text)", as: fixture.mia)
        }
        try await fixture.school.execute(DeleteModule.self, ["moduleId": .id(one.id)], as: fixture.teacher)
        #expect(try await fixture.lessons(of: course, as: fixture.teacher) == ["C"])
    }

    @Test("of two people who edit a lesson, the second is refused, and nothing is overwritten")
    func twoAuthors() async throws {
        let fixture = try await CoursesFixture()
        let lesson = try await fixture.lesson("One", in: try await fixture.module(in: try await fixture.course()))
        func save(_ title: String, as caller: Caller) async throws -> Lesson {
            try await fixture.school.execute(
                UpdateLesson.self,
                [
                    "lessonId": .id(lesson.id), "version": .number(Double(lesson.version)), "title": .text(title),
                    "published": .bool(true),
                ], as: caller)
        }
        #expect(try await save("Hers", as: fixture.teacher).version == 2)
        await #expect(throws: Problem(409, "lessons.changed")) { try await save("His", as: fixture.admin) }
        await #expect(throws: Problem.notFound) { try await save("Hers", as: fixture.other) }
    }

    @Test("of two people who edit a course, the second is refused and shown both texts")
    func twoEditorsOfCourse() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course("Algebra", ["details": "Letters for numbers."])
        try await fixture.school.environment.expectVersions(
            of: "course", at: "/courses/\(course.id.text)/edit", changing: "details", as: fixture.teacher,
            code: "courses.changed")
    }

    @Test("a student marks a lesson as done and continues with the next", .requirement("WW-0.08.c", "WW-0.08.d"))
    func done() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        let module = try await fixture.module(in: course)
        let one = try await fixture.lesson("One", in: module, minutes: 10)
        let two = try await fixture.lesson("Two", in: module, minutes: 30)
        let draft = try await fixture.lesson("Draft", in: module, isPublished: false)
        await #expect(throws: Problem.notFound) { try await fixture.complete(one) }
        fixture.circle.enrol(fixture.mia, in: course)
        #expect(
            try await fixture.outline("/courses/\(course.id.text)", as: fixture.mia).contains("Lessons: 0 of 2"))
        try await fixture.complete(one)
        try await fixture.complete(one)
        let page = try await fixture.outline("/courses/\(course.id.text)", as: fixture.mia)
        #expect(page.contains("Lessons: 1 of 2 · about 30 minutes left"))
        #expect(page.contains("-> /courses/\(course.id.text)/lessons/\(two.id.text)"))
        await #expect(throws: Problem.notFound) { try await fixture.complete(draft) }
        await #expect(throws: Problem.notAllowed) { try await fixture.complete(one, as: fixture.mother) }
        try await fixture.complete(one, false)
        let progress = try await fixture.school.database.read {
            try fixture.courses.progress(of: CoursesFixture.id(fixture.mia), in: [course.id], $0)[course.id]
        }
        #expect(progress?.completed == 0)
        #expect(progress?.next?.id == one.id)
        #expect(progress?.minutesLeft == 40)
        let kinds = try await fixture.school.database.read { try ChangeLog.changes(after: 0, limit: 100, in: $0) }
            .map(\.change.kind)
        #expect(kinds.filter { $0 == "courses.lessonDone" }.count == 1, "done twice is recorded once")
    }

    @Test("courses and lessons have the same names in the search and in deep links")
    func searchLinks() async throws {
        let pages = try await CoursesFixture().feature.pages
        #expect(Set(pages.searchSources.map(\.link)) == ["course", "lesson"])
        #expect(Set(pages.deepLinks.map(\.name)).isSuperset(of: ["course", "lesson"]))
    }

    @Test(
        "students find the lessons of their courses, and only those who lead a course find its drafts",
        .requirement("WW-14.03.a", "WW-14.03.f"))
    func search() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course("Algebra", ["details": "Letters for numbers."])
        let module = try await fixture.module(in: course)
        try await fixture.lesson("One", in: module)
        try await fixture.lesson("Draft", in: module, isPublished: false)
        func documents(_ category: String) async throws -> [SearchDocument] {
            let source = try #require(fixture.feature.pages.searchSources.first { $0.category == category })
            return try await fixture.school.database.read { sql in
                try source.documents(try source.ids(nil, 10, sql), fixture.school.organization.id, sql)
            }
        }
        let lessons = try await documents("lessons")
        #expect(lessons.first { $0.title == "One" }?.readers.contains(.course(course.id)) == true)
        #expect(lessons.first { $0.title == "Draft" }?.readers.contains(.course(course.id)) == false)
        #expect(lessons.allSatisfy { !$0.readers.contains(.school) })
        let found = try #require(try await documents("courses").first)
        #expect(found.title == "Algebra" && found.text == "Letters for numbers.")
        #expect(found.readers.contains(.school))
        try await fixture.archive(course)
        #expect(try await documents("courses").first?.readers.contains(.school) == false)
    }

    @Test(
        "an empty list of courses leads a student to the catalog and a teacher to a new course",
        .requirement("WW-16.02.a"))
    func empty() async throws {
        let fixture = try await CoursesFixture()
        let list = try #require(fixture.feature.pages.screens.first { $0.path == "/courses" })
        func shown(to caller: Caller) async throws -> Outline {
            let catalog = NavigationEntry(
                .courses, "courses.title", icon: .search, path: "/courses/catalogue", order: 10)
            let answer = try await list.make(
                ScreenRequest(
                    context: fixture.school.context(of: caller), path: "/courses", parameters: [:], query: [:],
                    navigation: [catalog]))
            guard case .screen(let screen) = answer else { throw Problem.notFound }
            return Outline(screen)
        }
        let student = try await shown(to: fixture.mia)
        #expect(student.contains("! empty: No courses yet · Browse the catalog and enroll."))
        #expect(student.contains("-> /courses/catalogue"))
        let teacher = try await shown(to: fixture.teacher)
        #expect(teacher.contains("! empty: You do not teach any courses yet"))
        #expect(teacher.contains("[New course] -> /courses/new"))
    }

    @Test("the agenda of Home has the meetings of a teacher's courses during their terms")
    func agenda() async throws {
        let fixture = try await CoursesFixture()
        let today = try await fixture.school.context(of: fixture.teacher).today
        let monday = today.adding(days: -today.daysSinceMonday)
        let past = try await fixture.school.execute(
            AddTerm.self,
            [
                "name": "Past", "firstDay": .text(monday.adding(days: -90).description),
                "lastDay": .text(monday.adding(days: -1).description),
            ], as: fixture.admin)
        let course = try await fixture.course("Algebra", as: nil, ["schedule": "Tue 9:00-10:15 Room 3"])
        _ = try await fixture.course("History", as: nil, ["schedule": "Wed 9:00-10:15", "termId": .id(past.id)])
        let entries = try await fixture.school.environment.sections(about: .home, as: fixture.teacher, from: monday)
            .agenda
        #expect(entries.map(\.title) == ["Algebra"])
        #expect(entries.first?.day == monday.adding(days: 1) && entries.first?.minutes == 540..<615)
        #expect(entries.first?.detail == "Room 3" && entries.first?.path == "/courses/\(course.id.text)")
        let others = try await fixture.school.environment.sections(about: .home, as: fixture.other, from: monday)
        #expect(others.agenda.isEmpty)
    }
}
