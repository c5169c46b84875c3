import Domain
import FeatureKit
import Foundation
import NIOCore
import NIOPosix
import Synchronization
import TestKit
import Testing

@testable import Integrations

/// A response of the chat completions endpoint.
private func completion(_ text: String, finish: String = "stop") -> String {
    """
    {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-4o-mini-2024-07-18",
     "choices": [{"index": 0, "message": {"role": "assistant", "content": "\(text)", "refusal": null},
                  "logprobs": null, "finish_reason": "\(finish)"}],
     "usage": {"prompt_tokens": 120, "completion_tokens": 34, "total_tokens": 154}}
    """
}

@Suite("Models behind the OpenAI API")
struct OpenAIModelsTests {
    private static let question = ModelQuestion(
        instructions: "Write kindly.", text: "[Person-1] sang.", model: "gpt-4o-mini")

    /// Records the pauses in seconds instead of waiting.
    private final class Pauses: Sendable {
        private let all = Mutex<[TimeInterval]>([])
        var seconds: [TimeInterval] { all.withLock { $0 } }
        func add(_ seconds: TimeInterval) { all.withLock { $0.append(seconds) } }
    }

    private func models(
        _ server: StandInModels, timeout: TimeInterval = 120, _ pauses: Pauses = Pauses()
    ) -> OpenAIModels {
        OpenAIModels(at: "\(server.address)/v1", timeout: timeout, pause: { pauses.add($0) })
    }

    private func fault(
        _ replies: [StandInModels.Reply], timeout: TimeInterval = 120, _ pauses: Pauses = Pauses()
    ) async throws -> (ModelFault?, asked: Int) {
        try await StandInModels.with(replies) { server in
            var fault: ModelFault?
            do {
                _ = try await models(server, timeout: timeout, pauses).answer(Self.question, key: "sk-test")
            } catch let caught as ModelFault {
                fault = caught
            }
            return (fault, server.requests.count)
        }
    }

    @Test("a question becomes a chat completion request, and the answer has its token counts")
    func chat() async throws {
        try await StandInModels.with([.json(200, completion(" A calm day.\\n"))]) { server in
            let answer = try await models(server).answer(Self.question, key: "sk-test-123")
            #expect(answer == ModelAnswer(text: "A calm day.", inputTokens: 120, outputTokens: 34))
            let request = try #require(server.requests.first)
            #expect(request.head.hasPrefix("POST /v1/chat/completions HTTP/1.1\r\n"))
            #expect(request.head.lowercased().contains("\r\nauthorization: bearer sk-test-123\r\n"))
            #expect(request.head.lowercased().contains("\r\ncontent-type: application/json\r\n"))
            let body = try #require(
                try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
            #expect(body["model"] as? String == "gpt-4o-mini")
            #expect(body["max_tokens"] as? Int == OpenAIModels.outputTokens)
            let messages = try #require(body["messages"] as? [[String: String]])
            #expect(messages.map { $0["role"] } == ["system", "user"])
            #expect(messages.map { $0["content"] } == ["Write kindly.", "[Person-1] sang."])
        }
    }

