/// A role of a person in a school. A person may have several, at most one of them a staff role.
public enum Role: String, CaseIterable, Codable, Sendable, Hashable {
    case superAdmin, admin, guide
    case student, parent, warden

    /// The three roles of the people who work with children; the requirement ledger calls them `GuideRole`.
    public static let guideRoles: [Role] = [.superAdmin, .admin, .guide]

    /// Whether the role is one of the three guide roles.
    public var isGuideRole: Bool { Role.guideRoles.contains(self) }

    /// Whether the role belongs to the staff of the school.
    public var isStaff: Bool { isGuideRole || self == .warden }
}

/// A named action and the roles that allow it.
///
/// Features declare theirs as static members of an extension. The table of roles that people read lists all of them.
public struct Permission: Hashable, Sendable {
    /// The name of the permission in the form `area.action`, for example `attendance.mark`.
    public let name: String
    public let roles: Set<Role>
    /// Whether the permission is valid while the school is closed and waits for its deletion.
    public let holdsWhileClosed: Bool

    public init(_ name: String, _ roles: Set<Role>, holdsWhileClosed: Bool = false) {
        self.name = name
        self.roles = roles
        self.holdsWhileClosed = holdsWhileClosed
    }

    /// Whether one of the given roles allows the action.
    public func isGiven(to held: Set<Role>) -> Bool { !roles.isDisjoint(with: held) }
}

extension Permission {
    /// Allows what every member of the school may do; every role has it.
    public static let belong = Permission("school.belong", Set(Role.allCases))
}
