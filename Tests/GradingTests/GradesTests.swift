import CoursesInterface
import CoursesTesting
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationTesting
import ScreenKit
import TestKit
import Testing

@testable import Grading

@Suite("Grades for students and families")
struct GradesTests {
    @Test("students see hidden scores in no page, answer, event or average")
    func hidden() async throws {
        let fixture = try await GradingFixture()
        let hidden = try await fixture.item("Secret", released: false)
        try await fixture.mark(fixture.mia, "5", hidden)
        let read = try await fixture.grades(fixture.mia)
        #expect(read.entries.isEmpty && read.shown == nil)
        #expect(try await fixture.heard(fixture.mia) == [])
        #expect(try await fixture.heard(fixture.mother) == [])
        let service = SQLGradeService(courses: TestCourses(), roster: TestCourses())
        let id = GradingFixture.id(fixture.mia)
        #expect(
            try await fixture.school.database.read { try service.gradePointAverage(for: id, in: $0) } == nil)
        for path in ["/grades", "/courses/\(fixture.course.id.text)/grades"] {
            #expect(try await !outline(path, fixture, as: fixture.mia).contains("Secret"))
        }
        try await fixture.release(hidden)
        #expect(try await fixture.grades(fixture.mia).shown == "25")
        #expect(try await fixture.heard(fixture.mother) == ["grades.released"])
        #expect(try await fixture.heard(fixture.noah).isEmpty)
        try await fixture.release(hidden)
        try await fixture.release(hidden, false)
        #expect(try await fixture.grades(fixture.mia).entries.isEmpty)
        // The change lets open pages hide the score; families are notified of releases only.
        #expect(try await fixture.heard(fixture.mother) == ["grades.released", "grades.changed"])
    }

    @Test("a student reads their own grades, a parent the child's, and no one else's")
    func whose() async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item()
        try await fixture.mark(fixture.mia, "19", essay)
        #expect(try await fixture.grades(fixture.mother).letter == "A")
        #expect(try await fixture.grades(fixture.teacher, fixture.mia).letter == "A")
        #expect(try await fixture.grades(fixture.noah).letter == nil)
        await #expect(throws: Problem.notFound) { try await fixture.grades(fixture.noah, fixture.mia) }
        await #expect(throws: Problem.notFound) { try await fixture.grades(fixture.mother, fixture.noah) }
    }

    @Test(
        "the grades page shows letter, shares and trend in both languages", .requirement("WW-6.06", "WW-6.08.b"),
        arguments: Language.allCases)
    func page(language: Language) async throws {
        let fixture = try await GradingFixture()
        for (title, text) in [("One", "10"), ("Two", "15"), ("Three", "18")] {
            let item = try await fixture.item(title)
            try await fixture.mark(fixture.mia, text, item)
        }
        let words = Words(language, [fixture.feature.catalog])
        let text = try await outline(
            "/courses/\(fixture.course.id.text)/grades", fixture, as: fixture.mia, language)
        #expect(text.contains(words("grading.gradeAndLetter", "72", "C-")))
        #expect(text.contains(words("grading.trend.rising")))
        let share = words("grading.percent", language == .english ? "71.67" : "71,67")
        #expect(text.contains("(bar: \(words("grading.category.assignments")) \(share))"))
    }

    @Test("the last five scores are drawn as a line, the oldest first", .requirement("WW-6.08.c"))
    func line() async throws {
        let fixture = try await GradingFixture()
        func charts() async throws -> [PTChart] {
            try await fixture.school.environment.page(
                "/courses/\(fixture.course.id.text)/grades", as: fixture.mia
            ).components.compactMap { component in
                if case .chart(let chart) = component { chart } else { nil }
            }
        }
        for (number, text) in ["2", "10", "15", "18", "20", "19"].enumerated() {
            let item = try await fixture.item("Essay \(number)")
            try await fixture.mark(fixture.mia, text, item)
            #expect(try await charts().count == min(number, 1), "one score is no line")
        }
        let chart = try #require(try await charts().first)
        #expect(chart.style == .line && chart.lowest == 0 && chart.highest == 100)
        #expect(chart.points.map(\.value) == [50, 75, 90, 100, 95])
        #expect(chart.points.first?.label == "Essay 1" && chart.points.first?.text == "50\u{A0}%")
        #expect(chart.spoken.hasPrefix("Last scores: Essay 1 50"))
    }

    @Test("each category with scores is a part of the bar", .requirement("WW-6.06"))
    func bar() async throws {
        let fixture = try await GradingFixture()
        try await fixture.mark(fixture.mia, "10", try await fixture.item("Essay"))
        try await fixture.mark(fixture.mia, "20", try await fixture.item("Quiz", .quizzes))
        // 0.4 x 50 and 0.3 x 100, of the 0.7 that are marked.
        let page = try await fixture.school.environment.page(
            "/courses/\(fixture.course.id.text)/grades", as: fixture.mia)
        let bar = try #require(
            page.components.compactMap { component in
                if case .greeting(let greeting) = component { greeting.split } else { nil }
            }.first)
        #expect(bar.parts.map(\.title) == ["Assignments", "Quizzes"])
        #expect(bar.parts.map(\.count) == [2857, 4286])
    }

    @Test("the page of a course without scores says so", .requirement("WW-16.02.c"))
    func noScores() async throws {
        let fixture = try await GradingFixture()
        let path = "/courses/\(fixture.course.id.text)/grades"
        #expect(
            try await outline(path, fixture, as: fixture.mia).contains(
                "! empty: No scores yet · Scores appear here when a teacher releases them."))
        try await fixture.mark(fixture.mia, "10", try await fixture.item())
        #expect(try await !outline(path, fixture, as: fixture.mia).contains("! empty:"))
    }

    @Test("each colored grade shows its letter as well", .requirement("WW-6.04.d"))
    func letters() async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item()
        // Green, and red.
        try await fixture.mark(fixture.mia, "19", essay)
        try await fixture.mark(fixture.noah, "3", essay)
        let section = try #require(fixture.feature.pages.sections.first { $0.subject == .course })
        for (student, tint, letter) in [(fixture.mia, Tint.leaf, "A"), (fixture.noah, Tint.berry, "F")] {
            let request = ScreenRequest(
                context: try await fixture.school.context(of: student), path: "/courses/x", parameters: [:],
                query: [:])
            let screen = Screen(title: "Algebra", body: try await section.make(fixture.course.id, request))
            let row = try #require(screen.cells.first)
            #expect(row.leading == .icon(.chart, tint: tint) && row.title.hasSuffix(" · \(letter)"))
        }
        let book = try await fixture.school.environment.page(
            GradebookScreens.path(fixture.course.id), as: fixture.teacher)
        let island = try #require(
            book.components.compactMap { component in
                if case .island(let island) = component { island } else { nil }
            }.first)
        struct Sheet: Decodable {
            struct Total: Decodable, Equatable {
                let color: GradeColor
                let letter: String
            }
            let totals: [Total]
        }
        let sheet = try JSONDecoder().decode(Sheet.self, from: Data(island.properties.utf8))
        #expect(sheet.totals == [.init(color: .green, letter: "A"), .init(color: .red, letter: "F")])
    }

    @Test(
        "a released score notifies the student with the item and the course", .requirement("WW-9.01.b"))
    func notified() async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item(released: false)
        try await fixture.mark(fixture.mia, "19", essay)
        try await fixture.release(essay)
        let logged = try #require(
            try await fixture.school.changes().first { $0.change.kind == "grades.released" })
        #expect(logged.change.audience.contains(.person(GradingFixture.id(fixture.mia))))
        let kind = try #require(fixture.feature.notifications.kinds.first { $0.kind == "grades.released" })
        let shown = try await kind.show(logged, fixture.school.context(of: fixture.mia))
        #expect(shown.text == "Algebra: your score for “Essay” is available.")
        #expect(shown.path?.hasPrefix("/courses/\(fixture.course.id.text)/grades") == true)
    }

    @Test(
        "a link to an assignment or a quiz opens its column for a teacher and the course's grades for a student",
        .requirement("WW-1.14.b", "WW-1.14.c"), arguments: ["assignment", "quiz"])
    func links(_ name: String) async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item(name, name == "quiz" ? .quizzes : .assignments)
        let link = try #require(fixture.feature.pages.deepLinks.first { $0.name == name })
        func target(_ id: UUID, as caller: Caller) async throws -> String? {
            try await link.path(id, fixture.school.context(of: caller))
        }
        let root = "/courses/\(fixture.course.id.text)"
        #expect(try await target(item.id, as: fixture.teacher) == "\(root)/gradebook/\(item.id.text)")
        #expect(try await target(item.id, as: fixture.mia) == "\(root)/grades")
        #expect(try await target(UUID(), as: fixture.mia) == nil)
    }

    @Test("the grades page shows the average over all courses, without weights and by credits")
    func average() async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item()
        try await fixture.mark(fixture.mia, "20", essay)
        let text = try await outline("/grades", fixture, as: fixture.mia)
        #expect(text.contains("Grade point average") && text.contains("4"))
        #expect(text.contains("100\u{00A0}% · A+"))
    }

    @Test("the school's own scale and rounding decide the letter", .requirement("WW-6.04.b"))
    func scale() async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item("Essay", maximum: "100")
        try await fixture.mark(fixture.mia, "89.5", essay)
        #expect(try await fixture.grades(fixture.mia).letter == "A-")
        var input: [String: InputValue] = ["rounding": "down", "places": 0]
        for (letter, cutOff) in zip(LetterGrade.reached, GradingScale.standard.cutOffs) {
            input[letter.fieldName] = .text("\(cutOff)")
        }
        try await fixture.school.execute(SetGradingScale.self, .object(input), as: fixture.admin)
        let read = try await fixture.grades(fixture.mia)
        #expect((read.shown, read.letter) == ("89", "B+"))
        input["b"] = "95"
        await #expect(throws: Problem.invalid("b", "grading.cutOffOrder")) {
            try await fixture.school.execute(SetGradingScale.self, .object(input), as: fixture.admin)
        }
    }

    @Test("a course's page about one child does not show another child's grade")
    func siblings() async throws {
        let fixture = try await GradingFixture()
        try await fixture.mark(fixture.mia, "18", try await fixture.item())
        let leo = fixture.school.makeCaller(.student)
        fixture.families.add(parent: GradingFixture.id(fixture.mother), of: GradingFixture.id(leo), named: "Leo")
        let section = try #require(fixture.feature.pages.sections.first { $0.subject == .course })
        func sectionText(_ student: Caller?) async throws -> String {
            let page = ScreenRequest(
                context: try await fixture.school.context(of: fixture.mother), path: "/courses/x", parameters: [:],
                query: [:])
            let request = student.map { page.about(student: GradingFixture.id($0)) } ?? page
            return Outline(try await section.make(fixture.course.id, request)).description
        }
        #expect(try await sectionText(fixture.mia).contains("90"))
        #expect(try await sectionText(nil).contains("90"))
        #expect(try await sectionText(leo).isEmpty)
    }

    @Test("the grades page of a parent begins with the first child who has courses")
    func firstOfSeveral() async throws {
        let fixture = try await GradingFixture()
        let (father, leo) = (fixture.school.makeCaller(.parent), fixture.school.makeCaller(.student))
        for (child, name) in [(leo, "Leo"), (fixture.mia, "Mia")] {
            fixture.families.add(parent: GradingFixture.id(father), of: GradingFixture.id(child), named: name)
        }
        #expect(try await outline("/grades", fixture, as: father).contains("Leo | *Mia*"))
    }

    @Test(
        "the teacher's pages show all students and hidden scores",
        .requirement("WW-0.10.b", "WW-0.10.c", "WW-6.05.a"))
    func gradebookPages() async throws {
        let fixture = try await GradingFixture()
        let hidden = try await fixture.item("Secret", released: false)
        try await fixture.mark(fixture.mia, "5", hidden)
        let root = "/courses/\(fixture.course.id.text)/gradebook"
        let book = try await outline(root, fixture, as: fixture.teacher)
        #expect(book.contains("Secret") && book.contains("Mia Roy") && book.contains("Grade Settings"))
        #expect(book.contains("Assignments 40\u{a0}% · average 25, Quizzes 30\u{a0}% · no scores yet"))
        #expect(try await outline("\(root)/\(hidden.id.text)", fixture, as: fixture.teacher).contains("Noah Roy"))
        let mark = "\(root)/\(hidden.id.text)/\(GradingFixture.id(fixture.mia).text)"
        #expect(try await outline(mark, fixture, as: fixture.teacher).contains("Comment"))
        #expect(try await outline("/settings/grading", fixture, as: fixture.admin).contains("Round half up"))
        await #expect(throws: Problem.notFound) { _ = try await outline(root, fixture, as: fixture.stranger) }
    }

    private func outline(
        _ path: String, _ fixture: GradingFixture, as caller: Caller, _ language: Language = .english
    ) async throws -> String {
        try await fixture.school.environment.outline(path, as: caller, language: language).description
    }

    @Test("a parent who is still named as a teacher but may not teach sees only their own child's grades")
    func formerTeacher() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        for student in [fixture.mia, fixture.noah] { try await fixture.mark(student, "12", item) }
        var course = fixture.course
        course.teacherIds.append(GradingFixture.id(fixture.mother))
        try await TestCourses.put(course, in: fixture.school.database)
        #expect(try await fixture.grades(fixture.mother).studentId == GradingFixture.id(fixture.mia))
        #expect(
            try await problem { _ = try await fixture.grades(fixture.mother, fixture.noah) } == .notFound)
        #expect(
            try await problem {
                _ = try await fixture.school.environment.outline(
                    "/courses/\(course.id.text)/grades", as: fixture.mother,
                    query: ["student": GradingFixture.id(fixture.noah).text])
            } == .notFound)
    }
}

