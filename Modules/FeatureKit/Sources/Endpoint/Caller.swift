public import Domain
public import Foundation

/// The sender of a request: without an account, with an account, or with an account and its membership in the active
/// school.
public struct Caller: Sendable, Hashable {
    public let account: SignedInAccount?
    public let membership: ActiveMembership?

    public init(account: SignedInAccount?, membership: ActiveMembership?) {
        self.account = account
        self.membership = membership
    }

    /// The caller of a request without a valid session.
    public static let nobody = Caller(account: nil, membership: nil)

    /// Whether the caller's only roles in the school are parent and student.
    public var isFamilyOrStudent: Bool {
        guard let roles = membership?.roles, !roles.isEmpty else { return false }
        return roles.isSubset(of: [.parent, .student])
    }

    /// Whether the active school requires a second factor of its staff that this session has not given. Until then the
    /// school's data cannot be reached.
    public var needsSecondFactor: Bool {
        guard let membership, membership.requiresSecondFactor else { return false }
        return membership.roles.contains(where: \.isStaff) && account?.hasSecondFactor != true
    }

    /// The time zone of the active school; UTC outside of a school.
    public var timeZone: TimeZone { membership?.timeZone ?? .gmt }

    /// Whether the caller's roles in the active school give a permission.
    public func may(_ permission: Permission) -> Bool {
        membership.map { permission.isGiven(to: $0.roles) } ?? false
    }
}

/// The account of a valid session, with its device and limits.
public struct SignedInAccount: Sendable, Hashable {
    public let id: UUID
    public let sessionId: UUID
    /// The browser or device of the session; it outlives the sessions on it.
    public let deviceId: UUID
    public let email: String
    public let name: String
    /// Whether a second factor, such as a passkey or a code, was given for this session.
    public let hasSecondFactor: Bool
    /// The limited rights of an API token or of a device that was narrowed for a child. They are `nil` for a session
    /// with all of the person's rights.
    public let token: TokenRights?

    public init(
        id: UUID, sessionId: UUID, deviceId: UUID, email: String, name: String, hasSecondFactor: Bool = false,
        token: TokenRights? = nil
    ) {
        self.id = id
        self.sessionId = sessionId
        self.deviceId = deviceId
        self.email = email
        self.name = name
        self.hasSecondFactor = hasSecondFactor
        self.token = token
    }
}

/// The limited rights of a session with scopes: a part of the person's rights, in one school.
///
/// A program with a personal API token has such a session, and so has a device that the person narrowed for a child.
public struct TokenRights: Sendable, Hashable {
    public let scopes: Set<TokenScope>
    public let organizationId: UUID
    /// Whether the session is that of a device that was narrowed for a child, and shows the pages of its scopes. An API
    /// token opens no pages.
    public let isDevice: Bool

    public init(scopes: Set<TokenScope>, organizationId: UUID, isDevice: Bool = false) {
        self.scopes = scopes
        self.organizationId = organizationId
        self.isDevice = isDevice
    }

    /// Whether the session may open a page of an area.
    package func covers(pageOf area: String?) -> Bool { isDevice && scopes.contains { $0.area == area } }
}

/// The right to read, or to read and change, through the endpoints of one area: `students:read`, `students:write`.
public struct TokenScope: Sendable, Hashable, Codable, Comparable {
    /// The area that the scope covers: the part of an endpoint's name before the first dot.
    public let area: String
    public let mayChange: Bool

    /// The key of the area's name, such as `area.students`, in the string catalog of the block with the area's endpoints.
    public var areaTitle: String { "area.\(area)" }

    public init(area: String, mayChange: Bool) {
        self.area = area
        self.mayChange = mayChange
    }

    /// Reads a scope such as `students:read`; `nil` for any other text.
    public init?(text: String) {
        let halves = text.split(separator: ":", omittingEmptySubsequences: false)
        guard halves.count == 2, !halves[0].isEmpty, halves[1] == "read" || halves[1] == "write" else { return nil }
        self.init(area: String(halves[0]), mayChange: halves[1] == "write")
    }

    /// The scope as text, such as `students:read`.
    public var text: String { "\(area):\(mayChange ? "write" : "read")" }

