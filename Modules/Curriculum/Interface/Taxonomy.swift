public import Domain
public import FeatureKit
public import Foundation

/// The kinds of tags on observations: subjects, learning materials or apps. Each kind has a list of its own.
public enum TagKind: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
    case subject
    case material
    case app
}

/// A tag that guides give to observations, from one of the school's lists.
public struct Tag: Identifiable, Codable, Sendable, Hashable {
    public let id: UUID
    public let kind: TagKind
    /// The name of the tag, in the reader's language.
    public let name: String
    /// The subject that a material belongs to; `nil` for tags that are not materials.
    public let subjectId: UUID?

    public init(id: UUID, kind: TagKind, name: String, subjectId: UUID? = nil) {
        self.id = id
        self.kind = kind
        self.name = name
        self.subjectId = subjectId
    }
}

/// The school's lists of subjects, learning materials and apps, with which guides tag observations.
public protocol Taxonomy: Sendable {
    /// Returns the tags that can be chosen now, in the order of the lists.
    func tags(in language: Language, _ sql: any SQLReading) throws -> [Tag]
    /// Returns the tags with these ids, including tags that can no longer be chosen.
    func tags(_ ids: Set<UUID>, in language: Language, _ sql: any SQLReading) throws -> [UUID: Tag]
}
