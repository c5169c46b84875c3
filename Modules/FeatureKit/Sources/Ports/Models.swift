public import Domain

/// A question to a language model. It must not contain the name of a person.
public struct ModelQuestion: Sendable, Hashable {
    /// The instructions for the model's answer: its form, tone and language.
    public let instructions: String
    public let text: String
    /// The name of the language model that answers the question.
    public let model: String

    public init(instructions: String, text: String, model: String) {
        self.instructions = instructions
        self.text = text
        self.model = model
    }
}

/// A language model's answer, with the number of tokens that were counted for it.
public struct ModelAnswer: Sendable, Hashable {
    public let text: String
    public let inputTokens: Int
    public let outputTokens: Int

    public init(text: String, inputTokens: Int, outputTokens: Int) {
        self.text = text
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
    }
}

/// The text of a recording, and the recording's length in seconds.
public struct Transcript: Sendable, Hashable {
    public let text: String
    public let seconds: Double

    public init(text: String, seconds: Double) {
        self.text = text
        self.seconds = seconds
    }
}

/// The reason why a model did not answer.
public enum ModelFault: Error, Sendable, Hashable {
    /// The service refused the key: it is not valid, or lacks the right.
    case keyRefused
    /// The service is overloaded, or the key has reached its limit. The value is the seconds until the next try, if
    /// the service named them.
    case busy(retryAfter: Int?)
    /// The model's service could not be reached, took too long, or broke off.
    case unreachable
    /// The model's answer could not be read, or was too long.
    case unreadable
    /// The service of the model refused the request for another reason.
    case refused
}

/// The port to a language model that answers questions. Throws `ModelFault`.
public protocol TextModel: Sendable {
    /// Answers a question, using the school's key for the service.
    func answer(_ question: ModelQuestion, key: String) async throws -> ModelAnswer
}

/// The port to a service that turns recordings of speech into text. Throws `ModelFault`.
public protocol SpeechToText: Sendable {
    /// Transcribes a recording, using the school's key for the service.
    func transcribe(
        _ audio: UploadedFile, in language: Language, model: String, key: String
    ) async throws -> Transcript
}
