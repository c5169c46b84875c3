import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import Hummingbird
import ScreenKit

/// Turns what a request carries (cookies or a bearer token) into a `Caller`.
struct SessionGate: Sendable {
    let dependencies: WebDependencies

    static let accessCookie = "pt_access"
    static let refreshCookie = "pt_refresh"
    static let deviceCookie = "pt_device"
    static let placeCookie = "pt_place"
    /// Which of several children was looked at last.
    static let studentCookie = "pt_student"
    /// What a browser takes along to another site. The prefix binds it to this host and to TLS (RFC 6265bis,
    /// section 4.1.3.2), which browsers do not grant where there is none.
    var ticketCookie: String { dependencies.settings.isSecure ? "__Host-pt_away" : "pt_away" }
    /// Five years: a shared tablet keeps knowing which school was last used on it.
    static let deviceLifetime: TimeInterval = 5 * 365 * 86_400

    /// Who asks, and new cookies where the access token had run out and was renewed on the way.
    struct Identity: Sendable {
        var caller: Caller
        var renewed: SessionTokens?
        /// The browser sent cookies that are good for nothing any more.
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
            let account = try await dependencies.authenticator.account(accessToken: tokens.accessToken)
        else { return Identity(caller: .nobody, isStale: true) }
        return Identity(caller: try await caller(of: account), renewed: tokens)
    }

    /// Whether a browser attached the identity by itself, which a foreign page could abuse.
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

    /// What the caller's request may use, with this browser's number.
    func kit(
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

    /// Gives a browser that leaves its ticket. Alone of all cookies it comes back with the form of another site's
    /// page; browsers take such a cookie only as secure, on loopback too.
    func set(_ departure: Departure, on response: inout Response) {
        response.setCookie(
            Cookie(
                name: ticketCookie, value: departure.ticket, maxAge: Int(departure.lifetime), path: "/",
                secure: true, httpOnly: true, sameSite: Cookie.SameSite.none))
    }

    /// Keeps the look for pages that nobody has signed in to.
    func set(_ display: DisplayPreferences, on response: inout Response) {
        let value = "\(display.language?.rawValue ?? "").\(display.theme.rawValue).\(display.appearance.rawValue)"
        setCookie(Pages.displayCookie, value, until: Date(timeIntervalSinceNow: Self.deviceLifetime), on: &response)
    }

    /// Tells the browser what asking who it is has changed. Every answer after `identity(of:)` needs it: a
    /// refresh token that was swapped and never arrived ends the session at its next use.
    func settle(_ identity: Identity, on response: inout Response) {
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

    /// Refuses a mutation that another site's page sends with this browser's cookies: the browser says
    /// where it comes from (Fetch Metadata), older ones at least the origin.
    static func refuseForeign(_ request: Request) throws {
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
        // Neither header: no browser sends a cookie-borne POST like this.
        if !request.cookies.isEmpty { throw Problem(403, "offsite") }
    }
}

extension Cookies {
    fileprivate var isEmpty: Bool {
        self[SessionGate.accessCookie] == nil && self[SessionGate.refreshCookie] == nil
    }
}
