import ClassroomInterface
import Domain
import FeatureKit
import Foundation

/// A text that a guide writes for a child's family.
struct FamilyText: Identifiable, Codable, Sendable, Hashable {
    enum Kind: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
        case summary, letter, observation
    }

    static let maxLength = 8000

    let id: UUID
    let studentId: UUID
    let kind: Kind
    let language: Language
    let firstDay: Day
    let lastDay: Day
    /// The observation that the text is about.
    let observationId: UUID?
    let text: String
    /// Increases with each change of the text.
    let version: Int
    /// The version that was approved last.
    let approvedVersion: Int?
    let updatedAt: Date

    var isApproved: Bool { approvedVersion == version }
}

/// A shared item: a copy of the text at the moment of sharing.
struct SharedItem: Identifiable, Codable, Sendable, Hashable {
    let id: UUID
    let studentId: UUID
    let kind: FamilyText.Kind
    let language: Language
    let firstDay: Day
    let lastDay: Day
    let text: String
    let textId: UUID
    let version: Int
    let sharedAt: Date
    /// The photos at the moment of sharing.
    var photos: [Photo] = []

    /// The path of a photo, for the child's family and for staff who see the child.
    func path(_ hash: BlobHash) -> String { "/shared/\(id.text)/photos/\(hash)" }
}

/// Reads and writes texts for families.
enum FamilyTextRepository {
    /// Adds a draft unless there is one of the same child, kind, language and days.
    ///
    /// - Returns: whether it was added.
    static func insert(_ text: FamilyText, by personId: UUID?, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            """
            INSERT INTO family_texts (id, student_id, kind, language, first_day, last_day, source_id, text, version,
                created_at, updated_at, updated_by)
            VALUES (\(text.id), \(text.studentId), \(text.kind), \(text.language), \(text.firstDay), \(text.lastDay),
                \(text.observationId?.text ?? ""), \(text.text), \(text.version), \(text.updatedAt),
                \(text.updatedAt), \(personId))
            ON CONFLICT (student_id, kind, language, first_day, last_day, source_id) DO NOTHING
            """) == 1
    }

    static func text(_ id: UUID, in sql: any SQLReading) throws -> FamilyText? {
        try sql.row("SELECT * FROM family_texts WHERE id = \(id)").map(text)
    }

    /// The stored text of the same child, kind, language, days and observation.
    static func text(like text: FamilyText, in sql: any SQLReading) throws -> FamilyText? {
        try sql.row(
            """
            SELECT * FROM family_texts
            WHERE student_id = \(text.studentId) AND kind = \(text.kind) AND language = \(text.language)
                AND first_day = \(text.firstDay) AND last_day = \(text.lastDay)
                AND source_id = \(text.observationId?.text ?? "")
            """
        ).map(Self.text)
    }

    /// A child's texts, the last changed first.
    static func texts(of studentId: UUID, limit: Int, in sql: any SQLReading) throws -> [FamilyText] {
        try sql.rows(
            """
            SELECT * FROM family_texts WHERE student_id = \(studentId)
            ORDER BY updated_at DESC, id DESC LIMIT \(limit)
            """
        ).map(text)
    }

    /// The letters of the week that ends on a day.
    static func letters(lastDay: Day, in sql: any SQLReading) throws -> [FamilyText] {
        try sql.rows(
            """
            SELECT * FROM family_texts WHERE kind = \(FamilyText.Kind.letter) AND last_day = \(lastDay)
            ORDER BY student_id, language
            """
        ).map(text)
    }

    static func save(
        _ text: String, version: Int, of id: UUID, by personId: UUID, at instant: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            UPDATE family_texts SET text = \(text), version = \(version), updated_by = \(personId),
                updated_at = \(instant)
            WHERE id = \(id)
            """)
    }

    static func approve(
        _ id: UUID, version: Int, by personId: UUID, at instant: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            UPDATE family_texts SET approved_version = \(version), approved_by = \(personId), approved_at = \(instant)
            WHERE id = \(id)
            """)
    }

    private static func text(_ row: SQLRow) throws -> FamilyText {
        try FamilyText(
            id: row.get("id"), studentId: row.get("student_id"), kind: row.get("kind"),
            language: row.get("language"),
            firstDay: row.get("first_day"), lastDay: row.get("last_day"),
            observationId: UUID(text: row.get("source_id", as: String.self)), text: row.get("text"),
            version: row.get("version"), approvedVersion: row.optional("approved_version"),
            updatedAt: row.get("updated_at"))
    }
}

