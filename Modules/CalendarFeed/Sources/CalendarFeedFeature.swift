public import CalendarFeedInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
import ScreenKit

/// The CalendarFeed feature block: a private iCalendar address for each person, which calendar apps read.
public enum CalendarFeedFeature {
    /// Builds the CalendarFeed feature block.
    ///
    /// - Parameters:
    ///   - sources: the sources of events of all feature blocks.
    ///   - directory: the server's directory database, where addresses are stored.
    ///   - memberships: finds the school and roles of the person whose feed is read.
    ///   - publicURL: the address of this server.
    public static func make(
        sources: [any CalendarSource], directory: any Database, memberships: any MembershipResolver,
        hasher: any SecretHasher, ids: any IDGenerator, publicURL: String
    ) throws -> Feature {
        let handlers = FeedHandlers(hasher: hasher)
        var feature = Feature("CalendarFeed", catalog: try StringCatalog(in: .module))
        feature.storage.directoryMigrations = CalendarFeedMigrations.directory
        feature.storage.schoolMigrations = CalendarFeedMigrations.school
        feature.storage.records = CalendarFeedRecordStore.kinds
        // A program with a token must not be able to make an address that outlives the token.
        feature.access.personalAreas = ["calendarFeed"]
        feature.endpoints.queries = handlers.queries
        feature.endpoints.commands = handlers.commands
        feature.endpoints.downloads = [
            FeedDownload(
                sources: sources, directory: directory, memberships: memberships, hasher: hasher,
                publicURL: publicURL
            ).route
        ]
        feature.pages.screens = FeedScreen(handlers: handlers, ids: ids, publicURL: publicURL).routes
        feature.pages.navigation = [
            NavigationEntry(
                .settings, "calendarFeed.title", icon: .calendar, path: FeedScreen.path, order: 25,
                permission: .belong)
        ]
        feature.audit.title = "calendarFeed.title"
        feature.audit.kinds = [
            AuditKind("calendarFeed.created", "audit.calendarFeed.created"),
            AuditKind("calendarFeed.revoked", "audit.calendarFeed.revoked"),
        ]
        return feature
    }
}

/// The block's tables.
enum CalendarFeedMigrations {
    static let directory = [
        Migration(
            "001-feeds",
            """
            CREATE TABLE calendar_feeds (
                account_id TEXT NOT NULL,
                organization_id TEXT NOT NULL,
                id TEXT NOT NULL,
                person_id TEXT NOT NULL,
                fingerprint TEXT NOT NULL UNIQUE,
                has_second_factor INTEGER NOT NULL,
                language TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (account_id, organization_id)
            );
            CREATE INDEX calendar_feeds_organization ON calendar_feeds (organization_id);
            """)
    ]

    static let school = [
        Migration(
            "001-events",
            """
            CREATE TABLE calendar_events (
                person_id TEXT NOT NULL,
                event_id TEXT NOT NULL,
                sequence BIGINT NOT NULL,
                fingerprint TEXT NOT NULL,
                changed_at BIGINT NOT NULL,
                starts TEXT NOT NULL,
                last_day TEXT NOT NULL,
                cancelled_at BIGINT,
                PRIMARY KEY (person_id, event_id)
            );
            """)
    ]
}

/// The block's tables and the rules for export and erasure of their rows.
enum CalendarFeedRecordStore {
    static let kinds = [
        RecordKind(
            "calendarFeed.feeds", "calendarFeed.records.feeds", store: .directory, personal: [.credentials],
            erasure: .withAccount,
            tables: [
                RecordTable(
                    "calendar_feeds",
                    about: {
                        """
                        SELECT created_at FROM calendar_feeds
                        WHERE account_id = \($0.accountId) AND organization_id = \($0.schoolId)
                        """
                    },
                    erase: {
                        """
                        DELETE FROM calendar_feeds
                        WHERE organization_id = \($0.schoolId) AND person_id = \($0.personId)
                        """
                    },
                    eraseSchool: { "DELETE FROM calendar_feeds WHERE organization_id = \($0)" },
                    eraseAccount: { "DELETE FROM calendar_feeds WHERE account_id = \($0)" })
            ]),
        RecordKind(
            "calendarFeed.events", "calendarFeed.records.events", personal: [.activity], erasure: .withPerson,
            tables: [
                RecordTable(
                    "calendar_events",
                    about: {
                        """
                        SELECT event_id, sequence, changed_at, cancelled_at FROM calendar_events
                        WHERE person_id = \($0.personId) ORDER BY event_id
                        """
                    },
                    erase: { "DELETE FROM calendar_events WHERE person_id = \($0.personId)" })
            ]),
    ]
}
