import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import OrganizationInterface
import OrganizationTesting
import ScreenKit
import TestKit
import Testing

@testable import Shell

@Suite("The wizard")
struct WizardTests {
    let shell: ShellFixture
    let caller: Caller

    init() async throws {
        shell = try await ShellFixture()
        caller = shell.newcomer()
    }

    func draft() async throws -> OnboardingDraft {
        let account = try #require(caller.account)
        return try await shell.environment.directory.read {
            try OnboardingRepository.progress(of: account.id, in: $0).draft
        }
    }

    func page(_ step: String, query: [String: String] = [:], language: Language = .english) async throws -> String {
        try await shell.environment.outline("/welcome/\(step)", as: caller, query: query, language: language)
            .description
    }

    @Test(
        "the wizard has three steps with placeholders, Back and Next, and restores earlier entries until Finish",
        .requirement("PT-3.20.b", "PT-3.20.a", "PT-3.20.d"))
    func steps() async throws {
        let empty = try await page("school")
        #expect(empty.contains("Steps: *School* > Classroom > Students"))
        #expect(empty.contains("<School name: text*>"))
        #expect(empty.contains("tint of"))
        #expect(empty.contains("[Next]"))
        #expect(empty.contains("[I have a code] -> /join"))
        let next = try await shell.run("school", ["name": "Maple School", "avatarTint": "sky"], as: caller)
        #expect(next.destination == "/welcome/classroom")
        let classroom = try await page("classroom")
        #expect(classroom.contains("Steps: School > *Classroom* > Students"))
        #expect(classroom.contains("[Back] -> /welcome/school"))
        #expect(
            try await shell.environment.redirect("/welcome/students", as: caller) == "/welcome/classroom",
            "no step is skipped")
        let then = try await shell.run("classroom", ["name": "Maple room", "avatarTint": "clay"], as: caller)
        #expect(then.destination == "/welcome/students")
        let students = try await page("students")
        #expect(students.contains("# Who is in Maple room?"))
        #expect(students.contains("Steps: School > Classroom > *Students*"))
        #expect(students.contains("[Back] -> /welcome/classroom"))
        #expect(students.contains("[Finish]"))
        for (step, examples) in [
            ("school", ["Maple School"]), ("classroom", ["Maple room"]), ("students", ["Emma", "Martin"]),
        ] {
            let screen = try await shell.environment.page("/welcome/\(step)", as: caller)
            #expect(screen.layout == .focused)
            #expect(screen.forms.flatMap(\.fields).compactMap(\.placeholder) == examples)
        }
        // Earlier entries are shown again and can be changed.
        #expect(try await page("school").contains("<School name: text* = Maple School>"))
        try await shell.run("school", ["name": "Birch School"], as: caller)
        #expect(try await page("school").contains("<School name: text* = Birch School>"))
        #expect(try await page("classroom").contains("<Classroom name: text* = Maple room>"))
        let stored = try await draft()
        #expect(stored.schoolTint == .sky && stored.classroomTint == .clay)
        #expect(shell.founding.all.isEmpty, "nothing exists before Finish")
        #expect(try await page("school", language: .french).contains("# Comment s’appelle votre école ?"))
        guard case .screen(let screen) = try await shell.environment.screen("/welcome/school", as: caller) else {
            Issue.record("the first step leads elsewhere")
            return
        }
        #expect(screen.layout == .focused)
    }

    @Test("children are added one after another, edited and removed", .requirement("PT-3.21.a", "PT-3.21.b"))
    func children() async throws {
        try await shell.fillIn(caller, children: ["Ana", "Ben"])
        let students = try await page("students")
        #expect(students.contains("<First name: text>") && students.contains("<Last name: text>"))
        #expect(students.contains("[Add another] -> POST /api/v1/onboarding/children"))
        #expect(students.contains("## So far · 2 students"))
        #expect(students.contains("- Ana Roy [Edit Ana Roy] [Remove Ana Roy]"))
        let editing = try await page("students", query: ["edit": "1"])
        #expect(editing.contains("<First name: text = Ben>"))
        #expect(editing.contains("[Save change]"))
        try await shell.run(
            "addChild", ["firstName": "Benoît", "lastName": "Côté", "avatarTint": "berry", "position": "1"],
            as: caller)
        #expect(try await draft().children.map(\.firstName) == ["Ana", "Benoît"])
        #expect(try await draft().children[1].avatarTint == .berry)
        try await shell.run("removeChild", ["position": "0"], as: caller)
        #expect(try await draft().children.map(\.firstName) == ["Benoît"])
        #expect(
            try await problem { try await shell.run("removeChild", ["position": "7"], as: caller) } == .notFound)
        #expect(try await page("students", query: ["edit": "99"]).contains("[Add another]"))
        let nameless = try await problem { try await shell.run("addChild", ["lastName": " "], as: caller) }
        #expect(nameless?.faults == [Fault("firstName", "nameMissing")])
        try await shell.run("addChild", ["lastName": "Roy"], as: caller)
        #expect(try await page("students").contains("- Roy [Edit Roy] [Remove Roy]"))
    }

    @Test("more than sixty children are refused with a sentence, and the earlier ones stay")
    func tooMany() async throws {
        try await shell.fillIn(caller, children: (0..<60).map { "Child \($0)" })
        let refusal = try await problem { try await shell.run("addChild", ["firstName": "One more"], as: caller) }
        #expect(refusal?.code == "onboarding.tooManyChildren")
        #expect(try await draft().children.count == 60)
    }

    @Test(
        "Finish founds the school, classroom and students together and shows a celebration",
        .requirement("PT-3.21.c"))
    func finish() async throws {
        try await shell.fillIn(caller, children: ["Ana", "Ben"])
        let outcome = try await shell.run("finish", as: caller)
        #expect(outcome.destination == "/homeroom")
        #expect(outcome.feedback == Feedback(.burst, "Maple School created"))
        let founded = try #require(shell.founding.all.first)
        #expect(founded.organization.name == "Maple School")
        #expect(founded.organization.avatarTint == .sky)
        let inside = shell.classes[founded.organization.id]
        #expect(inside.classrooms.map(\.name) == ["Maple room"])
        #expect(inside.classrooms.first?.avatarTint == .clay)
        #expect(inside.students.map(\.firstName) == ["Ana", "Ben"])
        #expect(inside.students.allSatisfy { $0.classroomId == inside.classrooms.first?.id })
        #expect(try await draft() == OnboardingDraft())
    }

    @Test("a child who was filled in but not added is included")
    func typedChild() async throws {
        try await shell.fillIn(caller, children: ["Ana"])
        try await shell.run(
            "finish", ["firstName": "Ben", "lastName": "Ito", "avatarTint": "sand", "position": "-1"], as: caller)
        let founded = try #require(shell.founding.all.first)
        #expect(shell.classes[founded.organization.id].students.map(\.firstName) == ["Ana", "Ben"])
    }

    @Test("Finish founds one school when it is repeated or pressed ten times at once")
    func finishTwice() async throws {
        try await shell.fillIn(caller, children: ["Ana"])
        let (shell, caller) = (shell, caller)
        let done = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<10 {
                group.addTask {
                    do {
                        try await shell.run("finish", as: caller, key: "finish-tap-\(index)")
                        return true
                    } catch let problem as Problem {
                        #expect(problem.code == "onboarding.incomplete")
                        return false
                    } catch {
                        Issue.record(error)
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(done == 1)
        #expect(shell.founding.all.count == 1)
        #expect(
            try await problem { try await shell.run("finish", as: caller, key: "another-tap") }?.code
                == "onboarding.incomplete")
        #expect(shell.founding.all.count == 1)
    }

    @Test("the same Finish sent again gets the first answer")
    func finishReplayed() async throws {
        try await shell.fillIn(caller)
        let first = try await shell.run("finish", as: caller, key: "the-finish-tap")
        let again = try await shell.run("finish", as: caller, key: "the-finish-tap")
        #expect(again.isReplay && again.destination == first.destination && again.body == first.body)
        #expect(shell.founding.all.count == 1)
    }

    @Test("Finish without the names is refused and founds nothing")
    func unfinished() async throws {
        func finish() async throws -> String? {
            try await problem { try await shell.run("finish", ["firstName": "Ana"], as: caller) }?.code
        }
        #expect(try await finish() == "onboarding.incomplete")
        try await shell.run("school", ["name": "Maple School"], as: caller)
        #expect(try await finish() == "onboarding.incomplete")
        #expect(shell.founding.all.isEmpty)
        try await shell.run("classroom", ["name": "Maple room"], as: caller)
        #expect(try await finish() == nil)
    }

    @Test("Finish pressed on several devices at once creates one classroom")
    func finishClassroomAtOnce() async throws {
        let school = try await shell.environment.makeSchool("Joined School")
        let admin = school.makeCaller(.admin, account: caller.account)
        try await shell.run("classroom", ["name": "Birch room"], as: admin)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for tap in 0..<6 {
                group.addTask {
                    _ = try await problem {
                        try await shell.run("finishClassroom", as: admin, key: "finish-tap-\(tap)")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(shell.classes[school.organization.id].classrooms.map(\.name) == ["Birch room"])
        // The next draft has another id.
        try await shell.run("classroom", ["name": "Elm room"], as: admin)
        try await shell.run("finishClassroom", as: admin, key: "finish-of-elm")
        #expect(shell.classes[school.organization.id].classrooms.map(\.name) == ["Birch room", "Elm room"])
    }

    @Test(
        "an admin who joined with a code continues at the classroom step, and a guide goes to the main page",
        .requirement("PT-3.22.a", "PT-3.22.b"))
    func afterCode() async throws {
        let school = try await shell.environment.makeSchool("Joined School")
        let orgId = school.organization.id
        let admin = school.makeCaller(.admin, account: caller.account)
        #expect(try await shell.start(admin) == "/welcome/classroom")
        let step = try await shell.environment.outline("/welcome/classroom", as: admin)
        #expect(!step.contains("/welcome/school"), "the school is there already")
        try await shell.run("classroom", ["name": "Birch room"], as: admin)
        try await shell.run("addChild", ["firstName": "Ana"], as: admin)
        let last = try await shell.environment.outline("/welcome/students", as: admin)
        #expect(last.contains("form students -> /api/v1/onboarding/finish-classroom"))
        let outcome = try await shell.run(
            "finishClassroom", ["firstName": "Ben"], as: admin, key: "finish-of-admin")
        #expect(outcome.destination == "/homeroom")
        #expect(outcome.feedback == Feedback(.burst, "Birch room created"))
        #expect(shell.founding.all.isEmpty)
        #expect(shell.classes[orgId].classrooms.map(\.name) == ["Birch room"])
        #expect(shell.classes[orgId].students.map(\.firstName) == ["Ana", "Ben"])
        let again = try await shell.run("finishClassroom", ["firstName": "Ben"], as: admin, key: "finish-of-admin")
        #expect(again.isReplay)
        #expect(
            try await problem { try await shell.run("finishClassroom", as: admin, key: "another-tap") }?.code
                == "onboarding.incomplete")
        #expect(shell.classes[orgId].classrooms.count == 1)
        #expect(try await shell.start(admin) != "/welcome/classroom")
        let guide = school.makeCaller(.guide)
        #expect(try await shell.route(guide) == .main)
        #expect(try await problem { try await shell.run("finishClassroom", as: guide) } == .notAllowed)
    }
}
