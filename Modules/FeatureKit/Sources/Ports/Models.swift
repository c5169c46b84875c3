public import Domain

/// What a language model is asked. No name of a person belongs in it.
public struct ModelQuestion: Sendable, Hashable {
    /// How it is to answer.
    public let instructions: String
    public let text: String
    public let model: String

    public init(instructions: String, text: String, model: String) {
        self.instructions = instructions
        self.text = text
        self.model = model
    }
}

/// What a language model answered, and what it counted for that.
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

/// What was spoken, and for how long.
public struct Transcript: Sendable, Hashable {
    public let text: String
    public let seconds: Double

    public init(text: String, seconds: Double) {
        self.text = text
        self.seconds = seconds
    }
}

/// Why a model did not answer.
public enum ModelFault: Error, Sendable, Hashable {
    /// The key is none, or may not do this.
    case keyRefused
    /// It has too much to do, or this key has used up what it may; seconds until it may be asked again, where it
    /// said so.
    case busy(retryAfter: Int?)
    /// It could not be reached, took too long, or broke off.
    case unreachable
    /// It answered what nobody understands, or without end.
    case unreadable
    /// It did not take what it was asked.
    case refused
}

/// Answers in language. Throws `ModelFault`.
public protocol TextModel: Sendable {
    func answer(_ question: ModelQuestion, key: String) async throws -> ModelAnswer
}

/// Writes down what is said. Throws `ModelFault`.
public protocol SpeechToText: Sendable {
    func transcribe(
        _ audio: UploadedFile, in language: Language, model: String, key: String
    ) async throws -> Transcript
}
