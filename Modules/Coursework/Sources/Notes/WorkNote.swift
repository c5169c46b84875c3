import CourseworkModel
import Domain
import FeatureKit
import Foundation

/// A place on a page of a file: a point, or a rectangle that is highlighted. It is stored in fractions of the page, so that
/// it fits every size and rotation of the picture that shows the page.
struct NotePlace: Sendable, Hashable {
    /// The number of steps into which the width and the height of a page are divided.
    static let steps = 10_000

    /// The page, from 1. A picture has one page.
    let page: Int
    /// The distance from the left edge, in steps of the width.
    let left: Int
    /// The distance from the top edge, in steps of the height.
    let top: Int
    /// The width of the highlight in steps of the page's width; 0 for a point.
    let width: Int
    /// The height of the highlight in steps of the page's height; 0 for a point.
    let height: Int

    /// Reads a place whose values are fractions from 0 to 1. Places that leave the page are refused.
    init(_ fields: inout FieldReader) {
        page = fields.integer("page", in: 1...100_000, default: 1)
        left = Self.count(fields.number("x", in: 0...1))
        top = Self.count(fields.number("y", in: 0...1))
        width = Self.count(fields.optionalNumber("width", in: 0...1) ?? 0)
        height = Self.count(fields.optionalNumber("height", in: 0...1) ?? 0)
        fields.refuse(
            "width", "coursework.noteOutside", unless: left + width <= Self.steps && top + height <= Self.steps)
    }

    init(page: Int, left: Int, top: Int, width: Int, height: Int) {
        (self.page, self.left, self.top, self.width, self.height) = (page, left, top, width, height)
    }

    private static func count(_ fraction: Double) -> Int { Int((fraction * Double(steps)).rounded()) }

    /// A number of steps as a fraction from 0 to 1.
    static func fraction(_ count: Int) -> Double { Double(count) / Double(steps) }
    /// A number of steps as a whole percentage.
    static func percent(_ count: Int) -> Int { (count * 100 + steps / 2) / steps }
}

/// A note that a teacher pinned to a place on a page of a file. The file itself is never changed.
struct WorkNote: Sendable, Hashable, Identifiable {
    /// The most notes on one file.
    static let most = 200
    static let longest = 2000

    let id: UUID
    let fileId: UUID
    let studentId: UUID
    let assignmentId: UUID
    let place: NotePlace
    var text: String
    /// The person who wrote the text last.
    var authorId: UUID
    var changedAt: Date

    var version: ContentVersion { ContentVersion([text]) }
}

/// A note as the API gives it, with its place in fractions of the page.
struct PinnedNote: Codable, Sendable, Hashable {
    let id: UUID
    let fileId: UUID
    let page: Int
    let x: Double
    let y: Double
    let width: Double
    let height: Double
    let text: String
    let authorId: UUID
    let changedAt: Date

    init(_ note: WorkNote) {
        (id, fileId, text, authorId, changedAt) = (note.id, note.fileId, note.text, note.authorId, note.changedAt)
        page = note.place.page
        x = NotePlace.fraction(note.place.left)
        y = NotePlace.fraction(note.place.top)
        width = NotePlace.fraction(note.place.width)
        height = NotePlace.fraction(note.place.height)
    }
}

extension WorkMark {
    /// Whether the student may see the notes on a submission: the work was returned, and marked since it was handed in. Notes
    /// on a further attempt wait until the teacher has marked that too.
    func showsNotes(on submission: Submission) -> Bool { returnedAt != nil && markedAt >= submission.handedInAt }
}

/// Reads and writes notes in the school's database.
enum NoteRepository {
    static let migration = Migration(
        "011-notes",
        """
        CREATE TABLE coursework_notes (
            id TEXT PRIMARY KEY NOT NULL,
            file_id TEXT NOT NULL,
            student_id TEXT NOT NULL,
            assignment_id TEXT NOT NULL,
            page INTEGER NOT NULL,
            place_left INTEGER NOT NULL,
            place_top INTEGER NOT NULL,
            place_width INTEGER NOT NULL,
            place_height INTEGER NOT NULL,
            text TEXT NOT NULL,
            author_id TEXT NOT NULL,
            changed_at BIGINT NOT NULL
        );
        CREATE INDEX coursework_notes_file ON coursework_notes (file_id);
        CREATE INDEX coursework_notes_student ON coursework_notes (student_id, assignment_id);
        CREATE INDEX coursework_notes_assignment ON coursework_notes (assignment_id);
        """)

