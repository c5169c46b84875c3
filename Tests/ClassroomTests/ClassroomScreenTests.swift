import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import OrganizationInterface
import OrganizationTesting
import ScreenKit
import ShellInterface
import TestKit
import Testing

@testable import Classroom

@Suite("The classroom pages")
struct ClassroomScreenTests {
    let room: ClassroomFixture

    init() async throws { room = try await ClassroomFixture() }

    func path(_ classroom: Classroom) -> String { "/classrooms/\(classroom.id.text)" }

    @Test(
        "Homeroom opens the only classroom, the list of several, or the page to create the first one",
        .requirement("PT-1.19.c", "PT-3.23.b", "PT-3.23.c"))
    func homeroom() async throws {
        func target(_ caller: Caller) async throws -> String? {
            try await room.environment.redirect("/homeroom", as: caller)
        }
        #expect(try await target(room.admin) == "/classrooms/new")
        #expect(try await target(room.guide) == "/classrooms", "who may not create is told to wait")
        let maple = try await room.classroom("Maple", guides: [room.guide])
        #expect(try await target(room.guide) == path(maple))
        #expect(try await target(room.admin) == path(maple))
        let birch = try await room.classroom("Birch", guides: [room.guide])
        #expect(try await target(room.guide) == "/classrooms")
        #expect(try await target(room.admin) == "/classrooms")
        try await room.school.execute("classrooms.setDefault", ["classroomId": .id(birch.id)], as: room.guide)
        #expect(try await target(room.guide) == path(birch), "the chosen first page")
        #expect(try await target(room.admin) == "/classrooms")
        try await room.school.execute(
            AssignGuides.self, ["classroomId": .id(birch.id), "guideIds": .list([])], as: room.admin)
        #expect(try await target(room.guide) == path(maple), "one that is hers no more does not open")
        try await room.school.execute("classrooms.setDefault", as: room.guide)
    }

    @Test(
        "the Students page shows the counts, each child with its attendance control, and a button to add one",
        .requirement("PT-1.22", "PT-3.28.a", "PT-3.28.b", "PT-3.28.c"))
    func roster() async throws {
        let maple = try await room.classroom("Maple room", guides: [room.guide])
        let ana = try await room.student("Ana", "Ruiz", in: maple)
        let ben = try await room.student("Ben", "Ito", in: maple)
        let cleo = try await room.student("Cleo", in: maple)
        try await room.mark(ana, "present", in: maple)
        try await room.mark(ben, "absent", in: maple)
        let outline = try await room.outline(path(maple), as: room.admin)
        let lines = outline.split(separator: "\n").map(String.init)
        #expect(lines[0] == "# Students")
        #expect(lines[1] == "live: classroom:\(maple.id.text) school-days")
        #expect(lines[2].hasPrefix("## 1 of 3 present · Maple room, "))
        #expect(lines[2].hasSuffix("1 absent, 1 to mark"))
        #expect(lines.contains("(bar: 1 present, 1 absent, 1 not marked)"))
        #expect(lines.contains("[Mark the rest present] -> POST /api/v1\(path(maple))/attendance/rest"))
        let rows = lines.filter { $0.hasPrefix("- ") }
        #expect(rows.count == 3)
        #expect(rows[0].hasPrefix("- Ana Ruiz · Arrived "))
        #expect(rows[0].hasSuffix("[Present] -> sheet /students/\(ana.id.text)"))
        #expect(rows[1].hasPrefix("- Ben Ito · Marked at "))
        #expect(rows[1].hasSuffix("[Absent] -> sheet /students/\(ben.id.text)"))
        #expect(rows[2] == "- Cleo · Not marked yet [Mark] -> sheet /students/\(cleo.id.text)")
        let cells = try await room.environment.page(path(maple), as: room.admin).cells
        #expect(cells.map(\.title) == ["Ana Ruiz", "Ben Ito", "Cleo"])
        #expect(cells.map(\.leading) == [ana, ben, cleo].map { .avatar($0.avatar) })
        #expect(outline.contains("(+) [Add student] -> sheet new-student"))
        #expect(outline.contains("form new-student-form -> /api/v1/students"))
        let french = try await room.outline(path(maple), as: room.guide, language: .french)
        #expect(french.contains("# Élèves"))
        #expect(french.contains("[Noter les autres présents]"))
        #expect(french.contains("[Présent]"))
        try await room.mark(cleo, "present", in: maple)
        let done = try await room.outline(path(maple), as: room.guide)
        #expect(done.contains("Everyone is marked, 1 absent"))
        #expect(!done.contains("Mark the rest present"))
    }

