import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// The values of people as the plain list contains them, for the export and for comparing an edited export.
struct PeopleSheet: Sendable {
    /// The columns after the id, with their headers.
    static let columns: [(column: ListColumn, header: String)] = [
        (.given, "givenName"), (.family, "familyName"), (.preferred, "preferredName"), (.email, "email"),
        (.number, "number"), (.grade, "gradeLevel"), (.roles, "roles"), (.classrooms, "classrooms"),
    ]

    /// The OneRoster roles of each person: those of imports, and those that follow from classrooms.
    let roleNames: [UUID: Set<String>]
    private let rooms: [UUID: [String]]

    init(_ holdings: RosterPlan.Holdings) {
        var names: [UUID: Set<String>] = [:]
        for assignment in holdings.roles {
            switch assignment.role {
            case .admin: names[assignment.personId, default: []].insert("administrator")
            case .guide: names[assignment.personId, default: []].insert("teacher")
            case .parent: names[assignment.personId, default: []].insert("parent")
            case .superAdmin, .student, .warden: break
            }
        }
        for place in holdings.classrooms.guidePlaces { names[place.personId, default: []].insert("teacher") }
        for id in holdings.classrooms.students { names[id, default: []].insert("student") }
        roleNames = names
        let roomNames = Dictionary(holdings.classrooms.classrooms.map { ($0.id, $0.name) }) { first, _ in first }
        rooms = Dictionary(
            grouping: holdings.classrooms.guidePlaces.union(holdings.classrooms.studentPlaces), by: \.personId
        ).mapValues { places in places.compactMap { roomNames[$0.classroomId] } }
    }

    /// A person's values by column; empty where the school has none.
    func values(of one: ImportedPerson) -> [ListColumn: String] {
        let name = one.person.name
        return [
            .given: name.given, .family: name.family, .preferred: name.preferred ?? "",
            .email: one.person.email?.lowercased() ?? "", .number: one.person.number ?? "",
            .grade: one.person.gradeLevel ?? "", .roles: Self.text(Array(roleNames[one.person.id] ?? [])),
            .classrooms: Self.text(rooms[one.person.id] ?? []),
        ]
    }

    /// Several names in one cell, in alphabetical order. A semicolon in a name is doubled.
    static func text(_ names: [String]) -> String {
        names.sorted().map { $0.replacing(";", with: ";;") }.joined(separator: "; ")
    }
}
