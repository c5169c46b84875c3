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
