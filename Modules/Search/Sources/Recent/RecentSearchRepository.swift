import Domain
import FeatureKit
import Foundation

/// What somebody searched for lately, kept for them alone.
enum RecentSearchRepository {
    static let limit = 10

    static let migration = Migration(
        "001-recent",
        """
        CREATE TABLE recent_searches (
            person_id TEXT NOT NULL,
            query TEXT NOT NULL,
            searched_at BIGINT NOT NULL,
            PRIMARY KEY (person_id, query)
        );
        """)

    static let record = RecordKind(
        "search.recent", "search.records.recent", personal: [.activity], retention: .days(90, in: 7...365),
        erasure: .withPerson,
        tables: [
            RecordTable(
                "recent_searches",
                about: { subject in
                    """
                    SELECT query, searched_at FROM recent_searches WHERE person_id = \(subject.personId)
                    ORDER BY searched_at, query
                    """
                },
                // Others have searched for the person, perhaps by half a name: what everybody searched for goes.
                erase: { _ in "DELETE FROM recent_searches" },
                expiry: .init(of: "recent_searches", by: "searched_at", key: "person_id, query"))
        ])

    /// The latest first.
    static func list(of personId: UUID, in sql: any SQLReading) throws -> [String] {
        try sql.rows(
            """
            SELECT query FROM recent_searches WHERE person_id = \(personId)
            ORDER BY searched_at DESC, query LIMIT \(limit)
            """
        ).map { try $0.get("query") }
    }

    /// Puts a search first; those beyond the limit are forgotten.
    static func remember(
        _ query: String, of personId: UUID, at instant: Date, in sql: any SQLWriting
    ) throws {
        // What was typed on the way to this search is no search of its own.
        for earlier in try list(of: personId, in: sql) where query.hasPrefix(earlier) || earlier == query {
            try forget(earlier, of: personId, in: sql)
        }
        try sql.execute(
            """
            INSERT INTO recent_searches (person_id, query, searched_at)
            VALUES (\(personId), \(query), \(instant))
            """)
        let kept = try list(of: personId, in: sql)
        try sql.execute("DELETE FROM recent_searches WHERE person_id = \(personId) AND query NOT IN \(list: kept)")
    }

    static func forget(_ query: String, of personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM recent_searches WHERE person_id = \(personId) AND query = \(query)")
    }

    static func forgetAll(of personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM recent_searches WHERE person_id = \(personId)")
    }
}

struct ListRecentSearches: Query {
    static let contract = Contract(
        "search.recent", "/api/v1/search/recent", access: .member(.belong),
        summary: "What the caller searched for lately, the latest first.")
    typealias Result = Page<String>

    init(_ fields: inout FieldReader) {}
}

struct RememberSearch: Command {
    static let contract = Contract(
        "search.remember", "/api/v1/search/recent", access: .member(.belong), replay: .natural,
        summary: "Puts a search among the caller's latest ten.")
    typealias Result = Done

    let query: String

    init(_ fields: inout FieldReader) { query = fields.text("q", max: 200) }
}

struct ForgetSearches: Command {
    static let contract = Contract(
        "search.forget", "/api/v1/search/recent/clear", access: .member(.belong), replay: .natural,
        summary: "Forgets what the caller searched for.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

/// The handlers of what was searched for.
enum RecentSearchHandlers {
    static var queries: [QueryRegistration] {
        [
            .handle(ListRecentSearches.self) { _, context in
                let personId = try context.membership.personId
                return Page(
                    items: try await context.school.read { try RecentSearchRepository.list(of: personId, in: $0) },
                    next: nil)
            }
        ]
    }

    static var commands: [CommandRegistration] {
        [
            .handle(RememberSearch.self) { command, context in
                try RecentSearchRepository.remember(
                    command.query, of: context.membership.personId, at: context.now, in: context.sql)
                return Done()
            },
            .handle(ForgetSearches.self) { _, context in
                try RecentSearchRepository.forgetAll(of: context.membership.personId, in: context.sql)
                context.feedback = Feedback(.toast, context.words("search.forgotten"))
                return Done()
            },
        ]
    }
}