    @Test(
        "a row's menu offers Edit, Remove and Delete to admins, and nothing to guides",
        .requirement("PT-1.18.c", "PT-3.30.a", "PT-3.30.b"))
    func rowMenu() async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        let ana = try await room.student("Ana", in: maple)
        try await room.mark(ana, "present", in: maple)
        func menu(_ caller: Caller) async throws -> [String] {
            try await room.outline(path(maple), as: caller).split(separator: "\n")
                .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("menu ") }
        }
        #expect(
            try await menu(room.admin) == [
                "menu [Edit] -> /students/\(ana.id.text)/edit",
                "menu [Clear attendance] -> POST /api/v1\(path(maple))/attendance/clear",
                "menu [Remove from class] -> POST /api/v1\(path(maple))/students/\(ana.id.text)/remove (asks: Remove Ana from the class?)",
                "menu [Delete student] -> POST /api/v1/students/\(ana.id.text)/delete (asks: Delete Ana?)",
            ])
        #expect(
            try await menu(room.guide) == ["menu [Clear attendance] -> POST /api/v1\(path(maple))/attendance/clear"]
        )
        let asGuide = try await room.outline(path(maple), as: room.guide)
        #expect(!asGuide.contains("(+)"))
        #expect(!asGuide.contains("sheet new-student"))
        #expect(!asGuide.contains("/edit"))
    }

    @Test(
        "the list of classrooms shows names and counts, and offers its menu and button only to admins",
        .requirement("PT-1.23.a", "PT-3.26.a", "PT-3.27.a", "PT-3.27.b", "PT-3.27.c"))
    func list() async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        _ = try await room.classroom("Birch", guides: [room.guide])
        _ = try await room.student("Ana", in: maple)
        let asAdmin = try await room.outline("/classrooms", as: room.admin)
        #expect(asAdmin.contains("- Maple · 1 student -> \(path(maple))"))
        #expect(asAdmin.contains("- Birch · 0 students -> "))
        #expect(asAdmin.contains("menu [Classroom settings] -> \(path(maple))/edit"))
        #expect(asAdmin.contains("menu [Rename] -> \(path(maple))/edit"))
        #expect(
            asAdmin.contains("menu [Delete classroom] -> POST /api/v1\(path(maple))/delete (asks: Delete Maple?)"))
        #expect(asAdmin.contains("(+) [Create classroom] -> /classrooms/new"))
        guard case .screen(let screen) = try await room.environment.screen("/classrooms", as: room.admin) else {
            Issue.record("the list leads elsewhere")
            return
        }
        let swipes = screen.body.flatMap { component -> [PTListCell] in
            if case .list(let list) = component { list.cells } else { [] }
        }.map { $0.swipe.map(\.title) }
        #expect(swipes == [["Rename", "Delete classroom"], ["Rename", "Delete classroom"]])
        let asGuide = try await room.outline("/classrooms", as: room.guide)
        #expect(asGuide.contains("- Maple · 1 student"))
        #expect(!asGuide.contains("/edit") && !asGuide.contains("Delete") && !asGuide.contains("(+)"))
    }

    @Test(
        "a guide of several classes can choose the one that opens first, and remove the choice",
        .requirement("PT-1.14.c"))
    func opensFirst() async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        _ = try await room.classroom("Birch", guides: [room.guide])
        let before = try await room.outline("/classrooms", as: room.guide)
        #expect(
            before.components(separatedBy: "menu [Set as start page] -> POST /api/v1/classrooms/default").count == 3
        )
        #expect(!before.contains("Delete classroom") && !before.contains("opens first"))
        try await room.school.execute(SetDefaultClassroom.self, ["classroomId": .id(maple.id)], as: room.guide)
        let after = try await room.outline("/classrooms", as: room.guide)
        #expect(after.contains("- Maple · 0 students, start page"))
        #expect(after.contains("menu [Remove as start page]"))
        #expect(try await room.environment.redirect("/homeroom", as: room.guide) == path(maple))
        let other = try await room.classroom("Elm", guides: [room.otherGuide])
        #expect(
            try await problem {
                try await room.school.execute(
                    SetDefaultClassroom.self, ["classroomId": .id(other.id)], as: room.guide)
            } == .notFound)
        try await room.school.execute(SetDefaultClassroom.self, as: room.guide)
        #expect(try await room.environment.redirect("/homeroom", as: room.guide) == "/classrooms")
    }

    @Test(
        "the first classroom is created on a page of its own and celebrated",
        .requirement("PT-3.17.b", "PT-3.24.a", "PT-3.24.b", "PT-3.24.d"))
    func createClassroom() async throws {
        #expect(try await room.environment.redirect("/homeroom", as: room.admin) == "/classrooms/new")
        #expect(try await room.environment.page("/classrooms/new", as: room.admin).layout == .focused)
        let outline = try await room.outline("/classrooms/new", as: room.admin)
        #expect(outline.hasPrefix("# Create classroom · You can add more classrooms later."))
        #expect(outline.contains("<Classroom name: text*>"))
        let outcome = try await room.school.execute("classrooms.create", ["name": "Maple"], as: room.admin)
        let made = try outcome.result(Classroom.self)
        #expect(outcome.feedback == Feedback(.burst, "Maple created"))
        #expect(outcome.destination == path(made))
        // The Students page of an empty class is the form for its first child.
        #expect(try await room.environment.redirect(path(made), as: room.admin) == "\(path(made))/students/new")
    }

    @Test(
        "the page of an empty class is a form that stays open for the next child until Done",
        .requirement("PT-3.17.c", "PT-3.25.a", "PT-3.25.b", "PT-3.25.d"))
    func createStudents() async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        let page = "\(path(maple))/students/new"
        #expect(try await room.environment.redirect(path(maple), as: room.admin) == page)
        #expect(try await room.environment.page(page, as: room.admin).layout == .focused)
        let first = try await room.outline(page, as: room.admin)
        #expect(first.contains("# Who is in Maple?"))
        #expect(first.contains("<First name: text>") && first.contains("<Last name: text>"))
        #expect(first.contains("[Add student]"))
        #expect(!first.contains("[Done]"))
        let outcome = try await room.school.execute(
            "students.create", ["firstName": "Ana", "classroomId": .id(maple.id)], as: room.admin)
        #expect(outcome.feedback == Feedback(.burst, "Ana added"))
        let next = try await room.outline(page, as: room.admin)
        #expect(next.contains("[Add another]"))
        #expect(next.contains("- Ana"))
        #expect(next.contains("[Done] -> \(path(maple))"))
        let empty = try await room.outline(
            path(try await room.classroom("Birch", guides: [room.guide])), as: room.guide)
        #expect(empty.contains("! empty: No students yet"))
    }

    @Test(
        "the pages of an empty class and of a child without marks say that there is nothing yet",
        .requirement("WW-16.02.e"))
    func emptyAttendance() async throws {
        let birch = try await room.classroom("Birch", guides: [room.guide])
        #expect(try await room.outline(path(birch), as: room.guide).contains("! empty: No students yet"))
        let ana = try await room.student("Ana", in: birch)
        #expect(try await room.outline("/students/\(ana.id.text)", as: room.guide).contains("No attendance yet."))
        try await room.mark(ana, "present", in: birch)
        #expect(try await !room.outline("/students/\(ana.id.text)", as: room.guide).contains("No attendance yet."))
    }

    @Test("each of the three empty lists says what to do next")
    func empty() async throws {
        #expect(
            try await room.outline("/classrooms", as: room.guide).contains(
                "! empty: No classroom yet · Your classrooms appear here"))
        #expect(
            try await room.outline("/classrooms", as: room.admin).contains("[Create classroom] -> /classrooms/new"))
        #expect(try await room.outline("/my-day", as: room.guide).contains("! empty: Nothing to do yet"))
        #expect(
            try await room.outline("/settings/students", as: room.admin).contains("! empty: No students yet"))
    }

    @Test(
        "a student is created, edited and deleted under Settings > Students",
        .requirement("PT-1.23.b"))
    func studentsInSettings() async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        let path = "/settings/students"
        let empty = try await room.outline(path, as: room.admin)
        #expect(empty.contains("[Add student] -> sheet new-student"), "\(empty)")
        let made = try await room.school.execute(
            CreateStudent.self, ["firstName": "Ana", "classroomId": .id(maple.id)], as: room.admin)
        let free = try await room.school.execute("students.create", ["firstName": "Ben"], as: room.admin)
        #expect(free.feedback?.text == "Ben added")
        let page = try await room.outline(path, as: room.admin)
        #expect(page.contains("(+) [Add student] -> sheet new-student"), "\(page)")
        #expect(page.contains("form new-student-form -> /api/v1/students"))
        #expect(page.contains("Maple") && page.contains("No classroom yet"))
        #expect(page.contains("- Ana -> /students/\(made.id.text)/edit"))
        let edit = try await room.outline("/students/\(made.id.text)/edit", as: room.admin)
        #expect(edit.contains("form edit-student"))
        #expect(edit.contains("POST /api/v1/students/\(made.id.text)/delete"))
        let french = try await room.outline(path, as: room.admin, language: .french)
        #expect(french.contains("Aucune classe pour l’instant"))
    }

    @Test(
        "a swipe on a student of a class offers Edit and Remove from class, to admins",
        .requirement("PT-3.30.c"))
    func studentSwipe() async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        let ana = try await room.student("Ana", in: maple)
        func swipe(_ caller: Caller) async throws -> [PTMenuItem] {
            guard
                case .screen(let screen) = try await room.environment.screen(
                    "/classrooms/\(maple.id.text)", as: caller)
            else { return [] }
            return screen.body.flatMap { component -> [PTMenuItem] in
                if case .list(let list) = component { list.cells.flatMap(\.swipe) } else { [] }
            }
        }
        let items = try await swipe(room.admin)
        #expect(items.map(\.title) == ["Edit", "Remove from class"])
        #expect(items.first?.action == .open("/students/\(ana.id.text)/edit"))
        #expect(try await swipe(room.guide).isEmpty)
    }

    @Test(
        "Settings > Students lists everyone, searches, and pages without losing namesakes")
    func allStudents() async throws {
        for number in 0..<62 { _ = try await room.student(number % 2 == 0 ? "Ana" : "Bea", "Silva") }
        let lukasz = try await room.student("Łukasz")
        let first = try await room.outline("/settings/students", as: room.admin)
        func ids(_ outline: String) -> [String] {
            outline.split(separator: "\n").filter { $0.hasPrefix("- ") }.compactMap {
                $0.split(separator: "/").dropLast().last.map(String.init)
            }
        }
        #expect(ids(first).count == 60)
        let more = try #require(first.split(separator: "\n").first { $0.hasPrefix("[Show more]") })
        let query = String(more.split(separator: "after=").last ?? "").removingPercentEncoding ?? ""
        let second = try await room.outline("/settings/students", as: room.admin, query: ["after": query])
        #expect(ids(second).count == 3)
        #expect(Set(ids(first) + ids(second)).count == 63)
        let found = try await room.outline("/settings/students", as: room.admin, query: ["q": "lukasz"])
        #expect(ids(found) == [lukasz.id.text])
        #expect(
            try await problem { _ = try await room.environment.screen("/settings/students", as: room.guide) }
                == .notAllowed)
    }

    @Test(
        "My Day counts what is open over the guide's classrooms and names who is missing",
        .requirement("PT-1.20.d"))
    func myDay() async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        let birch = try await room.classroom("Birch", guides: [room.otherGuide])
        let ana = try await room.student("Ana", in: maple)
        _ = try await room.student("Ben", in: maple)
        let cleo = try await room.student("Cleo", in: birch)
        try await room.mark(ana, "absent", in: maple)
        try await room.mark(cleo, "absent", in: birch, as: room.otherGuide)
        let outline = try await room.outline("/my-day", as: room.guide)
        #expect(outline.contains("## 1 child to mark"))
        #expect(outline.contains("- Maple · 0 of 2 present, 1 to mark -> \(path(maple))"))
        #expect(outline.contains("- Ana · Maple -> sheet /students/\(ana.id.text)"))
        #expect(!outline.contains("Birch") && !outline.contains("Cleo"))
        let french = try await room.outline("/my-day", as: room.guide, language: .french)
        #expect(french.contains("# Ma journée"))
    }

    @Test("Home shows today's attendance of the guide's classrooms", arguments: Language.allCases)
    func home(language: Language) async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        _ = try await room.classroom("Birch", guides: [room.otherGuide])
        let ana = try await room.student("Ana", in: maple)
        _ = try await room.student("Ben", in: maple)
        try await room.mark(ana, "absent", in: maple)
        let home = try await room.environment.sections(about: .home, as: room.guide, language: language).outline
        #expect(home.lines.count { $0.contains("-> \(path(maple))") } > 0)
        #expect(home.contains(language == .english ? "0 of 2 present, 1 to mark" : "0 présent sur 2, 1 à noter"))
        #expect(!home.contains("Birch"))
    }

    @Test("Home has no section of classrooms for a guide without one")
    func homeWithoutClassrooms() async throws {
        #expect(try await room.environment.sections(about: .home, as: room.guide).outline.lines.isEmpty)
    }

    @Test(
        "a child's page shows the marks of the last days, and its form only to admins",
        .requirement("PT-2.26", "WW-0.10.f"))
    func studentPage() async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        let ana = try await room.student("Ana", "Ruiz", in: maple)
        try await room.open(ana, in: maple)
        try await room.mark(ana, "present", in: maple, on: room.today.adding(days: -1))
        try await room.mark(ana, "absent", in: maple)
        let page = "/students/\(ana.id.text)"
        let outline = try await room.outline(page, as: room.guide)
        #expect(outline.contains("# Ana Ruiz · Maple · Marked at "))
        let rows = outline.split(separator: "\n").filter { $0.contains("- Present") || $0.contains("- Absent") }
        #expect(rows.count == 2 && rows[0].contains("Absent"))
        #expect(!outline.contains("/edit"))
        #expect(try await room.outline(page, as: room.admin).contains("[Edit] -> \(page)/edit"))
        #expect(
            try await problem { _ = try await room.environment.screen("\(page)/edit", as: room.guide) }
                == .notAllowed)
        let edit = try await room.outline("\(page)/edit", as: room.admin)
        #expect(edit.contains("<First name: text = Ana>"))
        #expect(edit.contains("[Delete student]"))
        #expect(edit.contains("[Remove from Maple]"))
        for broken in ["/students/none", "/classrooms/none", "/classrooms/\(ana.id.text)"] {
            #expect(
                try await problem { _ = try await room.environment.screen(broken, as: room.guide) } == .notFound)
        }
    }
}
