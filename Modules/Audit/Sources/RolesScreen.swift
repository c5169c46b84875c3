import DesignSystem
import Domain
import FeatureKit
import ScreenKit

/// Settings > Members > Permissions: the permissions of all blocks and roles as a table.
struct RolesScreen: Sendable {
    let features: [Feature]

    static let path = "/settings/roles"

    var route: ScreenRoute { ScreenRoute(Self.path, access: .member(.viewRoles), tab: "/settings", make) }

    @Sendable
    private func make(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let columns =
            [PTDataTable.Column(title: words("roles.action"))]
            + Role.allCases.map { .init(title: words("role.\($0.rawValue)")) }
        let rows = features.flatMap { feature in
            feature.access.permissions.map { permission in
                PTDataTable.Row(
                    id: permission.name, header: Self.title(permission, of: feature, words),
                    cells: Role.allCases.map { role in
                        let may = permission.isGiven(to: [role])
                        return .check(may, spoken: words(may ? "roles.may" : "roles.mayNot"))
                    })
            }
        }
        return .screen(
            Screen(
                title: words("roles.title"), back: "/settings/members",
                body: [
                    .text(PTText(words("roles.subtitle"), role: .note)),
                    .table(PTDataTable(label: words("roles.title"), columns: columns, rows: rows)),
                ]))
    }

    /// The title of a permission.
    static func title(_ permission: Permission, of feature: Feature, _ words: Words) -> String {
        feature.access.titles[permission].map { words($0) } ?? permission.name
    }
}
