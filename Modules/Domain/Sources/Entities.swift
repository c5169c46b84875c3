public import Foundation

// Entities are value types with a version 7 UUID. `orgId` is the school whose database has the row; it is not a
// column there.

/// A school. The data about its people is in a database of its own.
public struct Organization: Identifiable, Hashable, Codable, Sendable {
    public let id: UUID
    public var name: String
    public var avatarTint: Tint
    /// The IANA name of the time zone, for example `America/Toronto`. It defines when a school day begins.
    public var timeZone: String
    public let createdAt: Date

    public init(id: UUID, name: String, avatarTint: Tint, timeZone: String, createdAt: Date) {
        self.id = id
        self.name = name
        self.avatarTint = avatarTint
        self.timeZone = timeZone
        self.createdAt = createdAt
    }

    /// The school's time zone; UTC if its name is unknown to this system.
    public var resolvedTimeZone: TimeZone { TimeZone(identifier: timeZone) ?? .gmt }
}

/// A person in one school. Roles and a student's record, if any, say what the person does there.
public struct Person: Identifiable, Hashable, Codable, Sendable {
    public let id: UUID
    public let orgId: UUID
    public var name: PersonName
    public var email: String?
    /// The number by which the school identifies the person, usually a student number (OneRoster's `identifier`).
    public var number: String?
    /// The grade level, as the school writes it: `03`, `Grade 3`, `CE2` (OneRoster's `grades`).
    public var gradeLevel: String?
    public var avatarTint: Tint
    /// The address of the picture that the person chose.
    public var imageURL: String?
    public let createdAt: Date

    public init(
        id: UUID, orgId: UUID, name: PersonName, email: String?, number: String? = nil, gradeLevel: String? = nil,
        avatarTint: Tint, imageURL: String? = nil, createdAt: Date
    ) {
        self.id = id
        self.orgId = orgId
        self.name = name
        self.email = email
        self.number = number
        self.gradeLevel = gradeLevel
        self.avatarTint = avatarTint
        self.imageURL = imageURL
        self.createdAt = createdAt
    }

    /// Whether a person comes before another in a list by name. People with equal names have an order as well.
    public static func precedes(_ one: Person, _ other: Person) -> Bool {
        (one.name.sortKey, one.id) < (other.name.sortKey, other.id)
    }
}

/// An adult who works with children in a school, such as a teacher or an administrator.
public struct Guide: Identifiable, Hashable, Codable, Sendable {
    public let id: UUID
    public let orgId: UUID
    public var fullName: String
    public var email: String?
    /// The staff role of the adult, one of `Role.guideRoles`.
    public var role: Role
    public var defaultClassroomId: UUID?
    public var avatarURL: String?

    public init(
        id: UUID, orgId: UUID, fullName: String, email: String?, role: Role,
        defaultClassroomId: UUID? = nil, avatarURL: String? = nil
    ) {
        self.id = id
        self.orgId = orgId
        self.fullName = fullName
        self.email = email
        self.role = role
        self.defaultClassroomId = defaultClassroomId
        self.avatarURL = avatarURL
    }
}

/// A group of children with the guides who work there.
public struct Classroom: Identifiable, Hashable, Codable, Sendable {
    public let id: UUID
    public let orgId: UUID
    public var name: String
    public var imageURL: String?
    public var avatarTint: Tint
    public var guideIds: [UUID]
    public var studentIds: [UUID]
    public let createdAt: Date

    public init(
        id: UUID, orgId: UUID, name: String, imageURL: String? = nil, avatarTint: Tint, guideIds: [UUID],
        studentIds: [UUID], createdAt: Date
    ) {
        self.id = id
        self.orgId = orgId
        self.name = name
        self.imageURL = imageURL
        self.avatarTint = avatarTint
        self.guideIds = guideIds
        self.studentIds = studentIds
        self.createdAt = createdAt
    }
}

/// A person as a student. The id is the person's.
public struct Student: Identifiable, Hashable, Codable, Sendable {
    public let id: UUID
    public let orgId: UUID
    public var firstName: String
    public var lastName: String
    public var displayName: String
    public var imageURL: String?
    public var avatarTint: Tint
    public var email: String?
    /// The number by which the school identifies the student.
    public var number: String?
    /// The grade level of the student, as the school writes it.
    public var gradeLevel: String?
    public var notes: String?
    public let createdAt: Date

    public init(
        id: UUID, orgId: UUID, firstName: String, lastName: String, displayName: String,
        imageURL: String? = nil, avatarTint: Tint, email: String? = nil, number: String? = nil,
        gradeLevel: String? = nil, notes: String? = nil, createdAt: Date
    ) {
        self.email = email
        self.number = number
        self.gradeLevel = gradeLevel
        self.id = id
        self.orgId = orgId
        self.firstName = firstName
        self.lastName = lastName
        self.displayName = displayName
        self.imageURL = imageURL
        self.avatarTint = avatarTint
        self.notes = notes
        self.createdAt = createdAt
    }
}

/// The background colors of avatars; the design tokens define them.
public enum Tint: String, CaseIterable, Codable, Sendable, Hashable {
    case sand, clay, leaf, sky, berry

    /// The tint that follows from an id, so that a person always has the same one.
    public init(for id: UUID) {
        self = Tint.allCases[Int(id.uuid.15) % Tint.allCases.count]
    }
}

/// The brightness in which pages are shown: light, dark, or what the device prefers.
public enum Appearance: String, CaseIterable, Codable, Sendable, Hashable {
    case automatic, light, dark
}

/// The color themes of the product. Each has a light and a dark form.
public enum ThemeName: String, CaseIterable, Codable, Sendable, Hashable {
    case pinktower, wolfwhale
}
