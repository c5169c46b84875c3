import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import ShellInterface

/// The home page (`StudentDashboardView`, `ParentDashboardView`, `TeacherDashboardView`, `AdminDashboardView`).
///
/// It has a greeting, the day's agenda, the sections of the blocks in columns, and cards for all pages.
struct HomeScreen: Sendable {
    static let path = "/home"

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .account, tab: Self.path) { request in
            guard let membership = request.context.caller.membership else { return .redirect("/") }
            let words = request.words
            let name = try request.context.account.name
            let greeting = Component.greeting(
                PTGreeting(
                    eyebrow: words.longDate(request.context.today),
                    title: words(Self.greeting(request), PersonName(fullName: name).given)))
            let offered = try await request.sections(about: .home, membership.personId)
            let parts =
                [try await HomeAgenda(request: request).section()].compactMap(\.self) + offered.filter(isPart)
            // The choice of a child and the next step are for the whole page.
            return .screen(
                Screen(
                    title: words("home.title"),
                    live: request.topics(about: .home, membership.personId) + request.agenda.flatMap(\.topics),
                    body: [greeting] + offered.filter { !isPart($0) }
                        + (parts.isEmpty ? [] : [.columns(PTColumns(parts))]) + tools(request)))
        }
    }

    /// Whether a component is one of the sections that stand in columns.
    private func isPart(_ component: Component) -> Bool {
        if case .section = component { true } else { false }
    }

    /// The greeting for the time of day at the school.
    private static func greeting(_ request: ScreenRequest) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = request.context.caller.timeZone
        return switch calendar.component(.hour, from: request.context.now) {
        case 4..<12: "home.morning"
        case 12..<18: "home.afternoon"
        default: "home.evening"
        }
    }

    /// A card for each page that the reader may open (WW-1.11). A wide screen leaves out those in its rail.
    private func tools(_ request: ScreenRequest) -> [Component] {
        let placements: Set<NavigationPlacement> = [.tabs, .beside, .courses, .account, .tools]
        // Entries without a permission, such as the settings, are in the avatar's menu.
        let entries = request.navigation.filter {
            placements.contains($0.placement) && $0.permission != nil && !$0.isCommand
        }
        // A page with two entries gets one card.
        let paths = entries.map(\.path)
        let tools = entries.enumerated().filter { paths.firstIndex(of: $1.path) == $0 }.map(\.element)
        guard !tools.isEmpty else { return [] }
        let rail = Set((request.navigation.mainTabs + request.navigation.besideMainTabs).map(\.path))
        let items = tools.enumerated().map { place, entry in
            PTCardGrid.Item(
                id: "tool-\(place)",
                leading: .icon(
                    entry.icon, tint: Tint.allCases[place % Tint.allCases.count]),
                title: request.words(entry.title), isInRail: rail.contains(entry.path), action: .open(entry.path))
        }
        return [
            .section(
                PTSection(
                    title: request.words("home.tools"),
                    body: [.cardGrid(PTCardGrid(items: items, label: request.words("home.tools"), isSmall: true))]))
        ]
    }
}
