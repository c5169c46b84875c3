public import Domain
public import FeatureKit

/// Converts recordings of spoken notes to text.
public protocol Transcriber: Sendable {
    /// Whether the caller's school has set up a service that transcribes recordings.
    func isAvailable(in context: RequestContext) async throws -> Bool
    /// Returns the text of a recording.
    /// - Parameters:
    ///   - audio: WebM, Ogg, MP4 or WAV, as a browser records it.
    ///   - language: the language that is spoken.
    /// - Throws: `Problem` if the service fails, with a sentence for the person who spoke.
    func transcribe(_ audio: UploadedFile, in language: Language, _ context: RequestContext) async throws -> String
}
