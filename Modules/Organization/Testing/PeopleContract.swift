import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface

/// The contract of `PeopleService`, which tests check in one command: adding, changing, reading and removing people.
public struct PeopleContract: Sendable {
    /// Returns what a service does against the contract; empty if it fulfills it.
    public static func faults(of service: any PeopleService, in context: CommandContext) throws -> [String] {
        var faults: [String] = []
        func expect(_ holds: Bool, _ what: String) { if !holds { faults.append(what) } }
        let orgId = try context.membership.organization.id
        let ana = try service.add(
            PersonDraft(name: PersonName(given: "Ana", family: "Łukasik"), email: "ana@maple.example"), in: context)
        expect(
            try service.people([ana.id], of: orgId, in: context.sql)[ana.id] == ana,
            "an added person is not read back")
        expect(ana.orgId == orgId, "a person names another school")
        let changed = try service.update(
            ana.id,
            PersonDraft(name: PersonName(given: "Ana", family: "Ruiz", preferred: "Anita"), avatarTint: .sky),
            in: context)
        expect(changed.name.display == "Anita Ruiz" && changed.avatarTint == .sky, "a change is not answered")
        expect(
            try service.people([ana.id], of: orgId, in: context.sql)[ana.id] == changed, "a change is not stored")
        let searchText: String? = try context.sql.value("SELECT search_text FROM people WHERE id = \(ana.id)")
        expect(searchText == changed.name.searchText, "the search text does not follow a change")
        let key: String? = try context.sql.value("SELECT sort_key FROM people WHERE id = \(ana.id)")
        expect(key == changed.name.sortKey, "the sort key does not follow a change")
        let ben = try service.add(PersonDraft(name: PersonName(given: "Ben", family: "")), in: context)
        try service.remove(ben.id, in: context)
        expect(
            try service.people([ben.id, ana.id], of: orgId, in: context.sql).count == 1, "a removed person stays")
        for attempt in [
            { try service.remove(ben.id, in: context) },
            { _ = try service.update(ben.id, PersonDraft(name: PersonName(given: "B", family: "")), in: context) },
        ] {
            do {
                try attempt()
                faults.append("an unknown person is taken for a known one")
            } catch let problem as Problem {
                expect(problem == .notFound, "an unknown person is not notFound")
            }
        }
        expect(try service.people([], of: orgId, in: context.sql).isEmpty, "no ids return a person")
        return faults
    }
}
