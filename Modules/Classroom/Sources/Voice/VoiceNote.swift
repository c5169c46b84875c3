import ClassroomInterface
import Domain
import FeatureKit
import Foundation

/// A recording in which a guide speaks about a child, waiting to be written down or stored with its text.
struct VoiceNote: Identifiable, Codable, Sendable, Hashable {
    let id: UUID
    let studentId: UUID
    let audio: BlobHash
    let media: MediaType
    let seconds: Int
    let createdAt: Date
    let createdByGuideId: UUID
    /// The text of the recording, if it is stored with it; the consent log names who allowed this.
    let transcript: String?

    static let longest = 600
    /// The largest body of a command with a recording, in bytes: ten minutes of speech as browsers record it.
    static let bodyLimit = 12 << 20
    /// The largest number of voice notes that can wait for one child.
    static let limit = 50
}

enum VoiceRepository {
    static func insert(_ note: VoiceNote, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO voice_notes (id, student_id, sha256, media, seconds, transcript, created_at, created_by)
            VALUES (\(note.id), \(note.studentId), \(note.audio), \(note.media), \(note.seconds),
                \(note.transcript), \(note.createdAt), \(note.createdByGuideId))
            """)
    }

    /// Returns a child's voice notes, oldest first.
    static func notes(of studentId: UUID, in sql: any SQLReading) throws -> [VoiceNote] {
        try sql.rows(
            """
            SELECT * FROM voice_notes WHERE student_id = \(studentId) ORDER BY created_at, id
            """
        ).map(note)
    }

    static func note(_ id: UUID, of studentId: UUID, in sql: any SQLReading) throws -> VoiceNote? {
        try sql.row("SELECT * FROM voice_notes WHERE id = \(id) AND student_id = \(studentId)").map(note)
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM voice_notes WHERE id = \(id)")
    }

    private static func note(_ row: SQLRow) throws -> VoiceNote {
        try VoiceNote(
            id: row.get("id"), studentId: row.get("student_id"), audio: row.get("sha256"), media: row.get("media"),
            seconds: row.get("seconds"), createdAt: row.get("created_at"), createdByGuideId: row.get("created_by"),
            transcript: row.optional("transcript"))
    }
}

/// The download of voice notes. Each request checks whether the caller may write about the child.
enum VoiceDownload {
    static func path(_ note: VoiceNote) -> String {
        "/students/\(note.studentId.text)/voice/\(note.id.text)/audio"
    }

    static let route = DownloadRoute(
        "/students/{studentId}/voice/{noteId}/audio", access: .member(.keepRecords)
    ) { parameters, context in
        guard let studentId = parameters["studentId"].flatMap(UUID.init(text:)),
            let noteId = parameters["noteId"].flatMap(UUID.init(text:))
        else { throw Problem.notFound }
        let membership = try context.membership
        let note = try await context.school.read { sql in
            try StudentAccess.check(studentId, membership, in: sql)
            guard let note = try VoiceRepository.note(noteId, of: studentId, in: sql) else {
                throw Problem.notFound
            }
            return note
        }
        return try await DownloadedFile(note.audio, note.media, of: context.files)
    }
}
