import Domain
import FeatureKit
import Foundation

/// A round of a tool that a person has finished.
struct PracticeRound: Identifiable, Codable, Sendable, Hashable {
    let id: UUID
    let personId: UUID
    let tool: PracticeTool
    /// The kind of tasks of a math quiz, the keyboard layout of a typing lesson, or the language of a word list.
    let kind: String
    /// The level that a math quiz ended with, or the lesson of the typing tutor; 0 for spelling.
    let level: Int
    /// The word list; `nil` for other tools, and for lists that come with the program or were deleted.
    let listId: UUID?
    /// The name of the word list when it was practiced; `nil` for other tools.
    let listName: String?
    /// The number of words, tasks or characters.
    let asked: Int
    /// How many of them were right at once.
    let correct: Int
    let seconds: Int
    /// The words, tasks or keys that were not.
    let missed: [String]
    let finishedAt: Date

    /// The share that was right at once, in whole percent, rounded down as on the device.
    var percent: Int { asked > 0 ? correct * 100 / asked : 0 }
    /// The characters typed in a minute.
    var speed: Int { seconds > 0 ? Int((Double(asked) * 60 / Double(seconds)).rounded()) : 0 }
}

/// Reads and writes rounds in the school's database.
enum RoundRepository {
    static let migration = Migration(
        "002-rounds",
        """
        CREATE TABLE practice_rounds (
            id TEXT PRIMARY KEY NOT NULL,
            person_id TEXT NOT NULL,
            tool TEXT NOT NULL,
            kind TEXT NOT NULL,
            level INTEGER NOT NULL,
            list_id TEXT,
            list_name TEXT,
            asked INTEGER NOT NULL,
            correct INTEGER NOT NULL,
            seconds INTEGER NOT NULL,
            missed TEXT NOT NULL,
            finished_at BIGINT NOT NULL
        );
        CREATE INDEX practice_rounds_person ON practice_rounds (person_id, finished_at);
        CREATE INDEX practice_rounds_list ON practice_rounds (list_id, finished_at);
        """)

    static func round(_ id: UUID, in sql: any SQLReading) throws -> PracticeRound? {
        try sql.row("SELECT * FROM practice_rounds WHERE id = \(id)").map(round)
    }

    /// The latest rounds of a person, newest first.
    static func rounds(of personId: UUID, limit: Int, in sql: any SQLReading) throws -> [PracticeRound] {
        try sql.rows(rounds(of: personId, limit: limit)).map(round)
    }

    static func rounds(of personId: UUID, limit: Int) -> SQL {
        """
        SELECT * FROM practice_rounds WHERE person_id = \(personId)
        ORDER BY finished_at DESC, id DESC LIMIT \(limit)
        """
    }

    /// The rounds with a word list since a time, newest first.
    static func rounds(withList listId: UUID, since: Date, in sql: any SQLReading) throws -> [PracticeRound] {
        try sql.rows(rounds(withList: listId, since: since)).map(round)
    }

    static func rounds(withList listId: UUID, since: Date) -> SQL {
        """
        SELECT * FROM practice_rounds WHERE list_id = \(listId) AND finished_at >= \(since)
        ORDER BY finished_at DESC, id DESC
        """
    }

    /// The times of the last rounds of some people. People without rounds are left out.
    static func latest(of personIds: [UUID], in sql: any SQLReading) throws -> [UUID: Date] {
        try sql.rows(ofEach: personIds) {
            """
            SELECT person_id, MAX(finished_at) AS latest FROM practice_rounds
            WHERE person_id IN \(list: $0) GROUP BY person_id
            """
        }.reduce(into: [:]) { $0[try $1.get("person_id")] = try $1.get("latest", as: Date.self) }
    }

    /// The last round of each kind and word list of a tool.
    static func latest(of personId: UUID, _ tool: PracticeTool, in sql: any SQLReading) throws -> [PracticeRound] {
        try sql.rows(latest(of: personId, tool)).map(round)
    }

    /// The statement reads each round of the person once. A subquery for each round took a time that grew with the square
    /// of their number.
    static func latest(of personId: UUID, _ tool: PracticeTool) -> SQL {
        """
        SELECT * FROM (
            SELECT *, ROW_NUMBER() OVER (
                PARTITION BY kind, COALESCE(list_id, list_name, '') ORDER BY finished_at DESC, id DESC) AS place
            FROM practice_rounds WHERE person_id = \(personId) AND tool = \(tool)) AS ranked
        WHERE place = 1 ORDER BY kind, id
        """
    }

    /// The best percent of each typing lesson, by keyboard layout.
    static func best(of personId: UUID, in sql: any SQLReading) throws -> [String: [Int: Int]] {
        try sql.rows(
            """
            SELECT kind, level, MAX(correct * 100 / asked) AS best FROM practice_rounds
            WHERE person_id = \(personId) AND tool = \(PracticeTool.typing) GROUP BY kind, level
            """
        ).reduce(into: [:]) { best, row in
            best[try row.get("kind"), default: [:]][try row.get("level")] = try row.get("best", as: Int.self)
        }
    }

    static func insert(_ round: PracticeRound, in sql: any SQLWriting) throws {
        let missed = String(decoding: try JSON.encode(round.missed), as: UTF8.self)
        try sql.execute(
            """
            INSERT INTO practice_rounds (id, person_id, tool, kind, level, list_id, list_name, asked, correct,
                seconds, missed, finished_at)
            VALUES (\(round.id), \(round.personId), \(round.tool), \(round.kind), \(round.level), \(round.listId),
                \(round.listName), \(round.asked), \(round.correct), \(round.seconds), \(missed),
                \(round.finishedAt))
            """)
    }

    private static func round(_ row: SQLRow) throws -> PracticeRound {
        try PracticeRound(
            id: row.get("id"), personId: row.get("person_id"), tool: row.get("tool"), kind: row.get("kind"),
            level: row.get("level"), listId: row.optional("list_id"), listName: row.optional("list_name"),
            asked: row.get("asked"), correct: row.get("correct"), seconds: row.get("seconds"),
            missed: JSON.decode([String].self, from: Data(row.get("missed", as: String.self).utf8)),
            finishedAt: row.get("finished_at"))
    }
}
