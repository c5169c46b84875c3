import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

/// Receives files in parts, as the core protocol of tus 1.0.0 says (https://tus.io/protocols/resumable-upload): `HEAD`
/// returns how many bytes have arrived, and `PATCH` adds bytes at that offset.
struct Uploads: Sendable {
    static let version = "1.0.0"
    /// The content type of added bytes.
    static let contentType = "application/offset+octet-stream"
    /// The number of bytes per write to disk, which is also what an upload costs in memory.
    private static let portion = 256 << 10

    let dependencies: WebDependencies
    let gate: SessionGate
    let pages: Pages

    func respond(_ route: UploadRoute, _ request: Request, _ context: WebContext) async throws -> Response {
        var words = dependencies.words(Language(acceptLanguage: request.headers[.acceptLanguage] ?? ""))
        var identity = SessionGate.Identity(caller: .nobody)
        var response: Response
        do {
            if request.method == .patch { try SessionGate.refuseCrossSite(request) }
            identity = try await gate.identity(of: request)
            words = try await pages.display(for: identity.caller, request).words
            try PermissionService.authorize(page: route.access, identity.caller)
            let parameters = context.parameters.reduce(into: [:]) { $0[String($1.key)] = String($1.value) }
            let upload = try await route.upload(
                parameters, gate.requestContext(identity.caller, words, request, context))
            guard request.headers[.tusResumable] == Self.version else {
                throw Problem(412, "uploadVersion", [.text(Self.version)])
            }
            let received =
                request.method == .patch
                ? try await add(to: upload, request, context) : try await upload.files.received(upload.key)
            response = Response(
                status: request.method == .patch ? .noContent : .ok, headers: [.cacheControl: "no-store"])
            response.headers[.uploadOffset] = String(received)
            response.headers[.uploadLength] = String(upload.size)
        } catch PartialFileFault.otherOffset(let offset) {
            response = try ProblemDocument.response(Problem(409, "uploadOffset"), words)
            response.headers[.uploadOffset] = String(offset)
        } catch {
            response = try ProblemDocument.response(
                ProblemTranslation.problem(for: error, context.logger, identity.caller), words)
        }
        response.headers[.tusResumable] = Self.version
        gate.updateCookies(of: identity, on: &response)
        return response
    }

    /// Adds the body to an upload, and returns how many bytes have arrived. What arrived before a cut stays.
    private func add(to upload: PartialUpload, _ request: Request, _ context: WebContext) async throws -> Int {
        guard request.headers[.contentType] == Self.contentType else { throw Problem(415, "unsupportedMediaType") }
        guard var received = request.headers[.uploadOffset].flatMap({ Int($0) }), received >= 0 else {
            throw Problem(400, "badRequest")
        }
        let declared = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        guard received <= upload.size, declared <= upload.size - received else {
            throw Problem(413, "tooLarge", [.number(upload.size / 1024)])
        }
        let network = ClientNetwork.name(
            context.clientAddress(request, trustsProxy: dependencies.settings.trustsProxy))
        // The portion that is read, and the one that is written meanwhile.
        let cost = BodyBudget.Cost(memory: 2 * Self.portion)
        try dependencies.bodies.replace(BodyBudget.Cost(), by: cost, of: network)
        defer { dependencies.bodies.release(cost, of: network) }
        let writer = try await upload.files.writer(of: upload.key, at: received)
        var portion: [UInt8] = []
        portion.reserveCapacity(Self.portion)
        var writing: Task<Void, any Error>?
        func finishWriting() async throws {
            guard let last = writing else { return }
            writing = nil
            do {
                try await last.value
            } catch PartialFileFault.takenOver {
                // The client goes on in another request and waits for no answer to this one.
                throw ClientDisconnected()
            }
        }
        func beginWriting() async throws {
            try await finishWriting()
            guard !portion.isEmpty else { return }
            let bytes = portion
            writing = Task { try await writer.append(bytes) }
            received += bytes.count
            portion = []
            portion.reserveCapacity(Self.portion)
        }
        do {
            for try await chunk in request.body {
                guard received + portion.count + chunk.readableBytes <= upload.size else {
                    throw Problem(413, "tooLarge", [.number(upload.size / 1024)])
                }
                chunk.withUnsafeReadableBytes { portion.append(contentsOf: $0) }
                if portion.count >= Self.portion { try await beginWriting() }
            }
        } catch {
            // A cut connection is no fault of the file: what has arrived stays.
            let isCut = !(error is Problem || error is DatabaseFault)
            if isCut { try await beginWriting() }
            try await finishWriting()
            throw isCut ? ClientDisconnected() : error
        }
        try await beginWriting()
        try await finishWriting()
        if received == upload.size { try await writer.sync() }
        return received
    }
}
