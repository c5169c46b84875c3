public import Domain
public import FeatureKit
public import Foundation

/// What an observation is tagged with.
public enum TagKind: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
    case subject
    case material
    case app
}

/// An entry of one of the school's lasting lists.
public struct Tag: Identifiable, Codable, Sendable, Hashable {
    public let id: UUID
    public let kind: TagKind
    /// In the reader's language.
    public let name: String
    /// The subject that a material belongs to.
    public let subjectId: UUID?

    public init(id: UUID, kind: TagKind, name: String, subjectId: UUID? = nil) {
        self.id = id
        self.kind = kind
        self.name = name
        self.subjectId = subjectId
    }
}

/// The school's lists of subjects, materials and apps.
public protocol Taxonomy: Sendable {
    /// What may be chosen now, in the order of the lists.
    func tags(in language: Language, _ sql: any SQLReading) throws -> [Tag]
    /// The tags of these ids, also those that are no longer offered.
    func tags(_ ids: Set<UUID>, in language: Language, _ sql: any SQLReading) throws -> [UUID: Tag]
}

/// An observation that something is concluded from.
public struct Evidence: Identifiable, Codable, Sendable, Hashable {
    /// The observation.
    public let id: UUID
    public let day: Day
    /// Its beginning, at most 120 characters.
    public let excerpt: String

    public init(id: UUID, day: Day, excerpt: String) {
        self.id = id
        self.day = day
        self.excerpt = excerpt
    }
}

/// What is written about a child, for blocks that conclude from it or plan with it. All of it inside the caller's
/// own transaction; whether the member may see the child is the caller's to ask (`StudentService.student`).
public protocol ChildRecord: Sendable {
    /// The observations of a child by the material that they are tagged with, newest first, at most three for each.
    func evidence(
        of studentId: UUID, timeZone: TimeZone, in sql: any SQLReading
    ) throws -> [UUID: [Evidence]]
    /// The titles of the child's lessons that are not completed yet.
    func openLessons(of studentId: UUID, in sql: any SQLReading) throws -> Set<String>
    /// Plans a lesson for the child, without a day yet, and records the change.
    func plan(lesson title: String, details: String?, for studentId: UUID, in context: inout CommandContext) throws
}
