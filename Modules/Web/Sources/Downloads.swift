import Domain
import FeatureKit
import Foundation
import HTTPTypes
import Hummingbird

/// Serves files that people take home: never cached, never shown in place, read portion by portion.
struct Downloads: Sendable {
    let house: WebHouse
    let gate: SessionGate
    let pages: Pages

    func respond(_ route: DownloadRoute, _ request: Request, _ context: WebContext) async throws -> Response {
        let identity = try await gate.identity(of: request)
        var response: Response
        do {
            try PermissionService.authorize(page: route.access, identity.caller)
            let words = try await pages.display(for: identity.caller, request).words
            let kit = try await gate.kit(identity.caller, words, request, context)
            var parameters: [String: String] = [:]
            for (name, value) in context.parameters { parameters[String(name)] = String(value) }
            let file = try await route.file(parameters, kit)
            response = Response(
                status: .ok,
                headers: [
                    .contentType: file.contentType, .cacheControl: "no-store",
                    .contentDisposition: "attachment; filename=\"\(file.name)\"",
                ],
                body: try await FileIO().loadFile(path: file.url.path, context: context))
        } catch {
            response = try await pages.failure(error, request, context)
        }
        gate.settle(identity, on: &response)
        return response
    }
}
