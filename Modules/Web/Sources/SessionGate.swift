import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import Hummingbird
import ScreenKit

/// Identifies the caller of a request by its bearer token or cookies, and sets cookies.
struct SessionGate: Sendable {
    let dependencies: WebDependencies

    static let accessCookie = "pt_access"
    static let refreshCookie = "pt_refresh"
    static let deviceCookie = "pt_device"
    static let placeCookie = "pt_place"
    /// The child that a parent with several children viewed last.
    static let studentCookie = "pt_student"
    /// The cookie for a browser that leaves for an identity provider. The prefix `__Host-` binds it to this host and to
    /// TLS (RFC 6265bis, section 4.1.3.2), so plain http uses another name.
    var ticketCookie: String { dependencies.settings.isSecure ? "__Host-pt_away" : "pt_away" }
    /// Seconds for which a device is remembered: five years, so that a shared tablet still knows its school.
    static let deviceLifetime: TimeInterval = 5 * 365 * 86_400

    /// The caller, and new tokens when the access token had expired and was refreshed.
    struct Identity: Sendable {
        var caller: Caller
        var renewed: SessionTokens?
        /// Whether the browser sent cookies that are no longer valid.
        var isStale = false
    }

    func identity(of request: Request) async throws -> Identity {
        if let bearer = SessionGate.bearerToken(request) {
            guard let account = try await dependencies.authenticator.account(accessToken: bearer) else {
                throw Problem.signInNeeded
            }
            return Identity(caller: try await caller(of: account))
        }
        let cookies = request.cookies
        if let access = cookies[Self.accessCookie]?.value,
            let account = try await dependencies.authenticator.account(accessToken: access)
        {
            return Identity(caller: try await caller(of: account))
        }
        guard let refresh = cookies[Self.refreshCookie]?.value else { return Identity(caller: .nobody) }
        guard let tokens = try await dependencies.authenticator.refresh(refreshToken: refresh),
            let account = try await dependencies.authenticator.account(renewed: tokens)
        else { return Identity(caller: .nobody, isStale: true) }
        return Identity(caller: try await caller(of: account), renewed: tokens)
    }

    /// Whether the browser attached the credentials automatically, which another site's page could abuse.
    static func isCookieBorne(_ request: Request) -> Bool { bearerToken(request) == nil }

    private static func bearerToken(_ request: Request) -> String? {
        guard let header = request.headers[.authorization], header.utf8.starts(with: "Bearer ".utf8) else {
            return nil
        }
        return String(header.utf8.dropFirst("Bearer ".utf8.count))
    }

    private func caller(of account: SignedInAccount) async throws -> Caller {
        Caller(account: account, membership: try await dependencies.memberships.activeMembership(of: account))
    }

    /// The context of the caller's request, with this browser's device id.
    func requestContext(
        _ caller: Caller, _ words: Words, _ request: Request, _ context: WebContext
    ) async throws -> FeatureKit.RequestContext {
        try await dependencies.pipeline.context(
            of: caller, words: words,
            remoteAddress: context.clientAddress(request, trustsProxy: dependencies.settings.trustsProxy),
            deviceId: request.cookies[Self.deviceCookie].flatMap { UUID(text: $0.value) },
            client: ClientName.name(userAgent: request.headers[.userAgent]),
            ticket: request.cookies[ticketCookie].map(\.value),
            display: request.cookies[Pages.displayCookie].map { Pages.readDisplay($0.value) }
                ?? DisplayPreferences())
    }

    // MARK: - Cookies

    func set(_ tokens: SessionTokens, on response: inout Response) {
        setCookie(Self.accessCookie, tokens.accessToken, until: tokens.refreshExpiresAt, on: &response)
        setCookie(Self.refreshCookie, tokens.refreshToken, until: tokens.refreshExpiresAt, on: &response)
        setCookie(
            Self.deviceCookie, tokens.deviceId.text, until: Date(timeIntervalSinceNow: Self.deviceLifetime),
            on: &response)
    }

    /// Sets the ticket cookie of a browser that leaves for a provider. It must be `SameSite=None` to come back with the
    /// other site's form, and browsers accept that only with `Secure`, on loopback too.
    func set(_ departure: Departure, on response: inout Response) {
        response.setCookie(
            Cookie(
                name: ticketCookie, value: departure.ticket, maxAge: Int(departure.lifetime), path: "/",
                secure: true, httpOnly: true, sameSite: Cookie.SameSite.none))
    }

    /// Stores language and appearance for pages without a session.
    func set(_ display: DisplayPreferences, on response: inout Response) {
        let value = "\(display.language?.rawValue ?? "").\(display.theme.rawValue).\(display.appearance.rawValue)"
        setCookie(Pages.displayCookie, value, until: Date(timeIntervalSinceNow: Self.deviceLifetime), on: &response)
    }

    /// Sets or clears the cookies after `identity(of:)`. Every response needs it: a refreshed token that does not
    /// arrive ends the session at its next use.
    func updateCookies(of identity: Identity, on response: inout Response) {
        if let renewed = identity.renewed { set(renewed, on: &response) }
        if identity.isStale { clear(on: &response) }
    }

    func clear(on response: inout Response) {
        for name in [Self.accessCookie, Self.refreshCookie, Self.placeCookie, Self.studentCookie] {
            response.setCookie(
                Cookie(
                    name: name, value: "", maxAge: 0, path: "/", secure: dependencies.settings.isSecure,
                    httpOnly: true, sameSite: .lax))
        }
    }

    func setCookie(_ name: String, _ value: String, until expiry: Date, on response: inout Response) {
        response.setCookie(
            Cookie(
                name: name, value: value, maxAge: max(0, Int(expiry.timeIntervalSinceNow)), path: "/",
                secure: dependencies.settings.isSecure, httpOnly: true, sameSite: .lax))
    }

    /// Refuses a change that another site's page sends with this browser's cookies, by Fetch Metadata or, in older
    /// browsers, by the origin.
    static func refuseCrossSite(_ request: Request) throws {
        guard isCookieBorne(request) else { return }
        if let site = request.headers[.secFetchSite] {
            guard site == "same-origin" || site == "none" else { throw Problem(403, "offsite") }
            return
        }
        if let origin = request.headers[.origin] {
            guard let host = request.head.authority ?? request.headers[.host],
                origin == "http://\(host)" || origin == "https://\(host)"
            else { throw Problem(403, "offsite") }
            return
        }
        // Every browser sends one of the headers with such a request.
        if !request.cookies.isEmpty { throw Problem(403, "offsite") }
    }
}

extension Cookies {
    fileprivate var isEmpty: Bool {
        self[SessionGate.accessCookie] == nil && self[SessionGate.refreshCookie] == nil
    }
}
