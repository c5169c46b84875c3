public import Domain
import FeatureKit
public import Foundation

/// A school that was brought back, with what it holds now and what it held before in the same place.
public struct RestoredSchool: Codable, Sendable, Hashable {
    public let id: UUID
    public let name: String
    /// Absent where there was no school in this place, or none that could be read.
    public let before: SchoolCounts?
    public let after: SchoolCounts?

    /// The counts as sentences, for a person to compare.
    public func lines(_ words: Words) -> [String] {
        guard let after else { return [] }
        return zip(after.all, before?.all ?? []).map { now, then in
            words("records.restored.\(now.name)Before", now.count, then.count)
        } + (before == nil ? after.all.map { words("records.restored.\($0.name)", $0.count) } : [])
    }
}

/// How much a school holds of what everybody can count.
public struct SchoolCounts: Codable, Sendable, Hashable {
    public let people: Int
    public let classrooms: Int
    public let courses: Int

    init(_ contents: SchoolContents) {
        people = contents.rows["people", default: 0]
        classrooms = contents.rows["classrooms", default: 0]
        courses = contents.rows["courses", default: 0]
    }

    fileprivate var all: [(name: String, count: Int)] {
        [("people", people), ("classrooms", classrooms), ("courses", courses)]
    }
}
