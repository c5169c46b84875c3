import AsyncHTTPClient
public import Domain
public import FeatureKit
public import Foundation
import NIOCore
import NIOHTTP1

/// Text and speech models behind the OpenAI API ("API Reference": Chat, Audio) or a compatible server.
public struct OpenAIModels: TextModel, SpeechToText {
    /// The address of OpenAI's own service.
    public static let address = "https://api.openai.com/v1"
    /// The largest response in bytes, about a hundred times a usual answer.
    static let limit = 512 * 1024
    /// The number of attempts per request.
    static let tries = 3
    /// The longest pause between two attempts, in seconds. If the service asks for a longer one, the fault is thrown.
    static let longestPause: TimeInterval = 10
    /// The most tokens of an answer: 8,000 characters are fewer than 4,000 tokens in English and French.
    static let outputTokens = 4000

    private let address: String
    private let http: BoundedHTTP
    private let pause: @Sendable (TimeInterval) async throws -> Void

    /// Creates a client of the OpenAI API or of a compatible server.
    ///
    /// - Parameters:
    ///   - address: The base URL, without a slash at its end.
    ///   - timeout: Seconds for one attempt.
    ///   - pause: Waits between two attempts; tests do not wait.
    public init(
        at address: String = OpenAIModels.address, timeout: TimeInterval = 60,
        pause: @escaping @Sendable (TimeInterval) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.address = address
        self.pause = pause
        http = BoundedHTTP(timeout: timeout)
    }

    // MARK: - TextModel

    public func answer(_ question: ModelQuestion, key: String) async throws -> ModelAnswer {
        let body = try JSONEncoder().encode(
            ChatQuestion(
                model: question.model,
                messages: [
                    .init(role: "system", content: question.instructions),
                    .init(role: "user", content: question.text),
                ], temperature: 0.3, maxTokens: Self.outputTokens))
        let answer = try await request(
            "chat/completions", [.bytes(Array(body))], "application/json", key, ChatAnswer.self)
        // A truncated answer must not be shown as if it were complete.
        guard let choice = answer.choices.first, choice.finishReason != "length",
            let text = choice.message.content?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty
        else { throw ModelFault.unreadable }
        return ModelAnswer(
            text: text, inputTokens: max(0, answer.usage?.promptTokens ?? 0),
            outputTokens: max(0, answer.usage?.completionTokens ?? 0))
    }

    // MARK: - SpeechToText

    public func transcribe(
        _ audio: UploadedFile, in language: Language, model: String, key: String
    ) async throws -> Transcript {
        var form = MultipartForm()
        form.add("model", model)
        form.add("language", language.rawValue)
        form.add("response_format", "verbose_json")
        form.add("file", audio)
        let answer = try await request("audio/transcriptions", form.parts, form.contentType, key, SpokenAnswer.self)
        return Transcript(
            text: answer.text.trimmingCharacters(in: .whitespacesAndNewlines), seconds: max(0, answer.duration ?? 0)
        )
    }

    // MARK: - Requests

    private func request<Value: Decodable>(
        _ path: String, _ parts: [FileContent], _ type: String, _ key: String, _ answer: Value.Type
    ) async throws -> Value {
        var attempt = 1
        while true {
            do {
                return try await requestOnce(path, parts, type, key, answer)
            } catch let fault as ModelFault {
                guard attempt < Self.tries, let seconds = Self.pause(after: fault, attempt) else { throw fault }
                try await pause(seconds)
                attempt += 1
            }
        }
    }

    /// The seconds until the next attempt, or `nil` if it would fail too.
    static func pause(after fault: ModelFault, _ attempt: Int) -> TimeInterval? {
        switch fault {
        case .busy(let seconds?): TimeInterval(seconds) <= longestPause ? TimeInterval(seconds) : nil
        // Exponential backoff with jitter, so that clients do not retry all at once.
        case .busy(nil), .unreachable: pow(2, Double(attempt - 1)) * Double.random(in: 0.5...1)
        case .keyRefused, .unreadable, .refused: nil
        }
    }

