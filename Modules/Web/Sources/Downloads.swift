import AsyncAlgorithms
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Serves files that people download or that pages show, in portions.
struct Downloads: Sendable {
    let dependencies: WebDependencies
    let gate: SessionGate
    let pages: Pages

    func respond(_ route: DownloadRoute, _ request: Request, _ context: WebContext) async throws -> Response {
        if let bearer = route.bearer { return try await respond(route, as: bearer, request, context) }
        let identity = try await gate.identity(of: request)
        var response: Response
        do {
            try PermissionService.authorize(page: route.access, area: route.area, identity.caller)
            let words = try await pages.display(for: identity.caller, request).words
            let requestContext = try await gate.requestContext(identity.caller, words, request, context)
            let values = parameters(context)
            let file = try await route.file(values, requestContext)
            if let seen = route.seen, let membership = identity.caller.membership {
                try await dependencies.pipeline.sightings.note(
                    seen, values, by: membership, at: requestContext.now, in: requestContext.school)
            }
            response = try await self.response(file, request, context)
        } catch {
            response = try await pages.failure(error, request, context)
        }
        gate.updateCookies(of: identity, on: &response)
        return response
    }

    /// Answers a program that proves its rights with a secret in the address. Cookies are neither read nor set, and the
    /// log names neither the school nor the person.
    private func respond(
        _ route: DownloadRoute,
        as bearer:
            @Sendable (_ parameters: [String: String], FeatureKit.RequestContext) async throws ->
            AddressHolder,
        _ request: Request, _ context: WebContext
    ) async throws -> Response {
        var words = dependencies.words(.english)
        do {
            words = dependencies.words(Language(acceptLanguage: request.headers[.acceptLanguage] ?? ""))
            let values = parameters(context)
            let holder = try await bearer(values, gate.requestContext(.nobody, words, request, context))
            try PermissionService.authorize(page: route.access, area: route.area, holder.caller)
            let chosen = try await pages.display(for: holder.caller, request).preferences.language
            words = dependencies.words(chosen ?? holder.language)
            let file = try await route.file(values, gate.requestContext(holder.caller, words, request, context))
            return try await response(file, request, context)
        } catch {
            return try ProblemDocument.response(ProblemTranslation.problem(for: error, context.logger), words)
        }
    }

    private func parameters(_ context: WebContext) -> [String: String] {
        context.parameters.reduce(into: [:]) { $0[String($1.key)] = String($1.value) }
    }

    private func response(
        _ file: DownloadedFile, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        switch file.use {
        case .attachment(let name): try await attachment(file, name, context)
        case .shown(let hash): try await inline(file, hash, request, context)
        case .polled(let mark): try await polled(file, mark, request, context)
        case .published:
            Response(
                status: .ok,
                headers: [
                    .contentType: file.contentType, .cacheControl: "public, max-age=31536000, immutable",
                ], body: try await body(of: file, context))
        }
    }

    /// Serves a file that a program reads again from time to time. It is answered without its content if the program's
    /// copy is current (RFC 9110 section 13.1.2).
    private func polled(
        _ file: DownloadedFile, _ mark: String, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let headers: HTTPFields = [
            .contentType: file.contentType, .cacheControl: "private, no-cache", .eTag: "\"\(mark)\"",
        ]
        // A proxy that compresses the answer makes the mark a weak one: `W/"..."`.
        let isCurrent = request.headers[.ifNoneMatch]?.contains("\"\(mark)\"") == true
        guard !isCurrent else { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: try await body(of: file, context))
    }

    private func attachment(_ file: DownloadedFile, _ name: String, _ context: WebContext) async throws -> Response
    {
        Response(
            status: .ok,
            headers: [
                .contentType: file.contentType, .cacheControl: "no-store",
                .contentDisposition: ContentDisposition.attachment(name),
            ],
            body: try await body(of: file, context))
    }

    private func body(of file: DownloadedFile, _ context: WebContext) async throws -> ResponseBody {
        if let stream = file.stream {
            return ResponseBody { writer in
                // A portion is made when the client has taken the one before.
                let portions = AsyncChannel<Data>()
                let maker = Task {
                    defer { portions.finish() }
                    try await stream { portion in
                        try Task.checkCancellation()
                        await portions.send(portion)
                    }
                }
                defer { maker.cancel() }
                for await portion in portions { try await writer.write(ByteBuffer(bytes: portion)) }
                try await maker.value
                try await writer.finish(nil)
            }
        }
        return switch file.content {
        case .bytes(let bytes): ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        case .file(let url): try await FileIO().loadFile(path: url.path, context: context)
        }
    }

    /// Serves a file inside a page. The browser may store it but must revalidate each time (`no-cache`), so that a
    /// guide who has left a class does not see its children from her cache. The hash in the address would allow
    /// `immutable`, but not that check.
    private func inline(
        _ file: DownloadedFile, _ hash: BlobHash, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let mark = "\"\(hash)\""
        var headers: HTTPFields = [
            .contentType: file.contentType, .cacheControl: "private, no-cache", .eTag: mark,
            .contentDisposition: "inline", .acceptRanges: "bytes",
        ]
        if request.headers[.ifNoneMatch] == mark { return Response(status: .notModified, headers: headers) }
        // Only stored files have a hash to validate against.
        guard case .file(let url) = file.content,
            let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
        else { throw Problem.notFound }
        guard let range = request.headers[.range].flatMap({ ByteRange($0, of: size) }) else {
            return Response(
                status: .ok, headers: headers,
                body: try await FileIO().loadFile(path: url.path, context: context))
        }
        guard case .part(let part) = range else {
            headers[.contentRange] = "bytes */\(size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound)/\(size)"
        return Response(
            status: .partialContent, headers: headers,
            body: try await FileIO().loadFile(path: url.path, range: part, context: context))
    }
}

/// A range request for a part of a file (RFC 9110 section 14.1.2). Requests for several parts get the whole file
/// (section 14.2).
enum ByteRange: Hashable {
    case part(ClosedRange<Int>)
    /// The range lies beyond the end of the file.
    case beyond

    /// Returns `nil` when the header must be ignored.
    init?(_ header: String, of size: Int) {
        guard header.hasPrefix("bytes="), size > 0 else { return nil }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last?) where last < first: return nil
        case (let first?, let last): self = first < size ? .part(first...min(last ?? size - 1, size - 1)) : .beyond
        case (nil, let count?) where ends[0].isEmpty:
            self = count == 0 ? .beyond : .part(max(0, size - count)...(size - 1))
        default: return nil
        }
    }
}
