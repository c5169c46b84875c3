public import Domain
public import FeatureKit
public import Foundation

/// A term as another system knows it.
public struct ImportedTerm: Codable, Sendable, Hashable {
    public let id: UUID
    public var name: String
    public var firstDay: Day
    /// Still within.
    public var lastDay: Day
    public var externalId: String?

    public init(id: UUID, name: String, firstDay: Day, lastDay: Day, externalId: String?) {
        self.id = id
        self.name = name
        self.firstDay = firstDay
        self.lastDay = lastDay
        self.externalId = externalId
    }
}

/// A course as another system knows it.
public struct ImportedCourse: Codable, Sendable, Hashable {
    public let id: UUID
    public var name: String
    public var subject: String
    public var gradeLevel: String?
    public var termId: UUID?
    /// The first answers for it.
    public var teacherIds: [UUID]
    public var externalId: String?

    public init(
        id: UUID, name: String, subject: String, gradeLevel: String?, termId: UUID?, teacherIds: [UUID],
        externalId: String?
    ) {
        self.id = id
        self.name = name
        self.subject = subject
        self.gradeLevel = gradeLevel
        self.termId = termId
        self.teacherIds = teacherIds
        self.externalId = externalId
    }
}

/// Terms and courses by the thousand, for an import that a school without courses uses as well. All of it inside the
/// caller's own transaction; who may do it is the caller's to check.
public protocol CourseImporting: Sendable {
    func terms(in sql: any SQLReading) throws -> [ImportedTerm]
    func courses(in sql: any SQLReading) throws -> [ImportedCourse]
    /// Adds those that are new and writes the values of the others.
    func save(_ terms: [ImportedTerm], _ courses: [ImportedCourse], at instant: Date, in sql: any SQLWriting) throws
    /// Those of the courses that have lessons, or times at which they meet.
    func filled(_ courseIds: Set<UUID>, in sql: any SQLReading) throws -> Set<UUID>
    func remove(terms: [UUID], courses: [UUID], in sql: any SQLWriting) throws
    /// The tables that it writes; whatever other tables tell about a person came from elsewhere.
    var tables: Set<String> { get }
}
