public import Foundation

// Entities are value types with a version 7 UUID. `orgId` names the school whose database holds the
// row; it is not a column there.

/// A school: the tenant. Everything about its people lives in its own database.
public struct Organization: Identifiable, Hashable, Codable, Sendable {
    public let id: UUID
    public var name: String
    public var avatarTint: Tint
    /// IANA name, for example `America/Toronto`; it says when a school day begins.
    public var timeZone: String
    public let createdAt: Date

    public init(id: UUID, name: String, avatarTint: Tint, timeZone: String, createdAt: Date) {
        self.id = id
        self.name = name
        self.avatarTint = avatarTint
        self.timeZone = timeZone
        self.createdAt = createdAt
    }
}

/// A human being in one school. What a person is there follows from roles and facets.
public struct Person: Identifiable, Hashable, Codable, Sendable {
    public let id: UUID
    public let orgId: UUID
    public var name: PersonName
    public var email: String?
    /// What the school's papers call the person by, a student's number most often (OneRoster's `identifier`).
    public var number: String?
    /// The year of school, as the school writes it: `03`, `Grade 3`, `CE2` (OneRoster's `grades`).
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
}

/// An adult who works with children in a school.
public struct Guide: Identifiable, Hashable, Codable, Sendable {
    public let id: UUID
    public let orgId: UUID
    public var fullName: String
    public var email: String?
    /// One of `Role.guideRoles`.
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

/// A room of children and the guides who work in it.
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

/// The child facet of a person; `id` is the person's.
public struct Student: Identifiable, Hashable, Codable, Sendable {
    public let id: UUID
    public let orgId: UUID
    public var firstName: String
    public var lastName: String
    public var displayName: String
    public var imageURL: String?
    public var avatarTint: Tint
    public var email: String?
    /// The number that the school's papers call the student by.
    public var number: String?
    /// The year of school, as the school writes it.
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

/// The five grounds an avatar may have; the design tokens give them their colours.
public enum Tint: String, CaseIterable, Codable, Sendable, Hashable {
    case sand, clay, leaf, sky, berry

    /// The tint that follows from an id, so that a person always looks the same.
    public init(for id: UUID) {
        self = Tint.allCases[Int(id.uuid.15) % Tint.allCases.count]
    }
}

/// Light, dark, or what the device prefers.
public enum Appearance: String, CaseIterable, Codable, Sendable, Hashable {
    case automatic, light, dark
}

/// The looks of the product; every one has a light and a dark form.
public enum ThemeName: String, CaseIterable, Codable, Sendable, Hashable {
    case pinktower, wolfwhale
}
