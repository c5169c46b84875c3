import DesignSystem
import Domain
import FeatureKit
import OrganizationInterface
import ScreenKit
import ShellInterface

/// The grouped list of the pages of Settings.
enum SettingsSidebar {
    static let path = "/settings"

    private static let groups: [(title: String, placement: NavigationPlacement)] = [
        ("settings.group.you", .settings), ("settings.group.signIn", .security), ("settings.group.school", .school),
        ("settings.group.records", .records),
    ]

    @Sendable
    static func make(_ request: ScreenRequest) -> PTSidebar {
        let words = request.words
        return PTSidebar(
            label: words("account.settings"), path: path,
            groups: groups.map { group in
                PTSidebar.Group(
                    title: words(group.title),
                    entries: request.navigation.filter { $0.placement == group.placement }.map {
                        PTNavigationEntry(title: words($0.title), icon: $0.icon, path: $0.path)
                    })
            }, beside: request.path)
    }
}
