import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit
import ShellInterface
import TestKit
import Testing

@testable import Shell

@Suite("Home and the list of Settings")
struct HomeTests {
    private let shell: ShellFixture
    private let guide: Caller

    init() async throws {
        shell = try await ShellFixture()
        guide = try await shell.environment.makeSchool().makeCaller(.guide)
    }

    private func request(
        _ path: String = HomeScreen.path, query: [String: String] = [:], navigation: [NavigationEntry] = [],
        sections: [PageSection] = [], agenda: [AgendaSource] = []
    ) async throws -> ScreenRequest {
        ScreenRequest(
            context: try await shell.environment.context(of: guide), path: path, parameters: [:],
            query: query,
            navigation: navigation, sections: sections, agenda: agenda)
    }

    private func home(_ request: ScreenRequest) async throws -> Screen {
        guard case .screen(let screen) = try await HomeScreen().route.make(request) else { throw Problem.notFound }
        return screen
    }

    private static func section(_ title: String, _ body: [Component]) -> PageSection {
        PageSection(.home, order: 10, permission: .belong) { _, _ in
            [.section(PTSection(title: title, body: body))]
        }
    }

    @Test("home puts the sections of the blocks into columns and leaves out what is empty")
    func columns() async throws {
        let nothing = PageSection(.home, order: 5, permission: .belong) { _, _ in [] }
        let choice = PageSection(.home, order: 7, permission: .belong) { _, _ in
            [.button(PTButton(title: "Continue", action: .open("/next")))]
        }
        let screen = try await home(
            request(sections: [nothing, choice, Self.section("Classes", [.text(PTText("Maple"))])]))
        let outline = Outline(screen)
        #expect(!outline.contains("Today"))
        let (next, classes) = (
            outline.lines.firstIndex { $0.contains("[Continue]") }, outline.lines.firstIndex { $0 == "## Classes" }
        )
        #expect(try #require(next) < #require(classes))
        let parts = screen.body.compactMap { component -> Int? in
            if case .columns(let columns) = component { columns.parts.count } else { nil }
        }
        #expect(parts == [1])
        #expect(try await home(request()).body.count == 1, "only the greeting")
    }

    @Test("today shows the week, the entries of the chosen day in their order, and no lesson on a day off")
    func today() async throws {
        let today = try await request().context.today
        let monday = today.adding(days: -today.daysSinceMonday)
        let other = today == monday ? monday.adding(days: 1) : monday
        let source = AgendaSource(permission: .belong, topics: ["courses"]) { days, _ in
            #expect(days == monday...monday.adding(days: 6))
            return [
                AgendaEntry(
                    day: today, minutes: 840..<900, title: "Algebra", detail: "Room 3", tint: .sky, path: "/c/1"),
                AgendaEntry(day: today, minutes: 540..<600, title: "Botany", tint: .leaf),
                AgendaEntry(day: today, title: "Open day", tint: .sand),
                AgendaEntry(day: other, minutes: 540..<600, title: "Chess", tint: .clay),
                AgendaEntry(day: other, title: "Holiday", detail: "No school", tint: .sand, isDayOff: true),
            ]
        }
        let page = try await home(request(agenda: [source]))
        #expect(page.live.contains("courses"))
        let lines = Outline(page).lines.filter { $0.contains("- ") && !$0.contains("->") }
        #expect(lines.map { $0.contains("Open day") } == [true, false, false])
        #expect(lines.map { $0.contains("Algebra") } == [false, false, true])
        let away = Outline(try await home(request(query: ["day": other.description], agenda: [source])))
        #expect(away.contains("Holiday, No school") && !away.contains("Chess"))
        let far = Outline(try await home(request(query: ["day": "2001-01-01"], agenda: [source])))
        #expect(far.contains("## Today"), "a day of another week shows today")
    }

    @Test("the list of Settings has groups by what a person may open, and its other pages lead back to it")
    func settings() async throws {
        let navigation = [
            NavigationEntry(.settings, "account.segment", icon: .person, path: "/settings", order: 1),
            NavigationEntry(.school, "account.school", icon: .home, path: "/settings/organization", order: 1),
        ]
        let features = shell.environment.features
        let request = try await request("/settings/organization", navigation: navigation)
        let screen = request.withSidebar(Screen(title: "School"), tab: "/settings", of: features)
        #expect(screen.back == "/settings")
        #expect(
            screen.sidebar?.groups.map { $0.entries.map(\.path) } == [["/settings"], ["/settings/organization"]])
        #expect(screen.sidebar?.groups.last?.entries.first?.isCurrent == true)
        #expect(request.withSidebar(Screen(title: "Course"), tab: "/courses", of: features).sidebar == nil)
        #expect(
            request.withSidebar(Screen(title: "Step", layout: .focused), tab: "/settings", of: features).sidebar
                == nil)
    }
}
