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

@Suite("The first page for a caller")
struct RoutingTests {
    let shell: ShellFixture

    init() async throws { shell = try await ShellFixture() }

    @Test(
        "each caller is sent to the first page that fits, in the specified order",
        .requirement("PG-4.05.a", "PT-3.18.a", "PT-3.18.b", "PT-3.18.c", "PT-3.19.a", "PT-3.19.b", "PT-3.19.c"))
    func table() async throws {
        let school = try await shell.environment.makeSchool()
        let orgId = school.organization.id
        let code = "8f14e45f-ceea-467f-9a36-dedd4bea2543"

        #expect(try await shell.route(.nobody) == .signIn)
        #expect(try await shell.start(.nobody) == "/sign-in")

        let newcomer = shell.newcomer()
        #expect(try await shell.route(newcomer, code: code) == .promptJoinOrganization(code: code))
        #expect(try await shell.start(newcomer, code: code) == "/join/\(code)")
        #expect(try await shell.route(newcomer) == .gettingStarted)
        #expect(try await shell.start(newcomer) == "/welcome")
        try await shell.run("start", as: newcomer)
        #expect(try await shell.route(newcomer) == .promptCreateOrganization)
        #expect(try await shell.start(newcomer) == "/welcome/school")

        let wanderer = shell.newcomer()
        shell.organizations[try #require(wanderer.account).id] = 2
        #expect(try await shell.route(wanderer) == .selectOrganization)
        #expect(try await shell.start(wanderer) == "/organizations")

        for role in [Role.superAdmin, .admin] {
            let caller = school.makeCaller(role)
            #expect(try await shell.route(caller) == .promptCreateClassroom)
            #expect(try await shell.start(caller) == "/welcome/classroom")
            #expect(try await shell.route(caller, code: code) == .promptJoinOrganization(code: code))
        }
        for role in [Role.guide, .student, .parent, .warden] {
            #expect(try await shell.route(school.makeCaller(role)) == .main)
        }
        shell.classes.add("Maple room", to: orgId)
        for role in Role.allCases { #expect(try await shell.route(school.makeCaller(role)) == .main) }
        #expect(try await shell.start(school.makeCaller(.guide)) == "/settings", "the only tab")
    }

    @Test("the first page of a new server is sign-up")
    func newServer() async throws {
        let fresh = try await ShellFixture(isNewServer: true)
        #expect(try await fresh.start(.nobody) == "/sign-up")
        #expect(try await fresh.route(.nobody) == .signIn)
    }

    @Test("an invite code from an address cannot redirect to another site")
    func hostileCode() async throws {
        let newcomer = shell.newcomer()
        for code in ["//evil.example", "../../x", "a\r\nLocation: https://evil.example", "%2f%2fevil", "a?b#c"] {
            let target = try #require(try await shell.start(newcomer, code: code))
            #expect(target.hasPrefix("/join/"))
            let rest = target.dropFirst("/join/".count)
            #expect(rest.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" })
        }
    }

    @Test(
        "the welcome page is shown once",
        .requirement("WW-15.05.a", "WW-15.05.b", "WW-15.05.c", "WW-15.01.a", "WW-15.01.b", "PT-3.23.a", "PT-3.38.a")
    )
    func gettingStarted() async throws {
        let caller = shell.newcomer()
        #expect(try await shell.start(caller) == "/welcome", "and no other page comes first")
        let page = try await shell.environment.outline("/welcome", as: caller)
        #expect(page.lines.first == "# Welcome to PinkTower · A calm home for your school.")
        #expect(page.lines[1] == "(picture tower)")
        #expect(page.lines.count { $0.hasPrefix("- ") } == 3)
        #expect(page.contains("/api/v1/onboarding/start"))
        let french = try await shell.environment.outline("/welcome", as: caller, language: .french)
        #expect(french.lines.first == "# Bienvenue dans PinkTower · Un endroit calme pour votre école.")

        let account = try #require(caller.account)
        func progress() async throws -> OnboardingProgress {
            try await shell.environment.directory.read { try OnboardingRepository.progress(of: account.id, in: $0) }
        }
        #expect(try await !progress().hasCompletedOnboarding)
        let outcome = try await shell.run("start", as: caller)
        #expect(outcome.destination == "/welcome/device")
        #expect(try await progress().hasCompletedOnboarding)
        #expect(try await !progress().hasFounded)
        #expect(try await shell.route(caller) == .promptCreateOrganization)
        // Another device or session of the same account.
        let elsewhere = Caller(
            account: SignedInAccount(
                id: account.id, sessionId: UUID(), deviceId: UUID(), email: account.email, name: account.name),
            membership: nil)
        #expect(try await shell.route(elsewhere) == .promptCreateOrganization)
        try await shell.fillIn(caller)
        try await shell.run("finish", as: caller)
        let founder = shell.inside(try #require(shell.founding.all.first), as: caller)
        #expect(try await shell.route(founder) == .main)
        #expect(try await progress().hasFounded)
    }

    @Test("the welcome page has an illustration and one button", .requirement("PT-3.38.b", "PT-3.38.c"))
    func welcome() async throws {
        let page = try await shell.environment.page("/welcome", as: shell.newcomer())
        #expect(page.hero == .tower)
        #expect(page.cells.count == 3)
        for cell in page.cells {
            guard case .icon = cell.leading else {
                Issue.record("\(cell.title) has no picture")
                continue
            }
        }
        let buttons = page.components.compactMap { component in
            if case .button(let button) = component { button } else { nil }
        }
        #expect(page.forms.map(\.submit.title) == ["Get started"])
        #expect(page.forms.map(\.submit.role) == [.primary])
        #expect(buttons.allSatisfy { $0.role != .primary })
        #expect(Outline(page).contains("[I have a code]"), "\(Outline(page))")
    }

    @Test("each role continues with its own step, once", .requirement("WW-15.01.c", "WW-15.01.d", "WW-15.04.a"))
    func roles() async throws {
        let page = try await shell.environment.outline("/welcome", as: shell.newcomer())
        #expect(page.contains("Teacher") && page.contains("Student") && page.contains("Parent"))
        // Members already have a role and are not asked for one.
        let school = try await shell.environment.makeSchool()
        let member = try await shell.environment.outline("/welcome", as: school.makeCaller(.parent))
        #expect(!member.contains("I am a"))

        let parent = shell.newcomer()
        try await shell.run("start", ["role": "parent"], as: parent)
        #expect(try await shell.route(parent) == .promptLinkChild)
        #expect(
            try await shell.environment.outline("/welcome/device", as: parent).contains("[Continue] -> /families"))

        let student = shell.newcomer()
        try await shell.run("start", ["role": "student"], as: student)
        #expect(try await shell.start(student) == "/welcome/student")
        let step = try await shell.environment.outline("/welcome/student", as: student, language: .french)
        #expect(step.contains("Maternelle") && step.contains("4e année") && step.contains("Musique"))
        let saved = try await shell.run(
            "student", ["grade": .number(4), "interests": .list(["music", "nature"])], as: student)
        #expect(saved.destination == "/join")
        #expect(try await shell.start(student) == "/join")
        let settings = try await shell.environment.outline("/settings", as: student)
        #expect(settings.contains("Grade level: Grade 4") && settings.contains("Interests: Music, Nature"))
        let refusal = try await problem {
            try await shell.run("student", ["grade": .number(99), "interests": .list(["chess"])], as: student)
        }
        #expect(refusal?.faults.map(\.field).sorted() == ["grade", "interests"])
    }

    @Test("the device page offers notifications and can be skipped", .requirement("WW-15.02"))
    func device() async throws {
        let guide = shell.newcomer()
        try await shell.run("start", as: guide)
        let page = try await shell.environment.outline("/welcome/device", as: guide)
        #expect(page.contains("[Allow]"))
        #expect(page.contains("[Continue] -> /welcome/school"))
    }

    @Test(
        "the settings link to the terms and the privacy policy", .requirement("WW-20.04.b"),
        arguments: Language.allCases)
    func legal(language: Language) async throws {
        let settings = try await shell.environment.outline("/settings", as: shell.newcomer(), language: language)
        for path in ["/terms", "/privacy"] { #expect(settings.contains("-> \(path)")) }
    }

    @Test("the release notes are shown once after an update and never to new accounts", .requirement("WW-15.06"))
    func release() async throws {
        let school = try await shell.environment.makeSchool()
        func guide(since days: Double) -> Caller {
            let ids = SystemIDGenerator()
            let instant = Release.latest.since.addingTimeInterval(days * 86_400)
            return school.makeCaller(
                .guide,
                account: SignedInAccount(
                    id: ids.id(at: instant), sessionId: ids.id(at: instant), deviceId: ids.id(at: instant),
                    email: "ana@maple.example", name: "Ana"))
        }
        #expect(try await shell.start(guide(since: 1)) == "/settings", "a younger account sees no release notes")
        let guide = guide(since: -1)
        #expect(try await shell.start(guide) == "/whats-new")
        for language in Language.allCases {
            let page = try await shell.environment.outline("/whats-new", as: guide, language: language)
            #expect(page.lines.count { $0.hasPrefix("- ") } == Release.latest.highlights.count)
            #expect(page.contains(Release.latest.version) && page.contains("/api/v1/onboarding/release"))
        }
        #expect(try await shell.run("seeRelease", as: guide).destination == "/")
        #expect(try await shell.start(guide) == "/settings")
    }

    @Test("the account page shows the name, email address, school and roles")
    func account() async throws {
        let school = try await shell.environment.makeSchool()
        let caller = school.makeCaller(.superAdmin, .parent)
        let page = try await shell.environment.outline("/settings", as: caller)
        #expect(page.contains("Name: Ana Kovač"))
        #expect(page.contains("Email: ana@maple.example"))
        #expect(page.contains("School: Maple Montessori"))
        #expect(page.contains("Roles: Super admin, Parent"))
        #expect(page.contains("beside Settings:") && page.contains("- *Account* -> /settings"))
        let french = try await shell.environment.outline("/settings", as: caller, language: .french)
        #expect(french.contains("Courriel: ana@maple.example"))
        #expect(
            try await problem { _ = try await shell.environment.screen("/settings", as: .nobody) } == .signInNeeded)
    }
}
