/// What a person is in a school. One person may hold several roles, at most one of the staff roles.
public enum Role: String, CaseIterable, Codable, Sendable, Hashable {
    case superAdmin, admin, guide
    case student, parent, warden

    /// The three roles that the ledger calls `GuideRole`.
    public static let guideRoles: [Role] = [.superAdmin, .admin, .guide]

    public var isGuideRole: Bool { Role.guideRoles.contains(self) }

    /// Whoever works in the school.
    public var isStaff: Bool { isGuideRole || self == .warden }
}

/// A named action and the roles to which it is given. Features declare theirs as static members of an
/// extension; the role table that people read is the list of all of them.
public struct Permission: Hashable, Sendable {
    /// `area.action`, for example `attendance.mark`.
    public let name: String
    public let roles: Set<Role>
    /// Whether it can still be used while the school is closed and waits for its deletion.
    public let holdsWhileClosed: Bool

    public init(_ name: String, _ roles: Set<Role>, holdsWhileClosed: Bool = false) {
        self.name = name
        self.roles = roles
        self.holdsWhileClosed = holdsWhileClosed
    }

    public func isGiven(to held: Set<Role>) -> Bool { !roles.isDisjoint(with: held) }
}

extension Permission {
    /// Everybody who belongs to the school.
    public static let belong = Permission("school.belong", Set(Role.allCases))
}
