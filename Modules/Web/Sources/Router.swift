import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
public import Hummingbird
import NIOCore
import ScreenKit
import Synchronization
public import WebHTML

/// Builds the router from the feature blocks' declarations.
public func makeRouter(_ dependencies: WebDependencies, assets: Assets) throws -> Router<WebContext> {
    let gate = SessionGate(dependencies: dependencies)
    let pages = Pages(dependencies: dependencies, gate: gate, assets: assets)
    let again = PageRerenderer()
    let endpoints = Endpoints(dependencies: dependencies, gate: gate, pages: pages, renderAgain: again.render)
    let live = LiveEvents(dependencies: dependencies, gate: gate)
    let downloads = Downloads(dependencies: dependencies, gate: gate, pages: pages)
    let uploads = Uploads(dependencies: dependencies, gate: gate, pages: pages)
    let document = OpenAPIDocument(dependencies.features)

    let router = Router(context: WebContext.self)
    router.add(middleware: SecurityHeaders(isSecure: dependencies.settings.isSecure))
    router.add(middleware: Failures(pages: pages))

    AssetRoutes(assets: assets).add(to: router)
    router.get("healthz") { _, _ in "ok\n" }
    // Not ready, so that a load balancer uses another server: the directory cannot be read or the folder cannot be
    // written.
    router.get("readyz") { _, _ in
        do {
            try await dependencies.pipeline.checkStorage()
            return Response.text("ok\n")
        } catch DatabaseFault.cannotWrite {
            return Response.text("the data folder cannot be written\n", status: 503)
        } catch {
            return Response.text("the directory cannot be read\n", status: 503)
        }
    }
    if let appId = dependencies.settings.appId {
        let association = try AppAssociation(appId, dependencies.features).json
        router.get(RouterPath(AppAssociation.path)) { _, _ in
            var response = Response.json(association)
            response.headers[.cacheControl] = "public, max-age=3600"
            return response
        }
    }
    router.get("openapi.json") { _, _ in try await onPool { Response.json(try document.json) } }

    router.get("api/v1/live") { request, context in
        do {
            return try await onPool { try await live.respond(request, context) }
        } catch let problem as Problem {
            return try ProblemDocument.response(problem, dependencies.words(.english))
        }
    }
    for feature in dependencies.features.features {
        for query in feature.endpoints.queries {
            router.get(RouterPath(query.contract.path)) { request, context in
                try await onPool { try await endpoints.respond(query, request, context) }
            }
        }
        for command in feature.endpoints.commands {
            router.post(RouterPath(command.contract.path)) { request, context in
                // The transaction has its own thread, and there is little work around it.
                if command.isBrief { return try await endpoints.respond(command, request, context) }
                return try await onPool { try await endpoints.respond(command, request, context) }
            }
        }
        for screen in feature.pages.screens {
            router.get(RouterPath(screen.path)) { request, context in
                try await onPool { try await pages.respond(screen, request, context) }
            }
        }
        for download in feature.endpoints.downloads {
            router.get(RouterPath(download.path)) { request, context in
                try await onPool { try await downloads.respond(download, request, context) }
            }
        }
        for upload in feature.endpoints.uploads {
            for method in [HTTPRequest.Method.head, .patch] {
                router.on(RouterPath(upload.path), method: method) { request, context in
                    try await onPool { try await uploads.respond(upload, request, context) }
                }
            }
        }
    }
    for screen in WebScreens.all(document) {
        router.get(RouterPath(screen.path)) { request, context in
            try await onPool { try await pages.respond(screen, request, context) }
        }
    }
    again.set(router.buildResponder())
    return router
}

/// Renders a page again within the response to a refused form.
private final class PageRerenderer: Sendable {
    private let responder = Mutex<RouterResponder<WebContext>?>(nil)

    func set(_ responder: RouterResponder<WebContext>) { self.responder.withLock { $0 = responder } }

    @Sendable
    func render(
        _ path: String, _ refused: RefusedForm, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        guard let responder = responder.withLock({ $0 }) else { throw Problem.notFound }
        var head = request.head
        head.method = .get
        head.path = path
        var inner = context
        inner.refused = refused
        return try await responder.respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer())), context: inner)
    }
}
