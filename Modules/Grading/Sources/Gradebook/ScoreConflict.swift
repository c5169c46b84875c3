import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

/// The student and the item of a score.
struct ScoreKey: Codable, Sendable, Hashable {
    let studentId: UUID
    let itemId: UUID
}

/// A score that another person changed after the caller had read it.
struct ScoreConflict: Codable, Sendable, Hashable {
    let studentId: UUID
    let itemId: UUID
    let student: String
    let item: String
    /// The stored score, as it is typed.
    let theirs: String
    /// The score that the caller wants to store.
    let yours: String
    /// The name of the person who stored `theirs`; `nil` if the change log does not say.
    var by: String?

    var key: ScoreKey { ScoreKey(studentId: studentId, itemId: itemId) }

    /// A fault that names the student, the item, both scores and the person.
    func fault(_ field: String) -> Fault {
        let arguments: [Fault.Argument] = [
            .text(student), .text(item), .text(theirs.isEmpty ? "–" : theirs), .text(yours.isEmpty ? "–" : yours),
        ]
        guard let by else { return Fault(field, "grading.clash", arguments) }
        return Fault(field, "grading.clashBy", arguments + [.text(by)])
    }
}

/// Finds the people who changed scores last, in the change log.
struct ScoreAuthors: Sendable {
    /// How many of the latest changes are searched.
    private static let searchedEntries = 2000

    struct Author: Sendable, Hashable {
        let name: String
        let at: Date
    }

    let people: GradebookPeople

    /// The last person who changed each of these scores. Scores that the searched changes do not contain are left out.
    func authors(
        of keys: Set<ScoreKey>, _ orgId: UUID, in sql: any SQLReading
    ) throws -> [ScoreKey: Author] {
        guard !keys.isEmpty else { return [:] }
        var found: [ScoreKey: (actor: UUID, at: Date)] = [:]
        for entry in try ChangeLog.latest(kinds: ["grades.marked"], limit: Self.searchedEntries, in: sql) {
            let payload = entry.change.payload
            guard let actor = entry.actorId, let studentId = payload["student"].flatMap(UUID.init(text:)),
                let itemId = payload["item"].flatMap(UUID.init(text:))
            else { continue }
            let key = ScoreKey(studentId: studentId, itemId: itemId)
            if keys.contains(key), found[key] == nil { found[key] = (actor, entry.at) }
        }
        let names = try people.people.people(Array(Set(found.values.map(\.actor))), of: orgId, in: sql)
        return found.compactMapValues { change in
            names[change.actor].map { Author(name: $0.name.display, at: change.at) }
        }
    }

    /// Returns the conflicts with the names of the people who caused them.
    func addingAuthors(to conflicts: [ScoreConflict], _ orgId: UUID, in sql: any SQLReading) throws
        -> [ScoreConflict]
    {
        let known = try authors(of: Set(conflicts.map(\.key)), orgId, in: sql)
        return conflicts.map { conflict in
            var conflict = conflict
            conflict.by = known[conflict.key]?.name
            return conflict
        }
    }
}

/// Reads the scores of an item.
struct ReadScores: Query {
    static let contract = Contract(
        "grades.marks", "/api/v1/courses/{courseId}/gradebook/items/{itemId}/marks", access: .member(.teachCourses),
        summary:
            "The scores of an item with their versions and the people who changed them last, in the gradebook's order."
    )
    typealias Result = Page<StoredScore>

    let courseId: UUID
    let itemId: UUID

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        itemId = fields.id("itemId")
    }
}

/// A score as it is stored now. The text is empty and the version 0 for a student without one.
struct StoredScore: Codable, Sendable, Hashable {
    let studentId: UUID
    let text: String
    let version: Int
    /// The name of the person who changed it last; `nil` without one or if the change log does not say.
    let by: String?
}
