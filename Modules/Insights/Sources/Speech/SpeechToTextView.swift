import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import InsightsInterface
import ScreenKit

/// Transcribes a recording.
struct WriteDownSpeech: Command {
    static let contract = Contract(
        "speech.writeDown", "/api/v1/speech", access: .member(.speak), replay: .natural, bodyLimit: 12 << 20,
        summary: "Transcribes speech in English or French. Neither the recording nor the text is stored.")

    struct Result: Codable, Sendable, Hashable {
        let text: String
    }

    let audio: UploadedFile?
    let language: Language

    init(_ fields: inout FieldReader) {
        audio = fields.optionalFiles("audio", max: 1).first
        language = fields.choice("language")
    }
}

/// Settings > Speech to text (WW-1.04): dictation of any text. Recordings go to the school's service or, without
/// one, to the browser's own.
struct SpeechToTextView: Sendable {
    static let path = "/settings/speech"

    let transcriber: any Transcriber

    var commands: [CommandRegistration] {
        [
            .handle(
                WriteDownSpeech.self,
                prepare: { command, context in
                    guard let sent = command.audio,
                        let media = MediaType(try sent.content.head(MediaType.headBytes)), media.isSound
                    else {
                        throw Problem.invalid("audio", "speech.notSound")
                    }
                    let sound = sent.renamed("speech.\(media.fileExtension)", contentType: media.contentType)
                    return try await transcriber.transcribe(sound, in: command.language, context)
                        .trimmingCharacters(in: .whitespacesAndNewlines)
                },
                run: { _, text, _ in WriteDownSpeech.Result(text: text) })
        ]
    }

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .member(.speak), tab: "/settings") { request in
            let words = request.words
            // What a student says goes to the school's service alone, not to the maker of a browser.
            let isStudent = request.context.caller.isFamilyOrStudent
            var texts = Dictionary(
                uniqueKeysWithValues: Self.keys.map { (String($0.dropFirst("speech.".count)), words($0)) })
            if isStudent { texts["neither"] = words("speech.typeInstead") }
            let island = try PTIsland(
                "speech",
                properties: Properties(
                    language: words.language.rawValue, usesBrowser: !isStudent,
                    service: try await transcriber.isAvailable(in: request.context)
                        ? WriteDownSpeech.contract.path(filling: [:]) : nil,
                    words: texts),
                fallback: words("speech.noScript"))
            return .screen(
                Screen(
                    title: words("speech.title"), back: "/settings",
                    body: [.text(PTText(words("speech.explained"), role: .note)), .island(island)]))
        }
    }

    private struct Properties: Encodable {
        let language: String
        /// Whether the browser may transcribe in a school without a service.
        let usesBrowser: Bool
        /// The path of the transcription endpoint; `nil` for a school without a service.
        let service: String?
        let words: [String: String]
    }

    /// The catalog keys of the island's texts.
    private static let keys = [
        "speech.again", "speech.browser", "speech.clear", "speech.copied", "speech.copy", "speech.failed",
        "speech.language", "speech.listening", "speech.neither", "speech.refused", "speech.school", "speech.speak",
        "speech.stop", "speech.text", "speech.writing",
    ]
}

extension Permission {
    /// Having one's own speech transcribed.
    static let speak = Permission("speech.use", Set(Role.guideRoles + [.student]))
}
