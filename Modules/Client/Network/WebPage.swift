public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A page of the server for a web view, with the session of the app.
///
/// The cookie has the access token of the app's session, as the cookie of a browser has (docs/api.md). It is valid as
/// long as the token, at most 15 minutes, and ends with the session. The web view gets no refresh token.
public struct WebPage: Sendable {
    public let request: URLRequest
    public let cookie: HTTPCookie

    /// - Parameters:
    ///   - url: The address of the page.
    ///   - token: The access token of the session.
    public init?(_ url: URL, token: String) {
        let flags = url.scheme == "https" ? "; Secure" : ""
        // From a header, because only a header makes a cookie that scripts cannot read.
        let cookies = HTTPCookie.cookies(
            withResponseHeaderFields: ["Set-Cookie": "pt_access=\(token); Path=/; HttpOnly; SameSite=Lax\(flags)"],
            for: url)
        guard let cookie = cookies.first else { return nil }
        self.cookie = cookie
        request = URLRequest(url: url)
    }

    /// The address of a request of a web view.
    public static func address(of request: URLRequest) -> URL? { request.url }
}