    public static func < (left: TokenScope, right: TokenScope) -> Bool { left.text < right.text }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let scope = TokenScope(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no scope")
        }
        self = scope
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Whether the scope allows calling an endpoint.
    package func covers(_ contract: Contract, isCommand: Bool) -> Bool {
        area == contract.area && (mayChange || !isCommand)
    }
}

/// The membership of a signed-in account in its active school: the person, roles and settings of the school.
public struct ActiveMembership: Sendable, Hashable {
    public let organization: Organization
    public let personId: UUID
    public let roles: Set<Role>
    /// Whether the school requires a second factor of its staff.
    public let requiresSecondFactor: Bool
    /// The day on which a closed school will be deleted; `nil` if the school is not closed.
    public let deletesOn: Day?

    public init(
        organization: Organization, personId: UUID, roles: Set<Role>, requiresSecondFactor: Bool = false,
        deletesOn: Day? = nil
    ) {
        self.organization = organization
        self.personId = personId
        self.roles = roles
        self.requiresSecondFactor = requiresSecondFactor
        self.deletesOn = deletesOn
    }

    /// The school's time zone; UTC if its name is unknown to this system.
    public var timeZone: TimeZone { organization.resolvedTimeZone }
}

/// Finds the account of a session's token. Implemented by Auth.
public protocol Authenticator: Sendable {
    /// Returns the account of a session; `nil` if the token is unknown, expired or revoked.
    func account(accessToken: String) async throws -> SignedInAccount?
    /// Returns the account of tokens that were just made and that the client does not have yet.
    func account(renewed tokens: SessionTokens) async throws -> SignedInAccount?
    /// Whether a session is still valid, that is, has neither ended nor been revoked.
    func isValid(sessionId: UUID) async throws -> Bool
    /// Returns the accounts of several sessions. A session that has ended or can no longer be renewed is left out.
    func accounts(ofSessions ids: [UUID]) async throws -> [UUID: SignedInAccount]
    /// Exchanges a refresh token for new tokens; `nil` if the token is no longer valid.
    /// - Throws: `Problem` 409 if the session was already renewed with this token: the client, or another holder, has
    ///   newer tokens.
    func refresh(refreshToken: String) async throws -> SessionTokens?
}

extension Authenticator {
    public func account(renewed tokens: SessionTokens) async throws -> SignedInAccount? {
        try await account(accessToken: tokens.accessToken)
    }
}

/// The tokens of a session as the client stores them. The server stores only their hashes.
public struct SessionTokens: Sendable, Hashable, Codable {
    /// The browser or device that holds the session; it outlives sign-outs.
    public let deviceId: UUID
    public let accessToken: String
    public let accessExpiresAt: Date
    public let refreshToken: String
    public let refreshExpiresAt: Date

    public init(
        deviceId: UUID, accessToken: String, accessExpiresAt: Date, refreshToken: String, refreshExpiresAt: Date
    ) {
        self.deviceId = deviceId
        self.accessToken = accessToken
        self.accessExpiresAt = accessExpiresAt
        self.refreshToken = refreshToken
        self.refreshExpiresAt = refreshExpiresAt
    }
}

/// Finds the school in which an account is active on a device. Implemented by Organization.
public protocol MembershipResolver: Sendable {
    /// Returns the membership in the active school; `nil` if the account has none.
    func activeMembership(of account: SignedInAccount) async throws -> ActiveMembership?
}

/// Finds an account's choices of language and appearance. Implemented by Preferences.
public protocol PreferenceSource: Sendable {
    /// Returns the language and appearance that an account has chosen.
    func preferences(of accountId: UUID) async throws -> DisplayPreferences
}

/// A person's choices of language and appearance.
public struct DisplayPreferences: Sendable, Hashable, Codable {
    /// The language that the person chose; `nil` to follow the browser.
    public var language: Language?
    public var theme: ThemeName
    public var appearance: Appearance

    public init(language: Language? = nil, theme: ThemeName = .pinktower, appearance: Appearance = .automatic) {
        self.language = language
        self.theme = theme
        self.appearance = appearance
    }
}
