import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// A release with its highlights.
struct Release: Sendable {
    let version: String
    /// The time of the release. Younger accounts have never seen an older one.
    let since: Date
    /// The names of the highlights in the catalog: `release.headline.<name>` and `release.text.<name>`.
    let highlights: [(icon: PTIcon, tint: Tint, name: String)]

    static let latest = Release(
        version: "2026.11", since: Date(timeIntervalSince1970: 1_793_491_200),  // 2026-11-01
        highlights: [
            (.passkey, .leaf, "passkeys"), (.people, .sky, "families"), (.file, .clay, "import"),
            (.lock, .berry, "account"),
        ])
}

/// Reads and writes which release each account has seen.
enum ReleaseRepository {
    static let migration = Migration(
        "002-seen-releases",
        """
        CREATE TABLE seen_releases (
            account_id TEXT PRIMARY KEY,
            version TEXT NOT NULL
        );
        """)

    static func seen(by accountId: UUID, in sql: any SQLReading) throws -> String? {
        try sql.value("SELECT version FROM seen_releases WHERE account_id = \(accountId)")
    }

    static func see(_ version: String, by accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO seen_releases (account_id, version) VALUES (\(accountId), \(version))
            ON CONFLICT (account_id) DO UPDATE SET version = excluded.version
            """)
    }
}

/// The page "What's new", shown once after an update and linked from the settings.
struct ReleaseScreens: Sendable {
    static let path = "/whats-new"

    /// Whether the account has not seen the latest release yet. Accounts that are younger than the release never do.
    static func isDue(_ account: SignedInAccount, in directory: any Database) async throws -> Bool {
        if let began = account.id.instant, began >= Release.latest.since { return false }
        let seen = try await directory.read { try ReleaseRepository.seen(by: account.id, in: $0) }
        return seen != Release.latest.version
    }

    static var routes: [ScreenRoute] {
        [ScreenRoute(path, access: .account) { .screen(page($0)) }]
    }

    private static func page(_ request: ScreenRequest) -> Screen {
        let words = request.words
        return Screen(
            title: words("release.title"), subtitle: words("release.version", Release.latest.version),
            layout: .focused,
            body: [
                .list(
                    PTList(
                        cells: Release.latest.highlights.map { item in
                            PTListCell(
                                leading: .icon(item.icon, tint: item.tint),
                                title: words("release.headline.\(item.name)"),
                                subtitle: words("release.text.\(item.name)"))
                        }, label: words("release.title"))),
                .submit(
                    SubmitButton(title: words("release.continue"), action: request.call(SeeRelease.self, to: "/"))),
            ])
    }
}
