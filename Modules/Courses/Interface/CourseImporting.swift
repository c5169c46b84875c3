public import Domain
public import FeatureKit
public import Foundation

/// A term of the school year in an import, with its id in the other system.
public struct ImportedTerm: Codable, Sendable, Hashable {
    public let id: UUID
    public var name: String
    public var firstDay: Day
    /// The last day of the term, which still belongs to the term.
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

/// A course in an import, with its id in the other system.
public struct ImportedCourse: Codable, Sendable, Hashable {
    public let id: UUID
    public var name: String
    public var subject: String
    public var gradeLevel: String?
    public var termId: UUID?
    /// The ids of the course's teachers. The first one is responsible for the course.
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

/// Imports terms and courses in bulk, for imports that also work without courses.
///
/// All calls run in the caller's database transaction. The caller must check permissions.
public protocol CourseImporting: Sendable {
    func terms(in sql: any SQLReading) throws -> [ImportedTerm]
    func courses(in sql: any SQLReading) throws -> [ImportedCourse]
    /// Adds new terms and courses and updates existing ones.
    func save(_ terms: [ImportedTerm], _ courses: [ImportedCourse], at instant: Date, in sql: any SQLWriting) throws
    /// Returns those of the given courses that have lessons or weekly meetings.
    func filled(_ courseIds: Set<UUID>, in sql: any SQLReading) throws -> Set<UUID>
    func remove(terms: [UUID], courses: [UUID], in sql: any SQLWriting) throws
    /// The names of the database tables that the import writes. Rows about a person in other tables came from
    /// elsewhere.
    var tables: Set<String> { get }
}
