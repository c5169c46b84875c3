import Domain
import FeatureKit
import Foundation

/// The SQL of recent searches, which only the person who made them can see.
enum RecentSearchRepository {
    /// The most recent searches of a person.
    static let limit = 10

    /// The table of recent searches.
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

    /// The record kind of recent searches.
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
                // Other people may have searched for the erased person by a part of her name, so all searches are
                // deleted.
                erase: { _ in "DELETE FROM recent_searches" },
                expiry: .init(of: "recent_searches", by: "searched_at", key: "person_id, query"))
        ])

    /// A person's recent searches, the latest first.
    static func list(of personId: UUID, in sql: any SQLReading) throws -> [String] {
        try sql.rows(
            """
            SELECT query FROM recent_searches WHERE person_id = \(personId)
            ORDER BY searched_at DESC, query LIMIT \(limit)
            """
        ).map { try $0.get("query") }
    }

    /// Stores a search as the latest one and deletes those above the limit.
    static func remember(
        _ query: String, of personId: UUID, at instant: Date, in sql: any SQLWriting
    ) throws {
        // Beginnings of the query were typed on the way to it.
        for earlier in try list(of: personId, in: sql) where query.hasPrefix(earlier) || earlier == query {
            try delete(earlier, of: personId, in: sql)
        }
        try sql.execute(
            """
            INSERT INTO recent_searches (person_id, query, searched_at)
            VALUES (\(personId), \(query), \(instant))
            """)
        let latest = try list(of: personId, in: sql)
        try sql.execute(
            "DELETE FROM recent_searches WHERE person_id = \(personId) AND query NOT IN \(list: latest)")
    }

    /// Deletes one search of a person.
    static func delete(_ query: String, of personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM recent_searches WHERE person_id = \(personId) AND query = \(query)")
    }

    /// Deletes all searches of a person.
    static func deleteAll(of personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM recent_searches WHERE person_id = \(personId)")
    }
}

/// Lists the caller's recent searches.
struct ListRecentSearches: Query {
    static let contract = Contract(
        "search.recent", "/api/v1/search/recent", access: .member(.belong),
        summary: "The caller's recent searches, the latest first.")
    typealias Result = Page<String>

    init(_ fields: inout FieldReader) {}
}

/// Stores a search.
struct RememberSearch: Command {
    static let contract = Contract(
        "search.remember", "/api/v1/search/recent", access: .member(.belong), replay: .natural,
        summary: "Puts a search among the caller's latest ten.")
    typealias Result = Done

    let query: String

    init(_ fields: inout FieldReader) { query = fields.text("q", max: 200) }
}

/// Deletes the caller's recent searches.
struct ClearRecentSearches: Command {
    static let contract = Contract(
        "search.forget", "/api/v1/search/recent/clear", access: .member(.belong), replay: .natural,
        summary: "Deletes the caller's recent searches.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

/// The handlers of recent searches.
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
            .handle(ClearRecentSearches.self) { _, context in
                try RecentSearchRepository.deleteAll(of: context.membership.personId, in: context.sql)
                context.feedback = Feedback(.toast, context.words("search.forgotten"))
                return Done()
            },
        ]
    }
}
