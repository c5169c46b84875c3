public import Domain
public import FeatureKit
public import Foundation

/// The table of a school's people, for SQL of other feature blocks that join it with their own rows. Only Organization
/// writes it.
///
/// Example: `SELECT notes.text, \(PeopleTable.columns) FROM notes JOIN \(PeopleTable.name) ON \(PeopleTable.id) =
/// notes.person_id`.
public enum PeopleTable {
    /// The name of the table of people, for SQL.
    public static let name: SQL = "people"
    /// The column with a person's id, for SQL.
    public static let id: SQL = "people.id"
    /// The columns of a person's names, tint, email address, number and grade level, for SQL.
    public static let columns: SQL = """
        people.given_name, people.family_name, people.preferred_name, people.avatar_tint, people.email, people.number,
        people.grade_level
        """
    /// The order of lists of people: by name, then by id.
    public static let order: SQL = "people.sort_key, people.id"

    /// Returns the SQL condition that a person's names or number have a word with this beginning.
    /// - Parameter word: a beginning, folded like `PersonName.searchText`.
    public static func matches(_ word: String) -> SQL {
        let pattern = word.likeEscaped
        return
            """
            (people.search_text LIKE \(pattern + "%") ESCAPE '\\'
                OR people.search_text LIKE \("% " + pattern + "%") ESCAPE '\\'
                OR LOWER(people.number) LIKE \(pattern + "%") ESCAPE '\\')
            """
    }

    /// Reads a person from a row with all columns of the table.
    public static func person(_ row: SQLRow, orgId: UUID) throws -> Person {
        try Person(
            id: row.get("id"), orgId: orgId, name: personName(row), email: row.optional("email"),
            number: row.optional("number"), gradeLevel: row.optional("grade_level"),
            avatarTint: row.get("avatar_tint"), imageURL: picture(row), createdAt: row.get("created_at"))
    }

    /// Returns the address of the picture that a person chose, from the hash of its file.
    public static func picture(_ hash: BlobHash, of id: UUID) -> String {
        "/people/\(id.text)/picture/\(hash)"
    }

    private static func picture(_ row: SQLRow) throws -> String? {
        let hash: BlobHash? = try row.optional("portrait")
        return try hash.map { try picture($0, of: row.get("id")) }
    }

    /// Reads a person's name from a row with ``columns``.
    public static func personName(_ row: SQLRow) throws -> PersonName {
        try PersonName(
            given: row.get("given_name"), family: row.get("family_name"), preferred: row.optional("preferred_name"))
    }

    /// Returns the names of these people. Unknown ids are left out.
    public static func names(_ ids: [UUID], in sql: any SQLReading) throws -> [UUID: PersonName] {
        try sql.rows(ofEach: ids) { "SELECT people.id, \(columns) FROM people WHERE people.id IN \(list: $0)" }
            .reduce(into: [:]) { names, row in names[try row.get("id")] = try personName(row) }
    }

    /// Returns the name of another person with a number; `nil` if the number is free.
    public static func holder(
        ofNumber number: String, otherThan id: UUID?, in sql: any SQLReading
    ) throws -> PersonName? {
        try sql.rows("SELECT people.id, \(columns) FROM people WHERE number = \(number) ORDER BY people.id")
            .first { try $0.get("id", as: UUID.self) != id }.map(personName)
    }

    /// The migration that creates the table of people, for Organization and for its substitute in tests.
    public static let creation = Migration(
        "001-people",
        """
        CREATE TABLE people (
            id TEXT PRIMARY KEY,
            account_id TEXT UNIQUE,
            given_name TEXT NOT NULL,
            family_name TEXT NOT NULL,
            preferred_name TEXT,
            email TEXT,
            avatar_tint TEXT NOT NULL,
            sort_key TEXT NOT NULL,
            search_text TEXT NOT NULL,
            external_id TEXT UNIQUE,
            created_at BIGINT NOT NULL
        );
        CREATE INDEX people_sort ON people (sort_key, id);
        """)
    /// The migration that adds a person's number and grade level.
    public static let schoolRecord = Migration(
        "003-school-record",
        """
        ALTER TABLE people ADD COLUMN number TEXT;
        ALTER TABLE people ADD COLUMN grade_level TEXT;
        CREATE INDEX people_number ON people (number) WHERE number IS NOT NULL;
        """)
    /// The migration that adds the hash of the picture that a person chose.
    public static let portraits = Migration("005-portraits", "ALTER TABLE people ADD COLUMN portrait TEXT;")
}
