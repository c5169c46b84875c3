import Domain
import FeatureKit
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

/// Thrown when the client disconnected, or was disconnected, during its request; no response can be sent.
struct ClientDisconnected: Error {}

/// Reads the body of one command. Checks the head before it reads, writes large files to disk, and counts everything
/// against the limits of the client's network.
///
///
/// `release` returns the cost and removes the files.
final class BodyIntake {
    private enum Kind {
        case json
        case urlEncoded
        case multipart(boundary: String?)
        /// The request has no content type; the body must be empty.
        case none
        case other
    }

    private let request: Request
    private let kind: Kind
    /// The largest body that is accepted.
    private let limit: Int
    /// The `Content-Length`; `nil` for chunked bodies.
    private let declared: Int?
    private let settings: WebSettings
    private let budget: BodyBudget
    private let context: WebContext
    private var files: RequestFiles?
    private var cost = BodyBudget.Cost()
    private var hasBegun = false

    private var limits: ServerLimits { settings.limits }
    /// The network of the client.
    private lazy var network = ClientNetwork.name(context.clientAddress(request, trustsProxy: settings.trustsProxy))

    init(_ request: Request, _ contract: Contract, _ dependencies: WebDependencies, _ context: WebContext) {
        self.request = request
        self.context = context
        budget = dependencies.bodies
        settings = dependencies.settings
        declared = request.headers[.contentLength].flatMap { Int($0) }
        kind = Self.kind(of: request.headers[.contentType] ?? "")
        // Only files may exceed the memory limit, and only multipart bodies have files.
        let inMemory = dependencies.settings.limits.bodyInMemory
        limit = if case .multipart = kind { contract.bodyLimit } else { min(contract.bodyLimit, inMemory) }
    }

    private static func kind(of type: String) -> Kind {
        let name =
            type == "application/json"
            ? type
            : type.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces).lowercased() } ?? ""
        return switch name {
        case "application/json": .json
        case "application/x-www-form-urlencoded": .urlEncoded
        case "multipart/form-data": .multipart(boundary: MultipartReader.boundary(of: type))
        case "": .none
        default: .other
        }
    }

    /// Whether the body counts against the limits; small ones cost less than counting them.
    var isCounted: Bool { declared.map { $0 > limits.uncountedBody } ?? true }

    /// Whether the content type is that of a form.
    var isForm: Bool {
        switch kind {
        case .urlEncoded, .multipart: true
        case .json, .none, .other: false
        }
    }

    /// Whether a refusal may still read the body, to show the form's page again with the input.
    var isSmallForm: Bool { isForm && !isCounted && !hasBegun }

    /// Returns the cost of the body and removes its files.
    func release() {
        if cost != BodyBudget.Cost() { budget.release(cost, of: network) }
        cost = BodyBudget.Cost()
        files?.remove()
    }

    // MARK: - The head

    /// Refuses by the head alone. Throws `Problem` 413, 415, 400, 429 or 503.
    func check() throws {
        switch kind {
        case .other: throw Problem(415, "unsupportedMediaType")
        case .none where declared ?? 0 > 0: throw Problem(415, "unsupportedMediaType")
        case .multipart(nil): throw Problem(400, "badRequest")
        default: break
        }
        try hold(declared ?? 0, onDisk: false)
    }

    /// Counts the received bytes, or the declared length when it is known.
    private func hold(_ received: Int, onDisk: Bool) throws {
        let bytes = max(received, declared ?? 0)
        guard bytes <= limit else { throw Problem(413, "tooLarge", [.number(limit / 1024)]) }
        guard bytes > limits.uncountedBody else { return }
        let isOnDisk = onDisk || bytes > limits.bodyInMemory
        let now = BodyBudget.Cost(
            memory: min(bytes, limits.bodyInMemory), disk: isOnDisk ? bytes : 0)
        guard now != cost else { return }
        try budget.replace(cost, by: now, of: network)
        cost = now
    }

    // MARK: - The body

    /// Reads and decodes the body. Throws `Problem`, `ClientDisconnected`, or `HTTPParserError` for malformed HTTP.
    func read() async throws -> CommandBody {
        hasBegun = true
        switch kind {
        case .json:
            let bytes = try await collect()
            return CommandBody(
                json: bytes.readableBytes == 0 ? .object([:]) : try InputValue(json: Data(bytes.readableBytesView)))
        case .urlEncoded:
            let bytes = try await collect()
            return CommandBody(pairs: try FormDecoding.pairs(urlEncoded: bytes.readableBytesView))
        case .multipart(let boundary?): return CommandBody(pairs: try await parts(boundary))
        case .none:
            let bytes = try await collect()
            guard bytes.readableBytes == 0 else { throw Problem(415, "unsupportedMediaType") }
            return CommandBody(json: .object([:]))
        case .multipart(nil), .other: throw Problem(415, "unsupportedMediaType")
        }
    }

    private func collect() async throws -> ByteBuffer {
        var all = ByteBuffer()
        try await forEachChunk { chunk in
            try hold(all.readableBytes + chunk.readableBytes, onDisk: false)
            if all.readableBytes == 0 { all = chunk } else { all.writeImmutableBuffer(chunk) }
        }
        return all
    }

    private func parts(_ boundary: String) async throws -> [(name: String, value: InputValue)] {
        var reader = MultipartReader(boundary: boundary)
        let files = RequestFiles(in: settings.uploadFolder)
        self.files = files
        let isLarge = declared ?? 0 > limits.bodyInMemory
        var parts = FormParts(
            files, inMemory: min(limit, limits.bodyInMemory), filesInMemory: isLarge ? 0 : limits.bodyInMemory)
        var received = 0
        try await forEachChunk { chunk in
            received += chunk.readableBytes
            try hold(received, onDisk: parts.isOnDisk)
            for event in try reader.take(chunk.readableBytesView) { try await parts.take(event) }
        }
        try reader.finish()
        return parts.pairs
    }

    private func forEachChunk(_ work: (ByteBuffer) async throws -> Void) async throws {
        var chunks = request.body.makeAsyncIterator()
        var received = 0
        while true {
            let chunk: ByteBuffer?
            do {
                chunk = try await chunks.next()
            } catch let error as HTTPParserError {
                throw error
            } catch {
                throw ClientDisconnected()
            }
            guard let chunk else { break }
            received += chunk.readableBytes
            try await work(chunk)
        }
        if let declared, received < declared { throw ClientDisconnected() }
    }
}

