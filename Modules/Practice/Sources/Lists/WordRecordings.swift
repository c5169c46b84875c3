import Domain
import FeatureKit
import Foundation

/// The recorded voices of words: a person who edits a list speaks its words, one at a time.
struct WordRecordings: Sendable {
    /// The longest recording in seconds, and the largest in bytes.
    static let longest = 20
    static let bytes = 2 << 20

    let access: PracticeAccess

    var commands: [CommandRegistration] {
        [
            .handle(
                RecordWord.self, prepare: store,
                run: { command, sound, context in
                    let (word, list) = try edited(command.wordId, context.membership, context.sql)
                    try WordListRepository.record(
                        word.id, (sound.hash, sound.media, context.membership.personId), in: context.sql)
                    context.record(list.change("practice.wordRecorded"))
                    context.feedback = Feedback(.toast, context.words("practice.said.recorded"))
                    return Done()
                }),
            .handle(DeleteWordRecording.self) { command, context in
                let (word, list) = try edited(command.wordId, context.membership, context.sql)
                guard word.recording != nil else { return Done() }
                try WordListRepository.record(word.id, nil, in: context.sql)
                context.record(list.change("practice.recordingDeleted"))
                context.feedback = Feedback(.toast, context.words("practice.said.recordingDeleted"))
                return Done()
            },
        ]
    }

    private struct Sound: Sendable {
        let hash: BlobHash
        let media: MediaType
    }

    /// Stores the recording before the transaction, after a check that the caller may edit the list.
    @Sendable
    private func store(_ command: RecordWord, _ context: RequestContext) async throws -> Sound {
        let membership = try context.membership
        _ = try await context.school.read { try edited(command.wordId, membership, $0) }
        guard let sent = command.audio, let media = MediaType(try sent.content.head(MediaType.headBytes)),
            media.isSound
        else { throw Problem.invalid("audio", "practice.notSound") }
        guard sent.size <= Self.bytes else {
            throw Problem.invalid("audio", "practice.soundTooLarge", [.number(Self.bytes >> 20)])
        }
        return Sound(hash: try await context.files.put(sent.content), media: media)
    }

    private func edited(
        _ wordId: UUID, _ membership: ActiveMembership, _ sql: any SQLReading
    ) throws -> (ListedWord, WordList) {
        guard let found = try WordListRepository.word(wordId, in: sql) else { throw Problem.notFound }
        return (found.word, try access.list(found.listId, editedBy: membership, in: sql))
    }

    /// The recording of a word, for everyone who may practice the list.
    var download: DownloadRoute {
        DownloadRoute("/tools/spelling/words/{wordId}/{hash}", access: .member(.practice)) { parameters, context in
            guard let wordId = parameters["wordId"].flatMap(UUID.init(text:)),
                let hash = parameters["hash"].flatMap(BlobHash.init(_:))
            else { throw Problem.notFound }
            let membership = try context.membership
            let media = try await context.school.read { sql in
                guard let found = try WordListRepository.word(wordId, in: sql), found.word.recording == hash,
                    let media = found.media
                else { throw Problem.notFound }
                _ = try access.list(found.listId, seenBy: membership, in: sql)
                return media
            }
            return try await DownloadedFile(hash, media, of: context.files)
        }
    }
}

/// Stores the recorded voice of a word.
struct RecordWord: Command {
    static let contract = Contract(
        "practice.recordWord", "/api/v1/practice/words/{wordId}/recording", access: .member(.practice),
        isCreation: true, bodyLimit: WordRecordings.bytes + (1 << 16),
        summary: "Stores the recorded voice of a word, at most 20 seconds, in the place of the one before.")
    typealias Result = Done

    let wordId: UUID
    let audio: UploadedFile?

    init(_ fields: inout FieldReader) {
        wordId = fields.id("wordId")
        audio = fields.optionalFiles("audio", max: 1).first
        // Files that are chosen have no such field.
        _ = fields.integer("seconds", in: 1...WordRecordings.longest, default: 1)
    }
}

/// Deletes the recorded voice of a word.
struct DeleteWordRecording: Command {
    static let contract = Contract(
        "practice.deleteRecording", "/api/v1/practice/words/{wordId}/recording/delete", access: .member(.practice),
        replay: .natural, summary: "Deletes the recorded voice of a word.")
    typealias Result = Done

    let wordId: UUID

    init(_ fields: inout FieldReader) { wordId = fields.id("wordId") }
}
