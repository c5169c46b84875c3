import Domain
import FeatureKit
import HTTPTypes
import Hummingbird
import NIOHTTP1

/// Adds the security headers to every response.
struct SecurityHeaders: RouterMiddleware {
    let isSecure: Bool

    /// The content security policy: only our own files, no inline script or style.
    static let policy = header(showing: [])

    /// The policy of a page that shows videos of other sites.
    static func header(showing media: [String]) -> String {
        [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
            "font-src 'self'", "connect-src 'self'", "manifest-src 'self'", "worker-src 'self'",
            (["media-src 'self' blob:"] + media).joined(separator: " "), "form-action 'self'", "base-uri 'none'",
            "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // A page with videos of other sites has set its own policy.
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.policy
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        // Only our own site gets the referrer and origin, which tell our forms from those of other sites.
        response.headers[.referrerPolicy] = "same-origin"
        response.headers[.openerPolicy] = "same-origin"
        response.headers[.resourcePolicy] = "same-origin"
        response.headers[.permissionsPolicy] = "camera=(self), microphone=(self), geolocation=(self), payment=()"
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000; includeSubDomains" }
        return response
    }
}

/// Turns every error of a handler or the router into a problem document, or a page for browsers.
struct Failures: RouterMiddleware {
    let pages: Pages

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch is CancellationError {
            throw CancellationError()
        } catch let error as HTTPParserError {
            // The request is malformed HTTP. Hummingbird answers 400 and closes the connection.
            throw error
        } catch {
            guard request.method == .get, request.headers[.accept]?.contains("text/html") ?? false else {
                let problem = ProblemTranslation.problem(for: error, context.logger)
                let display = try await pages.display(for: .nobody, request)
                return try ProblemDocument.response(problem, display.words)
            }
            return try await pages.failure(error, request, context)
        }
    }
}
