import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import InsightsInterface

struct RecordVoice: Command {
    static let contract = Contract(
        "voice.record", "/api/v1/students/{studentId}/voice", access: .member(.keepRecords), isCreation: true,
        isOfflineCapable: true, bodyLimit: VoiceNote.bodyLimit,
        summary: "Takes a spoken note of a child: answers what was said, or stores it until someone writes it down."
    )
    typealias Result = HeardVoice

    let studentId: UUID
    let audio: UploadedFile?
    let seconds: Int
    /// The person who allowed the recording to be stored with its text, in words; `nil` if it is not stored.
    let allowedBy: String?

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        audio = fields.optionalFiles("audio", max: 1).first
        seconds = fields.integer("seconds", in: 1...VoiceNote.longest, default: 1)
        allowedBy = fields.optionalText("allowedBy", max: 200)
    }
}

struct HeardVoice: Codable, Sendable, Hashable {
    /// The id of the note that stores the recording; absent if the recording was deleted.
    let id: UUID?
    /// The text of the recording; absent if a person has to write it down.
    let transcript: String?
}

struct WriteDownVoice: Command {
    static let contract = Contract(
        "voice.writeDown", "/api/v1/students/{studentId}/voice/{noteId}", access: .member(.keepRecords),
        isCreation: true, summary: "Makes an observation of a spoken note; the recording is deleted.")
    typealias Result = Observation

    let studentId: UUID
    let noteId: UUID
    let draft: ObservationDraft

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        noteId = fields.id("noteId")
        draft = ObservationDraft(&fields)
    }
}

struct DeleteVoice: Command {
    static let contract = Contract(
        "voice.delete", "/api/v1/students/{studentId}/voice/{noteId}/delete", access: .member(.keepRecords),
        summary: "Deletes a spoken note.")
    typealias Result = Done

    let studentId: UUID
    let noteId: UUID

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        noteId = fields.id("noteId")
    }
}

struct VoiceHandlers: Sendable {
    let observations: ObservationService
    let photos: PhotoIntake
    let transcriber: (any Transcriber)?
    let consents: (any ConsentNoting)?

    /// The kind of record that the consent for recordings names.
    static let kind = "classroom.voice"

    private struct Heard: Sendable {
        let audio: BlobHash?
        let media: MediaType
        let transcript: String?
    }

    var commands: [CommandRegistration] {
        [
            .handle(RecordVoice.self, prepare: hear, run: keep),
            .handle(
                WriteDownVoice.self,
                prepare: { try await photos.put($0.draft.photos, field: "photos", $1) },
                run: { command, photos, context in
                    let note = try note(command.noteId, of: command.studentId, in: &context)
                    let made = try observations.create(
                        command.draft, with: photos, of: command.studentId, in: &context)
                    try VoiceRepository.delete(note.id, in: context.sql)
                    try StudentAccess.record("voice.writtenDown", of: note.studentId, in: &context)
                    context.feedback = Feedback(.burst, context.words("observation.saved"))
                    return made
                }),
            .handle(DeleteVoice.self) { command, context in
                let note = try note(command.noteId, of: command.studentId, in: &context)
                try VoiceRepository.delete(note.id, in: context.sql)
                try StudentAccess.record("voice.deleted", of: note.studentId, in: &context)
                context.feedback = Feedback(.toast, context.words("voice.deleted"))
                return Done()
            },
        ]
    }

    private func note(_ id: UUID, of studentId: UUID, in context: inout CommandContext) throws -> VoiceNote {
        try context.require(.keepRecords)
        try StudentAccess.check(studentId, context.membership, in: context.sql)
        guard let note = try VoiceRepository.note(id, of: studentId, in: context.sql) else {
            throw Problem.notFound
        }
        return note
    }

    /// Transcribes a recording, and checks first whether the guide may see the child. Nothing is sent to the
    /// service before.
    @Sendable
    private func hear(_ command: RecordVoice, _ context: RequestContext) async throws -> Heard {
        let membership = try context.membership
        try await context.school.read { try StudentAccess.check(command.studentId, membership, in: $0) }
        guard let sent = command.audio, let media = MediaType(try sent.content.head(MediaType.headBytes)),
            media.isSound
        else {
            throw Problem.invalid("audio", "voice.notSound")
        }
        let transcript = try await transcript(of: sent, media, context)
        let isStored = transcript == nil || (command.allowedBy != nil && consents != nil)
        return Heard(
            audio: isStored ? try await context.files.put(sent.content) : nil, media: media, transcript: transcript)
    }

    /// Returns the text of a recording; `nil` if the service is not available now. The note then waits, so that no
    /// recording is lost.
    private func transcript(
        of sent: UploadedFile, _ media: MediaType, _ context: RequestContext
    ) async throws -> String? {
        guard let transcriber, try await transcriber.isAvailable(in: context) else { return nil }
        do {
            let sound = sent.renamed("voice.\(media.fileExtension)", contentType: media.contentType)
            let text = try await transcriber.transcribe(sound, in: context.words.language, context)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            return text.isEmpty ? nil : String(text.prefix(Observation.maxLength))
        } catch is Problem {
            return nil
        }
    }

    @Sendable
    private func keep(
        _ command: RecordVoice, _ heard: Heard, _ context: inout CommandContext
    ) throws -> HeardVoice {
        try context.require(.keepRecords)
        let membership = try context.membership
        try StudentAccess.check(command.studentId, membership, in: context.sql)
        guard let audio = heard.audio else { return HeardVoice(id: nil, transcript: heard.transcript) }
        guard try VoiceRepository.notes(of: command.studentId, in: context.sql).count < VoiceNote.limit else {
            throw Problem(409, "voice.tooMany", [.number(VoiceNote.limit)])
        }
        let note = VoiceNote(
            id: context.newId(), studentId: command.studentId, audio: audio, media: heard.media,
            seconds: command.seconds, createdAt: context.now, createdByGuideId: membership.personId,
            transcript: heard.transcript)
        try VoiceRepository.insert(note, in: context.sql)
        if heard.transcript != nil, let allowedBy = command.allowedBy, let consents {
            try consents.note(allowedBy, allowing: Self.kind, about: command.studentId, in: &context)
        }
        try StudentAccess.record("voice.recorded", of: command.studentId, in: &context)
        context.feedback = Feedback(.toast, context.words("voice.saved"))
        return HeardVoice(id: note.id, transcript: heard.transcript)
    }
}