    private func requestOnce<Value: Decodable>(
        _ path: String, _ parts: [FileContent], _ type: String, _ key: String, _ answer: Value.Type
    ) async throws -> Value {
        var request = HTTPClientRequest(url: "\(address)/\(path)")
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(key)")
        request.headers.add(name: "Content-Type", value: type)
        request.headers.add(name: "Accept", value: "application/json")
        let body = JoinedBody(parts)
        request.body = .stream(body, length: .known(try body.size))
        let found: BoundedHTTP.Response
        do {
            found = try await http.send(request, limit: Self.limit)
        } catch BoundedHTTP.Fault.tooLong {
            throw ModelFault.unreadable
        } catch {
            throw ModelFault.unreachable
        }
        switch found.status {
        case 200: break
        case 401, 403: throw ModelFault.keyRefused
        case 429:
            throw ModelFault.busy(retryAfter: found.retryAfter.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil })
        case 500...599: throw ModelFault.unreachable
        default: throw ModelFault.refused
        }
        do {
            return try JSONDecoder().decode(Value.self, from: found.body)
        } catch {
            throw ModelFault.unreadable
        }
    }
}

private struct ChatQuestion: Encodable {
    struct Message: Encodable {
        let role: String
        let content: String
    }
    let model: String
    let messages: [Message]
    let temperature: Double
    let maxTokens: Int

    enum CodingKeys: String, CodingKey {
        case model, messages, temperature
        case maxTokens = "max_tokens"
    }
}

private struct ChatAnswer: Decodable {
    struct Choice: Decodable {
        struct Message: Decodable { let content: String? }
        let message: Message
        let finishReason: String?

        enum CodingKeys: String, CodingKey {
            case message
            case finishReason = "finish_reason"
        }
    }
    struct Usage: Decodable {
        let promptTokens: Int
        let completionTokens: Int

        enum CodingKeys: String, CodingKey {
            case promptTokens = "prompt_tokens"
            case completionTokens = "completion_tokens"
        }
    }
    let choices: [Choice]
    let usage: Usage?
}

private struct SpokenAnswer: Decodable {
    let text: String
    let duration: Double?
}

/// A `multipart/form-data` body (RFC 7578).
struct MultipartForm {
    /// A separator that no recording contains by chance: it has 122 random bits.
    private let boundary = "pinktower-\(UUID().uuidString)"
    private var fields: [FileContent] = []

    var contentType: String { "multipart/form-data; boundary=\(boundary)" }
    /// The whole body, in order.
    var parts: [FileContent] { fields + [Self.text("--\(boundary)--\r\n")] }

    private static func text(_ text: String) -> FileContent { .bytes(Array(text.utf8)) }

    mutating func add(_ name: String, _ value: String) {
        fields.append(
            Self.text("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"))
    }

    /// Adds a file. The service recognizes the format by the extension; the rest of the name is not sent.
    mutating func add(_ name: String, _ file: UploadedFile) {
        let ending = file.name.split(separator: ".").last.map(String.init) ?? ""
        let known = ["webm", "ogg", "mp4", "m4a", "wav", "mp3"].contains(ending.lowercased()) ? ending : "webm"
        let head =
            """
            --\(boundary)\r\nContent-Disposition: form-data; name="\(name)"; filename="note.\(known)"\r\n\
            Content-Type: application/octet-stream\r\n\r\n
            """
        fields += [Self.text(head), file.content, Self.text("\r\n")]
    }
}

/// Several contents in sequence, read in portions while they are sent.
private struct JoinedBody: AsyncSequence {
    private let parts: [FileContent]

    init(_ parts: [FileContent]) { self.parts = parts }

    /// The size in bytes. Throws if a file cannot be read.
    var size: Int64 { get throws { try parts.reduce(0) { $0 + Int64(try $1.reader().size) } } }

    func makeAsyncIterator() -> Iterator { Iterator(parts: parts[...]) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var parts: ArraySlice<FileContent>
        private var reader: FileContent.Reader?
        private var place = 0

        fileprivate init(parts: ArraySlice<FileContent>) { self.parts = parts }

        mutating func next() async throws -> ByteBuffer? {
            while true {
                if let reader {
                    let bytes = try reader.read(at: place, count: 128 << 10)
                    place += bytes.count
                    if !bytes.isEmpty { return ByteBuffer(bytes: bytes) }
                }
                guard let next = parts.popFirst() else { return nil }
                (reader, place) = (try next.reader(), 0)
            }
        }
    }
}
