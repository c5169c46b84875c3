public import Domain
import FeatureKit
public import Foundation

/// A restored school with its counts before and after the restore.
public struct RestoredSchool: Codable, Sendable, Hashable {
    /// The id of the restored school.
    public let id: UUID
    /// The name of the restored school.
    public let name: String
    /// The counts of people, classrooms and courses before the restore; absent if there was no school or it could
    /// not be read.
    public let before: SchoolCounts?
    /// The counts of people, classrooms and courses after the restore.
    public let after: SchoolCounts?

    /// Returns the counts before and after the restore as sentences.
    public func lines(_ words: Words) -> [String] {
        guard let after else { return [] }
        return zip(after.all, before?.all ?? []).map { now, then in
            words("records.restored.\(now.name)Before", now.count, then.count)
        } + (before == nil ? after.all.map { words("records.restored.\($0.name)", $0.count) } : [])
    }
}

/// The numbers of people, classrooms and courses of a school.
public struct SchoolCounts: Codable, Sendable, Hashable {
    /// The number of people in the school.
    public let people: Int
    /// The number of classrooms in the school.
    public let classrooms: Int
    /// The number of courses in the school.
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
