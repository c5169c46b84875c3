import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

/// A mark of one student for one item, without its value.
struct MarkPlace: Codable, Sendable, Hashable {
    let studentId: UUID
    let itemId: UUID
}

/// A mark that somebody changed after the caller had read it.
struct MarkClash: Codable, Sendable, Hashable {
    let studentId: UUID
    let itemId: UUID
    let student: String
    let item: String
    /// What is stored now, as it is typed.
    let theirs: String
    /// What the caller wants to store.
    let yours: String
    /// Who stored `theirs`; absent where the change log does not tell.
    var by: String?

    var place: MarkPlace { MarkPlace(studentId: studentId, itemId: itemId) }

    /// A fault that names the mark, both values and the person.
    func fault(_ field: String) -> Fault {
        let told: [Fault.Argument] = [
            .text(student), .text(item), .text(theirs.isEmpty ? "–" : theirs), .text(yours.isEmpty ? "–" : yours),
        ]
        guard let by else { return Fault(field, "grading.clash", told) }
        return Fault(field, "grading.clashBy", told + [.text(by)])
    }
}

/// Who changed marks last, as the change log tells it.
struct MarkAuthors: Sendable {
    /// How many of the latest changes of marks are searched.
    private static let searchedEntries = 2000

    struct Author: Sendable, Hashable {
        let name: String
        let at: Date
    }

    let people: GradebookPeople

    /// The last person who changed each of these marks; those whom the log does not tell are left out.
    func authors(
        of places: Set<MarkPlace>, _ orgId: UUID, in sql: any SQLReading
    ) throws -> [MarkPlace: Author] {
        guard !places.isEmpty else { return [:] }
        var found: [MarkPlace: (actor: UUID, at: Date)] = [:]
        for entry in try ChangeLog.latest(kinds: ["grades.marked"], limit: Self.searchedEntries, in: sql) {
            let payload = entry.change.payload
            guard let actor = entry.actorId, let studentId = payload["student"].flatMap(UUID.init(text:)),
                let itemId = payload["item"].flatMap(UUID.init(text:))
            else { continue }
            let place = MarkPlace(studentId: studentId, itemId: itemId)
            if places.contains(place), found[place] == nil { found[place] = (actor, entry.at) }
        }
        let names = try people.people.people(Array(Set(found.values.map(\.actor))), of: orgId, in: sql)
        return found.compactMapValues { change in
            names[change.actor].map { Author(name: $0.name.display, at: change.at) }
        }
    }

    /// The clashes with the people who made them.
    func told(_ clashes: [MarkClash], _ orgId: UUID, in sql: any SQLReading) throws -> [MarkClash] {
        let known = try authors(of: Set(clashes.map(\.place)), orgId, in: sql)
        return clashes.map { clash in
            var clash = clash
            clash.by = known[clash.place]?.name
            return clash
        }
    }
}

struct ReadMarks: Query {
    static let contract = Contract(
        "grades.marks", "/api/v1/courses/{courseId}/gradebook/items/{itemId}/marks", access: .member(.teachCourses),
        summary: "The marks of an item with their versions and who changed them last, in the gradebook's order.")
    typealias Result = Page<StoredMark>

    let courseId: UUID
    let itemId: UUID

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        itemId = fields.id("itemId")
    }
}

/// A mark as it is stored now; the text is empty and the version 0 where a student has none.
struct StoredMark: Codable, Sendable, Hashable {
    let studentId: UUID
    let text: String
    let version: Int
    /// Who changed it last; absent where nobody has, or the change log does not tell.
    let by: String?
}