@Suite("Grades of students who have left a course")
struct FormerStudentTests {
    @Test(
        "a teacher reads and exports the scores of former students separately, and the average leaves them out"
    )
    func teacher() async throws {
        let fixture = try await GradingFixture()
        let (item, hidden) = (try await fixture.item(), try await fixture.item("Quiz", .quizzes, released: false))
        try await fixture.mark(fixture.mia, "18", item)
        try await fixture.mark(fixture.noah, "10", item)
        try await fixture.mark(fixture.mia, "4", hidden)
        let path = GradebookScreens.path(fixture.course.id)
        #expect(
            try await !fixture.school.environment.outline(path, as: fixture.teacher).contains("Former students"))
        try await fixture.leave(fixture.mia)
        let page = try await fixture.school.environment.outline(path, as: fixture.teacher)
        #expect(page.contains("Former students"))
        #expect(page.contains("Mia Roy | 60\u{00A0}% · D- | 18 | 4"))
        #expect(page.contains("50\u{00A0}% · F"), "the average is Noah's alone")
        let routes = fixture.feature.endpoints.downloads
        let context = try await fixture.school.context(of: fixture.teacher)
        let files = try await [
            routes[0].file(["courseId": fixture.course.id.text], context),
            routes[1].file(["courseId": fixture.course.id.text], context),
        ]
        let texts = files.map { file in
            if case .bytes(let bytes) = file.content { String(decoding: bytes, as: UTF8.self) } else { "" }
        }
        #expect(texts[0].contains("Noah Roy,10,") && !texts[0].contains("Mia Roy"))
        #expect(texts[1].contains("Mia Roy,18,4,") && !texts[1].contains("Noah Roy"))
        let french = try await fixture.school.environment.outline(path, as: fixture.teacher, language: .french)
        #expect(french.contains("Anciens élèves"))
    }

    @Test("a student who left still sees released scores on the course's page, in the list and on the report card")
    func student() async throws {
        let fixture = try await GradingFixture()
        let (item, hidden) = (try await fixture.item(), try await fixture.item("Quiz", .quizzes, released: false))
        try await fixture.mark(fixture.mia, "18", item)
        try await fixture.mark(fixture.mia, "4", hidden)
        try await fixture.leave(fixture.mia)
        for caller in [fixture.mia, fixture.mother] {
            #expect(try await fixture.grades(caller).shown == "90")
            let page = try await fixture.school.environment.outline(
                "/courses/\(fixture.course.id.text)/grades", as: caller)
            #expect(page.contains("No longer in this course"))
            #expect(page.contains("Essay") && !page.contains("Quiz"), "hidden marks stay hidden")
            #expect(try await fixture.school.environment.outline("/grades", as: caller).contains("left the course"))
            let report = try await fixture.school.environment.outline("/grades/report", as: caller)
            #expect(report.contains("Algebra (left the course) | 90\u{00A0}% | A-"))
            #expect(!report.contains("3.70"), "a course that was left does not count in the average")
        }
        let other = try await problem { _ = try await fixture.grades(fixture.noah, fixture.mia) }
        #expect(other == .notFound)
        // A former student without released scores cannot open the course.
        try await fixture.leave(fixture.noah)
        #expect(try await problem { _ = try await fixture.grades(fixture.noah) } == .notFound)
    }

    @Test("a student who joins again has their earlier scores, and other blocks learn that there are some")
    func again() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item(released: false)
        try await fixture.mark(fixture.mia, "18", item)
        try await fixture.leave(fixture.mia)
        let records = SQLGradeService(courses: TestCourses(), roster: TestCourses())
        let (mia, courseId) = (GradingFixture.id(fixture.mia), fixture.course.id)
        func has(_ isReleased: Bool) async throws -> Bool {
            try await fixture.school.database.read {
                try records.hasRecords(of: mia, in: courseId, seenByStudent: isReleased, $0)
            }
        }
        #expect(try await has(false))
        #expect(try await !has(true), "a student does not learn of hidden marks")
        try await fixture.release(item)
        #expect(try await has(true))
        try await TestCourses.enrol(mia, in: courseId, fixture.school.database)
        #expect(try await fixture.stored(item).map(\.text) == ["18", ""])
        #expect(try await fixture.grades(fixture.mia).shown == "90")
    }
}
