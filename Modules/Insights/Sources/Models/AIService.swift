import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import InsightsInterface

/// Asks a language model for texts, within the limits that the school set (PT-2.11, PT-2.12).
struct AIService: Sendable {
    let config: ConfigService
    /// The names of all people of the school, which are replaced before a text is sent to the model.
    let names: @Sendable (UUID, any SQLReading) throws -> [PersonName]

    /// The result of asking the model.
    enum Outcome: Sendable, Hashable {
        /// The model's text, and its cost.
        case written(String, microDollars: Int)
        /// No model is connected.
        case notConnected
        /// The month's limit is reached, and the model was not asked.
        case limit
        /// The model did not answer, or not usefully.
        case failed(ModelFault)

        /// The catalog key of the sentence that says who wrote the text; `nil` without a model.
        var notice: String? {
            switch self {
            case .notConnected: nil
            case .written: "ai.notice.written"
            case .limit: "ai.notice.limit"
            case .failed: "ai.notice.failed"
            }
        }
    }

    // MARK: - Text

    /// Asks the model for a summary. Only what parents may read about this child is sent, without names.
    func summary(_ writer: ChildWriter, _ language: Language, _ context: RequestContext) async throws -> Outcome {
        let schoolId = try context.membership.organization.id
        let month = ConfigService.month(context.today)
        let (settings, used, people) = try await context.school.read { sql in
            (
                try ModelRepository.settings(in: sql), try ModelRepository.used(in: month, sql),
                try names(schoolId, sql)
            )
        }
        guard let access = try config.access(settings, of: schoolId) else { return .notConnected }
        guard used < settings.monthlyLimit * 1_000_000 else { return .limit }
        let facts = writer.facts
        var pseudonyms = Pseudonyms(people + [PersonName(given: writer.name, family: "")], hiding: facts)
        let child = pseudonyms.hide(writer.name)
        let question = ModelQuestion(
            instructions: writer.words("model.summary", child), text: pseudonyms.hide(facts),
            model: access.textModel)
        do {
            let answer = try await config.models.text.answer(question, key: access.key)
            guard let text = pseudonyms.restore(answer.text) else { return .failed(.unreadable) }
            return .written(String(text.prefix(FamilyText.maxLength)), microDollars: ModelPrice.text(answer))
        } catch let fault as ModelFault {
            return .failed(fault)
        }
    }
}

extension ChildWriter {
    /// The facts that are sent to the model: what parents may read, with the guide's notes in full.
    var facts: String {
        let notes = notesForParents.map { words("model.note", day($0.day), $0.content) }
        return
            (summary().paragraphs.flatMap(\.self).filter { sentence in
                !sentence.sources.contains { $0.kind == .observation }
            }.map(\.text) + notes).joined(separator: "\n")
    }
}

/// Transcribes spoken notes with the school's model.
struct ModelTranscriber: Transcriber {
    let config: ConfigService

    func isAvailable(in context: RequestContext) async throws -> Bool {
        let settings = try await context.school.read { try ModelRepository.settings(in: $0) }
        return try config.access(settings, of: context.membership.organization.id) != nil
    }

    func transcribe(_ audio: UploadedFile, in language: Language, _ context: RequestContext) async throws -> String
    {
        let schoolId = try context.membership.organization.id
        let month = ConfigService.month(context.today)
        let (settings, used) = try await context.school.read { sql in
            (try ModelRepository.settings(in: sql), try ModelRepository.used(in: month, sql))
        }
        guard let access = try config.access(settings, of: schoolId) else { throw Problem(409, "ai.none") }
        guard used < settings.monthlyLimit * 1_000_000 else {
            throw Problem(409, "ai.limit", [.number(settings.monthlyLimit)])
        }
        do {
            let transcript = try await config.models.speech.transcribe(
                audio, in: language, model: access.speechModel, key: access.key)
            let cost = ModelPrice.speech(transcript)
            // conformance: allow write - the transcript has cost money, even if the command that needs it fails
            try await context.school.write { try ModelRepository.add(cost, to: month, in: $0) }
            return transcript.text
        } catch let fault as ModelFault {
            throw fault.problem
        }
    }
}

extension ModelFault {
    /// The problem for the caller.
    var problem: Problem {
        switch self {
        case .keyRefused: Problem(502, "ai.keyRefused")
        case .busy(let seconds): Problem(503, "ai.busy", retryAfter: seconds)
        case .unreachable: Problem(503, "ai.unreachable")
        case .unreadable, .refused: Problem(502, "ai.unreadable")
        }
    }
}