    static let records = RecordKind(
        "coursework.notes", "coursework.records.notes", personal: [.notes], erasure: .withPerson,
        tables: [
            RecordTable(
                "coursework_notes",
                export: { _ in
                    """
                    SELECT id, file_id, student_id, assignment_id, page, place_left, place_top, place_width,
                        place_height, text, author_id, changed_at
                    FROM coursework_notes ORDER BY assignment_id, student_id, id
                    """
                },
                // Only what the student may see, by the rule of `WorkMark.showsNotes`.
                about: { subject in
                    """
                    SELECT a.title, f.name, n.page, n.place_left, n.place_top, n.place_width, n.place_height, n.text,
                        n.changed_at
                    FROM coursework_notes n
                    JOIN coursework_assignments a ON a.id = n.assignment_id
                    JOIN coursework_files f ON f.id = n.file_id
                    JOIN coursework_submissions s ON s.id = f.submission_id
                    JOIN coursework_marks m ON m.student_id = n.student_id AND m.assignment_id = n.assignment_id
                    WHERE n.student_id = \(subject.personId) AND m.returned_at IS NOT NULL
                        AND m.marked_at >= s.handed_in_at
                    ORDER BY n.changed_at, n.id
                    """
                },
                erase: { "DELETE FROM coursework_notes WHERE student_id = \($0.personId)" },
                texts: .init(of: "coursework_notes", columns: ["text"]))
        ])

    /// The notes on a student's work for an assignment, as they follow each other on the pages.
    static func notes(
        of assignmentId: UUID, on studentId: UUID, in sql: any SQLReading
    ) throws -> [UUID: [WorkNote]] {
        let all = try sql.rows(
            """
            SELECT * FROM coursework_notes WHERE student_id = \(studentId) AND assignment_id = \(assignmentId)
            ORDER BY page, place_top, place_left, id
            """
        ).map(note)
        return Dictionary(grouping: all, by: \.fileId)
    }

    static func note(_ id: UUID, in sql: any SQLReading) throws -> WorkNote? {
        try sql.row("SELECT * FROM coursework_notes WHERE id = \(id)").map(note)
    }

    static func count(on fileId: UUID, in sql: any SQLReading) throws -> Int {
        try sql.row("SELECT COUNT(*) AS notes FROM coursework_notes WHERE file_id = \(fileId)")?.get("notes") ?? 0
    }

    static func insert(_ note: WorkNote, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO coursework_notes
                (id, file_id, student_id, assignment_id, page, place_left, place_top, place_width, place_height, text,
                    author_id, changed_at)
            VALUES (\(note.id), \(note.fileId), \(note.studentId), \(note.assignmentId), \(note.place.page),
                \(note.place.left), \(note.place.top), \(note.place.width), \(note.place.height), \(note.text),
                \(note.authorId), \(note.changedAt))
            """)
    }

    static func update(_ note: WorkNote, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE coursework_notes SET text = \(note.text), author_id = \(note.authorId), changed_at = \(note.changedAt)
            WHERE id = \(note.id)
            """)
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM coursework_notes WHERE id = \(id)")
    }

    static func deleteAll(of assignmentId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM coursework_notes WHERE assignment_id = \(assignmentId)")
    }

    private static func note(_ row: SQLRow) throws -> WorkNote {
        try WorkNote(
            id: row.get("id"), fileId: row.get("file_id"), studentId: row.get("student_id"),
            assignmentId: row.get("assignment_id"),
            place: NotePlace(
                page: row.get("page"), left: row.get("place_left"), top: row.get("place_top"),
                width: row.get("place_width"), height: row.get("place_height")),
            text: row.get("text"), authorId: row.get("author_id"), changedAt: row.get("changed_at"))
    }
}