/// Collects the fields of a form: text and small files in memory, large files on disk.
private struct FormParts {
    /// The number of bytes per write to disk.
    private static let portion = 128 << 10

    private let files: RequestFiles
    /// The most bytes of all parts in memory.
    private let inMemory: Int
    /// The most bytes of files in memory; zero for a large body, whose files go to disk at once.
    private let filesInMemory: Int
    private var held = 0
    private var head: MultipartReader.Head?
    /// The bytes of the current part that are not on disk.
    private var bytes: [UInt8] = []
    private var size = 0
    private var writer: UploadWriter?
    private(set) var pairs: [(name: String, value: InputValue)] = []
    /// Whether any file was written to disk.
    private(set) var isOnDisk = false

    init(_ files: RequestFiles, inMemory: Int, filesInMemory: Int) {
        self.files = files
        self.inMemory = inMemory
        self.filesInMemory = filesInMemory
    }

    mutating func take(_ event: MultipartReader.Event) async throws {
        switch event {
        case .begin(let head):
            self.head = head
            (bytes, size, writer) = ([], 0, nil)
        case .content(let more): try await add(more)
        case .end: try await end()
        }
    }

    private mutating func add(_ more: [UInt8]) async throws {
        size += more.count
        if let writer {
            bytes += more
            guard bytes.count >= Self.portion else { return }
            try await writer.append(bytes)
            bytes = []
            return
        }
        let isFile = head?.fileName != nil
        guard held + more.count > (isFile ? filesInMemory : inMemory) else {
            held += more.count
            bytes += more
            return
        }
        guard isFile else { throw Problem(413, "tooLarge", [.number(inMemory / 1024)]) }
        let writer = try await files.make()
        try await writer.append(bytes + more)
        held -= bytes.count
        (bytes, self.writer, isOnDisk) = ([], writer, true)
    }

    private mutating func end() async throws {
        guard let head else { return }
        if let writer, !bytes.isEmpty { try await writer.append(bytes) }
        defer { (self.head, bytes, writer) = (nil, [], nil) }
        guard let fileName = head.fileName else {
            guard let text = String(validating: bytes, as: UTF8.self) else { throw Problem(400, "badRequest") }
            pairs.append((head.name, .text(text)))
            return
        }
        // Browsers send an empty file for a field without a chosen file.
        if fileName.isEmpty, size == 0 { return }
        let content = writer.map { FileContent.file($0.url) } ?? .bytes(bytes)
        pairs.append(
            (
                head.name,
                .file(UploadedFile(name: fileName, contentType: head.contentType, content: content, size: size))
            ))
    }
}