/// Reads and writes shared items.
enum SharedItemRepository {
    static func insert(_ item: SharedItem, by personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO shared_items (id, student_id, kind, language, first_day, last_day, text, text_id, version,
                shared_by, shared_at)
            VALUES (\(item.id), \(item.studentId), \(item.kind), \(item.language), \(item.firstDay), \(item.lastDay),
                \(item.text), \(item.textId), \(item.version), \(personId), \(item.sharedAt))
            """)
        for (position, photo) in item.photos.enumerated() {
            try sql.execute(
                """
                INSERT INTO shared_photos (item_id, position, sha256, thumbnail_sha256, width, height)
                VALUES (\(item.id), \(position), \(photo.hash), \(photo.thumbnail), \(photo.width),
                    \(photo.height))
                """)
        }
    }

    /// The items that the child's family sees now, the latest first.
    static func items(of studentId: UUID, limit: Int, in sql: any SQLReading) throws -> [SharedItem] {
        try items(
            "WHERE student_id = \(studentId) AND taken_back_at IS NULL ORDER BY shared_at DESC, id DESC LIMIT \(limit)",
            in: sql)
    }

    /// A shared item; `nil` if it was taken back.
    static func item(_ id: UUID, in sql: any SQLReading) throws -> SharedItem? {
        try items("WHERE id = \(id) AND taken_back_at IS NULL", in: sql).first
    }

    /// The items with some ids that have not been taken back.
    static func items(_ ids: [UUID], in sql: any SQLReading) throws -> [SharedItem] {
        guard !ids.isEmpty else { return [] }
        return try items("WHERE id IN \(list: ids) AND taken_back_at IS NULL", in: sql)
    }

    /// The ids of all items about a child, including those taken back.
    static func ids(of studentId: UUID, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT id FROM shared_items WHERE student_id = \(studentId)").map { try $0.get("id") }
    }

    static func ids(after id: UUID?, limit: Int, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT id FROM shared_items WHERE id > \(id?.text ?? "") ORDER BY id LIMIT \(limit)").map {
            try $0.get("id")
        }
    }

    /// The child of an item, even if it was taken back.
    static func studentId(ofItem id: UUID, in sql: any SQLReading) throws -> UUID? {
        try sql.row("SELECT student_id FROM shared_items WHERE id = \(id)").map { try $0.get("student_id") }
    }

    /// The items that families see now, by the id of their text.
    static func shared(_ textIds: [UUID], in sql: any SQLReading) throws -> [UUID: SharedItem] {
        guard !textIds.isEmpty else { return [:] }
        return try items("WHERE text_id IN \(list: textIds) AND taken_back_at IS NULL", in: sql)
            .reduce(into: [:]) { $0[$1.textId] = $1 }
    }

    static func takeBack(_ id: UUID, by personId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE shared_items SET taken_back_by = \(personId), taken_back_at = \(instant)
            WHERE id = \(id) AND taken_back_at IS NULL
            """)
    }

    private static func items(_ rest: SQL, in sql: any SQLReading) throws -> [SharedItem] {
        let rows = try sql.rows("SELECT * FROM shared_items \(rest)")
        let ids: [UUID] = try rows.map { try $0.get("id") }
        guard !ids.isEmpty else { return [] }
        var photos: [UUID: [Photo]] = [:]
        for row in try sql.rows(
            "SELECT * FROM shared_photos WHERE item_id IN \(list: ids) ORDER BY item_id, position")
        {
            try photos[row.get("item_id"), default: []].append(
                Photo(
                    hash: row.get("sha256"), thumbnail: row.get("thumbnail_sha256"), width: row.get("width"),
                    height: row.get("height")))
        }
        return try rows.map { row in
            var item = try item(row)
            item.photos = photos[item.id, default: []]
            return item
        }
    }

    private static func item(_ row: SQLRow) throws -> SharedItem {
        try SharedItem(
            id: row.get("id"), studentId: row.get("student_id"), kind: row.get("kind"),
            language: row.get("language"),
            firstDay: row.get("first_day"), lastDay: row.get("last_day"), text: row.get("text"),
            textId: row.get("text_id"), version: row.get("version"), sharedAt: row.get("shared_at"))
    }
}
