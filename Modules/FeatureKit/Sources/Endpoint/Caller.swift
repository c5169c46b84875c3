public import Domain
public import Foundation

/// Who asks: nobody, an account, or an account in its active school.
public struct Caller: Sendable, Hashable {
    public let account: SignedInAccount?
    public let membership: ActiveMembership?

    public init(account: SignedInAccount?, membership: ActiveMembership?) {
        self.account = account
        self.membership = membership
    }

    public static let nobody = Caller(account: nil, membership: nil)

    /// Whether the caller's only roles in the school are parent and student.
    public var isFamilyOrStudent: Bool {
        guard let roles = membership?.roles, !roles.isEmpty else { return false }
        return roles.isSubset(of: [.parent, .student])
    }

    /// Whether the active school requires a second factor of its staff and this session has shown none. Nothing of the
    /// school opens until it has.
    public var needsSecondFactor: Bool {
        guard let membership, membership.requiresSecondFactor else { return false }
        return membership.roles.contains(where: \.isStaff) && account?.hasSecondFactor != true
    }

    public func may(_ permission: Permission) -> Bool {
        membership.map { permission.isGiven(to: $0.roles) } ?? false
    }
}

/// The account behind a valid session.
public struct SignedInAccount: Sendable, Hashable {
    public let id: UUID
    public let sessionId: UUID
    /// The browser or device; sessions come and go on it.
    public let deviceId: UUID
    public let email: String
    public let name: String
    /// Whether this session has shown more than a password.
    public let hasSecondFactor: Bool
    /// What a program may do that asks in the person's name, or a device that the person narrowed; `nil` for the
    /// person.
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

/// What a session with scopes gives: a part of what its person may do, in one school. A program has one (a personal
/// API token), and so has a device that a person narrowed for somebody else's hands.
public struct TokenRights: Sendable, Hashable {
    public let scopes: Set<TokenScope>
    public let organizationId: UUID
    /// A device shows the pages of its scopes; a program shows none.
    public let isDevice: Bool

    public init(scopes: Set<TokenScope>, organizationId: UUID, isDevice: Bool = false) {
        self.scopes = scopes
        self.organizationId = organizationId
        self.isDevice = isDevice
    }

    /// Whether a page of that area may be opened.
    package func covers(pageOf area: String?) -> Bool { isDevice && scopes.contains { $0.area == area } }
}

/// The endpoints of one area, to read or to change as well: `students:read`, `students:write`.
public struct TokenScope: Sendable, Hashable, Codable, Comparable {
    /// The part of an endpoint's name before the dot.
    public let area: String
    public let mayChange: Bool

    public init(area: String, mayChange: Bool) {
        self.area = area
        self.mayChange = mayChange
    }

    /// Reads `students:read`; `nil` for anything else.
    public init?(text: String) {
        let halves = text.split(separator: ":", omittingEmptySubsequences: false)
        guard halves.count == 2, !halves[0].isEmpty, halves[1] == "read" || halves[1] == "write" else { return nil }
        self.init(area: String(halves[0]), mayChange: halves[1] == "write")
    }

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

    /// Whether it covers an endpoint.
    package func covers(_ contract: Contract, isCommand: Bool) -> Bool {
        area == contract.area && (mayChange || !isCommand)
    }
}

/// The account's person in the school that is active on this device.
public struct ActiveMembership: Sendable, Hashable {
    public let organization: Organization
    public let personId: UUID
    public let roles: Set<Role>
    /// Whether the school wants a second factor of its staff.
    public let requiresSecondFactor: Bool
    /// The day on which the school will be deleted; until then it is closed. `nil` is the usual.
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

    public var timeZone: TimeZone { TimeZone(identifier: organization.timeZone) ?? .gmt }
}

/// Finds the account of a session's secret. Implemented by Auth.
public protocol Authenticator: Sendable {
    /// `nil` where the token is unknown, expired or revoked.
    func account(accessToken: String) async throws -> SignedInAccount?
    /// Whether the session has neither ended nor been revoked.
    func isValid(sessionId: UUID) async throws -> Bool
    /// Who is signed in with these sessions; one that has ended, or that nothing can renew any more, is left out.
    func accounts(ofSessions ids: [UUID]) async throws -> [UUID: SignedInAccount]
    /// Swaps a refresh token for new ones; `nil` where it is not good any more. Throws `Problem` 409 where the session
    /// has been renewed further already: the client has newer tokens, or somebody else has.
    func refresh(refreshToken: String) async throws -> SessionTokens?
}

/// What a client keeps of a session. Only fingerprints of the two secrets are stored.
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

/// Finds the active school of an account on a device. Implemented by Organization.
public protocol MembershipResolver: Sendable {
    func activeMembership(of account: SignedInAccount) async throws -> ActiveMembership?
}

/// How a person wants the product to look and speak. Implemented by Preferences.
public protocol PreferenceSource: Sendable {
    func preferences(of accountId: UUID) async throws -> DisplayPreferences
}

/// `nil` means: as the device and the browser say.
public struct DisplayPreferences: Sendable, Hashable, Codable {
    public var language: Language?
    public var theme: ThemeName
    public var appearance: Appearance

    public init(language: Language? = nil, theme: ThemeName = .pinktower, appearance: Appearance = .automatic) {
        self.language = language
        self.theme = theme
        self.appearance = appearance
    }
}
