import Domain
import FeatureKit
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

/// A client that went away, or was closed out, in the middle of its request. Nobody is there to be answered.
struct ClientGone: Error {}

/// Takes in the body of one command: what its head tells is decided before anything is read, large files go to disk, and
/// all of it counts against what one network end may send at once.
///
/// `release` takes back what it cost and removes its files.
final class BodyIntake {
    private enum Kind {
        case json
        case urlEncoded
        case multipart(boundary: String?)
        /// The request names no kind: only an empty body is one.
        case none
        case other
    }

    private let request: Request
    private let kind: Kind
    /// The largest body that is accepted.
    private let limit: Int
    /// What the head says; absent for chunks.
    private let declared: Int?
    private let settings: WebSettings
    private let budget: BodyBudget
    private let context: WebContext
    private var files: RequestFiles?
    private var cost = BodyBudget.Cost()
    private var hasBegun = false

    private var limits: ServerLimits { settings.limits }
    /// The network end that sends it.
    private lazy var end = NetworkEnd.name(context.clientAddress(request, trustsProxy: settings.trustsProxy))

    init(_ request: Request, _ contract: Contract, _ dependencies: WebDependencies, _ context: WebContext) {
        self.request = request
        self.context = context
        budget = dependencies.bodies
        settings = dependencies.settings
        declared = request.headers[.contentLength].flatMap { Int($0) }
        kind = Self.kind(of: request.headers[.contentType] ?? "")
        // Only files may be larger than what is held in memory, and only multipart bodies have files.
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

    /// Whether the body is one of those that are counted; a small one costs less than looking at it closely.
    var isCounted: Bool { declared.map { $0 > limits.uncountedBody } ?? true }

    /// Whether it came from a form.
    var isForm: Bool {
        switch kind {
        case .urlEncoded, .multipart: true
        case .json, .none, .other: false
        }
    }

    /// Whether a refusal may read it after all, to answer with the page that its form came from.
    var isSmallForm: Bool { isForm && !isCounted && !hasBegun }

    /// Takes back what the body cost and removes its files.
    func release() {
        if cost != BodyBudget.Cost() { budget.release(cost, of: end) }
        cost = BodyBudget.Cost()
        files?.remove()
    }

    // MARK: - The head

    /// Throws `Problem` 413, 415, 400, 429 or 503 for a body that need not be read.
    func check() throws {
        switch kind {
        case .other: throw Problem(415, "unsupportedMediaType")
        case .none where declared ?? 0 > 0: throw Problem(415, "unsupportedMediaType")
        case .multipart(nil): throw Problem(400, "badRequest")
        default: break
        }
        try hold(declared ?? 0, onDisk: false)
    }

    /// Counts what has come; all of a body whose length is known.
    private func hold(_ received: Int, onDisk: Bool) throws {
        let bytes = max(received, declared ?? 0)
        guard bytes <= limit else { throw Problem(413, "tooLarge", [.number(limit / 1024)]) }
        guard bytes > limits.uncountedBody else { return }
        let isOnDisk = onDisk || bytes > limits.bodyInMemory
        let now = BodyBudget.Cost(
            memory: min(bytes, limits.bodyInMemory), disk: isOnDisk ? bytes : 0)
        guard now != cost else { return }
        try budget.replace(cost, by: now, of: end)
        cost = now
    }

    // MARK: - The body

    /// Reads and decodes all of it. Throws `Problem`, `ClientGone`, or `HTTPParserError` where it is no HTTP.
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
                throw ClientGone()
            }
            guard let chunk else { break }
            received += chunk.readableBytes
            try await work(chunk)
        }
        if let declared, received < declared { throw ClientGone() }
    }
}

/// The fields of a form as they come: text and small files in memory, large files on disk.
private struct FormParts {
    /// As many bytes as are written to disk at once.
    private static let portion = 128 << 10

    private let files: RequestFiles
    /// Bytes of all parts together that may be in memory.
    private let inMemory: Int
    /// The same, once a file is among them: files of a large body go to disk at once.
    private let filesInMemory: Int
    private var held = 0
    private var head: MultipartReader.Head?
    /// Of the part that comes now, what is not on disk.
    private var bytes: [UInt8] = []
    private var size = 0
    private var writer: UploadWriter?
    private(set) var pairs: [(name: String, value: InputValue)] = []
    /// Whether any file went to disk.
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
        // What a browser sends for a field where no file was chosen.
        if fileName.isEmpty, size == 0 { return }
        let content = writer.map { FileContent.file($0.url) } ?? .bytes(bytes)
        pairs.append(
            (
                head.name,
                .file(UploadedFile(name: fileName, contentType: head.contentType, content: content, size: size))
            ))
    }
}