    @Test("a recording becomes a form with its language and a neutral file name")
    func speech() async throws {
        let spoken = #"{"task": "transcribe", "language": "french", "duration": 3.5, "text": " Noah chante. "}"#
        try await StandInModels.with([.json(200, spoken)]) { server in
            let audio = UploadedFile(
                name: "Noah Ruiz.ogg", contentType: "audio/ogg", bytes: [0x4F, 0x67, 0x67, 0x53, 0, 13, 10])
            let transcript = try await models(server).transcribe(
                audio, in: .french, model: "whisper-1", key: "sk-test")
            #expect(transcript == Transcript(text: "Noah chante.", seconds: 3.5))
            let request = try #require(server.requests.first)
            #expect(request.head.hasPrefix("POST /v1/audio/transcriptions HTTP/1.1\r\n"))
            let boundary = try #require(request.head.firstMatch(of: /boundary=(\S+)/)?.1)
            let body = String(decoding: request.body, as: UTF8.self)
            #expect(
                body.contains(
                    "--\(boundary)\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nwhisper-1\r\n"))
            #expect(body.contains("name=\"language\"\r\n\r\nfr\r\n"))
            #expect(body.contains("name=\"file\"; filename=\"note.ogg\"\r\n"))
            #expect(body.hasSuffix("OggS\0\r\n\r\n--\(boundary)--\r\n"))
            #expect(!body.contains("Noah"))
        }
    }

    @Test("a refused key is reported without another attempt", arguments: [401, 403])
    func keyRefused(_ status: Int) async throws {
        let (fault, asked) = try await fault([.json(status, #"{"error": {"code": "invalid_api_key"}}"#)])
        #expect(fault == .keyRefused)
        #expect(asked == 1)
    }

    @Test("a busy service is asked again after the time that it states")
    func retryAfter() async throws {
        let pauses = Pauses()
        let (fault, asked) = try await fault(
            [.json(429, "{}", ["Retry-After: 7"]), .json(200, completion("Good."))], pauses)
        #expect(fault == nil)
        #expect(asked == 2)
        #expect(pauses.seconds == [7])
    }

    @Test("a stated pause beyond ten seconds is reported instead of waited for")
    func longRetryAfter() async throws {
        let pauses = Pauses()
        let (fault, asked) = try await fault([.json(429, "{}", ["Retry-After: 3600"])], pauses)
        #expect(fault == .busy(retryAfter: 3600))
        #expect(asked == 1)
        #expect(pauses.seconds.isEmpty)
    }

    @Test("a failing service is tried three times with growing pauses")
    func stumbles() async throws {
        let pauses = Pauses()
        let (fault, asked) = try await fault(
            [.json(500, "oops"), .json(503, ""), .json(200, completion("Good."))], pauses)
        #expect(fault == nil)
        #expect(asked == 3)
        #expect(pauses.seconds.count == 2)
        #expect((0.5...1).contains(pauses.seconds[0]) && (1...2).contains(pauses.seconds[1]))
        let (last, tries) = try await self.fault([.json(500, ""), .json(502, ""), .json(500, ""), .json(200, "")])
        #expect(last == .unreachable)
        #expect(tries == OpenAIModels.tries)
    }

    @Test("an incomplete response is tried again and then given up")
    func cutOff() async throws {
        let half = StandInModels.Reply.raw(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{\"choices\": [",
            closes: true)
        let (fault, asked) = try await fault([half, half, half])
        #expect(fault == .unreachable)
        #expect(asked == 3)
    }

    @Test("a silent service times out")
    func silent() async throws {
        let (fault, _) = try await fault([.silence, .silence, .silence], timeout: 0.3)
        #expect(fault == .unreachable)
    }

    @Test(
        "an unreadable response is not shown",
        arguments: [
            "<html>502</html>", "{}", #"{"choices": []}"#, completion(""),
            completion("A letter that br", finish: "length"),
            #"{"choices": [{"message": {"content": null}}]}"#,
        ])
    func garbage(_ body: String) async throws {
        let (fault, asked) = try await fault([.json(200, body)])
        #expect(fault == .unreadable)
        #expect(asked == 1)
    }

    @Test("an endless response is not read to its end")
    func enormous() async throws {
        let (fault, asked) = try await fault([.json(200, String(repeating: "x", count: OpenAIModels.limit + 1))])
        #expect(fault == .unreadable)
        #expect(asked == 1)
    }

    @Test("a refused question or a redirect is not tried again", arguments: [400, 404, 413, 302])
    func refused(_ status: Int) async throws {
        let (fault, asked) = try await fault([.json(status, "{}", ["Location: http://127.0.0.1:1/"])])
        #expect(fault == .refused)
        #expect(asked == 1)
    }

    @Test("a service that does not listen is unreachable")
    func nobody() async throws {
        let models = OpenAIModels(at: "http://127.0.0.1:1/v1", timeout: 0.3, pause: { _ in })
        await #expect(throws: ModelFault.unreachable) { try await models.answer(Self.question, key: "sk-test") }
    }
}

/// A stand-in for a model service, which sends the given bytes from a local port.
final class StandInModels: Sendable {
    enum Reply: Sendable {
        case raw(String, closes: Bool)
        case silence

        static func json(_ status: Int, _ body: String, _ headers: [String] = []) -> Reply {
            let all = ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] + headers
            return .raw(
                "HTTP/1.1 \(status) Status\r\n\(all.joined(separator: "\r\n"))\r\n\r\n\(body)", closes: false)
        }
    }
    struct Asked: Sendable {
        let head: String
        let body: [UInt8]
    }

    private struct State {
        var replies: [Reply]
        var asked: [Asked] = []
        var address = ""
    }
    private let state: Mutex<State>

    var address: String { state.withLock { $0.address } }
    var requests: [Asked] { state.withLock { $0.asked } }

    private init(_ replies: [Reply]) { state = Mutex(State(replies: replies)) }

    fileprivate func take(_ asked: Asked) -> Reply {
        state.withLock { state in
            state.asked.append(asked)
            return state.replies.isEmpty
                ? .raw("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n", closes: false)
                : state.replies.removeFirst()
        }
    }

    static func with<Value>(
        _ replies: [Reply], _ work: (StandInModels) async throws -> Value
    ) async throws -> Value {
        let standIn = StandInModels(replies)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Conversation(standIn))
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        standIn.state.withLock { $0.address = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
        do {
            let value = try await work(standIn)
            try await channel.close()
            return value
        } catch {
            try await channel.close()
            throw error
        }
    }
}

/// Reads whole requests and writes the replies.
private final class Conversation: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let standIn: StandInModels
    private var read: [UInt8] = []

    init(_ standIn: StandInModels) { self.standIn = standIn }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        read += Array(unwrapInboundIn(data).readableBytesView)
        let text = String(decoding: read, as: UTF8.self)
        guard let end = Self.endOfHead(read) else { return }
        let head = String(decoding: read[..<end], as: UTF8.self)
        let length =
            text.lowercased().firstMatch(of: /content-length: ([0-9]+)/).flatMap { Int($0.1) } ?? 0
        guard read.count >= end + length else { return }
        let reply = standIn.take(StandInModels.Asked(head: head, body: Array(read[end..<(end + length)])))
        read.removeFirst(end + length)
        guard case .raw(let answer, let closes) = reply else { return }
        let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)))
        if closes {
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            written.whenComplete { _ in bound.value.close(promise: nil) }
        }
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard bytes.count >= mark.count else { return nil }
        return (0...(bytes.count - mark.count)).first { Array(bytes[$0..<($0 + mark.count)]) == mark }
            .map { $0 + mark.count }
    }
}
