import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import RosterInterface

extension RosterPlan {
    // MARK: - Families

    /// Links guardians and children. The standard lets either side name the other; the student is the child.
    mutating func compareFamilies(_ bundle: RosterBundle, _ people: People, _ holdings: Holdings) {
        let file = bundle.file(.users)
        let students = holdings.classrooms.students.union(classrooms.students)
        var seen = holdings.families
        var named: Set<FamilyLink> = []
        for user in bundle.users where !user.isToBeDeleted {
            guard let person = people[user.sourcedId] else { continue }
            for agentId in user.agents {
                guard let agent = people[agentId] else {
                    if bundle.deltas.contains(.users) {
                        findings.notices.addOnce(
                            .unknownAgent, file, user.line, "agentSourcedIds", [.shown(agentId)])
                    }
                    continue
                }
                let link: FamilyLink
                switch (students.contains(person.id), students.contains(agent.id)) {
                case (true, false): link = FamilyLink(guardianId: agent.id, childId: person.id)
                case (false, true): link = FamilyLink(guardianId: person.id, childId: agent.id)
                case (true, true), (false, false):
                    findings.notices.addOnce(
                        .unclearAgent, file, user.line, bundle.listFile == nil ? "agentSourcedIds" : nil,
                        [.shown(person.name.display), .shown(agent.name.display)])
                    continue
                }
                named.insert(link)
                guard seen.insert(link).inserted else { continue }
                families.append(link)
                let names = link.childId == person.id ? (agent, person) : (person, agent)
                step(
                    .guardianLinked, file, user.line, .name(names.0.name.display), .name(names.1.name.display))
            }
        }
        noteMissingLinks(bundle, holdings, named)
    }

    /// Notes links between people of the other system that are missing in the bundle.
    private mutating func noteMissingLinks(
        _ bundle: RosterBundle, _ holdings: Holdings, _ named: Set<FamilyLink>
    ) {
        guard bundle.isComplete, bundle.listFile == nil else { return }
        let ids = Set(bundle.users.lazy.map(\.sourcedId))
        let names = Dictionary(
            holdings.people.filter { ids.contains($0.externalId ?? "") }.map { ($0.person.id, $0.person.name) }
        ) { first, _ in first }
        let left = holdings.families.subtracting(named).compactMap { link -> (key: String, [Fault.Argument])? in
            guard let guardian = names[link.guardianId], let child = names[link.childId] else { return nil }
            return ("\(child.sortKey)\n\(guardian.sortKey)", [.shown(guardian.display), .shown(child.display)])
        }
        for (_, arguments) in left.sorted(by: { $0.key < $1.key }) {
            findings.stays.add(.guardianNotInFile, bundle.file(.users), 0, "agentSourcedIds", arguments)
        }
    }

    // MARK: - Addresses

    /// Returns the people of the bundle with unique addresses, because a sign-in identifies an account by its address.
    ///
    /// Families often give a parent's address for a student. The student is then imported without it.
    mutating func settleAddresses(_ bundle: RosterBundle, _ holdings: Holdings) -> [RosterBundle.User] {
        var users = bundle.users
        let (file, column) = (bundle.file(.users), bundle.listFile == nil ? "email" : nil)
        let known = Dictionary(holdings.people.map { ($0.externalId ?? $0.person.id.text, $0.person) }) {
            first, _ in first
        }
        let students = Set(bundle.roles.lazy.filter { $0.role == "student" }.map(\.userId))
            .union(bundle.enrollments.lazy.filter { $0.role == "student" }.map(\.userId))
            .union(known.lazy.filter { holdings.classrooms.students.contains($0.value.id) }.map(\.key))
        let named = users.indices.filter { users[$0].email != nil && !users[$0].isToBeDeleted }
        for (email, places) in Dictionary(grouping: named, by: { users[$0].email ?? "" }) where places.count > 1 {
            let adults = places.filter { !students.contains(users[$0].sourcedId) }
            let owner = adults.first ?? places[0]
            for place in places where place != owner {
                let arguments: [Fault.Argument] = [.shown(email), .number(users[owner].line)]
                if adults.isEmpty || adults.contains(place) {
                    findings.faults.add(.sameAddress, file, users[place].line, column, arguments)
                } else {
                    findings.notices.add(.addressOfAdult, file, users[place].line, column, arguments)
                    users[place].email = nil
                }
            }
        }
        // A person who gets another address in this bundle gives up the current one.
        let moving = Dictionary(named.map { (users[$0].sourcedId, users[$0].email ?? "") }) { first, _ in first }
        var holders: [String: (key: String, person: Person)] = [:]
        for (key, person) in known {
            guard let email = person.email?.lowercased(), moving[key] == nil || moving[key] == email else {
                continue
            }
            holders[email] = (key, person)
        }
        for place in users.indices {
            guard let email = users[place].email, let holder = holders[email], !users[place].isToBeDeleted,
                holder.key != users[place].sourcedId, known[users[place].sourcedId]?.email?.lowercased() != email
            else { continue }
            let arguments: [Fault.Argument] = [.shown(email), .shown(holder.person.name.display)]
            if bundle.listFile == nil || students.contains(users[place].sourcedId) && !students.contains(holder.key)
            {
                findings.notices.add(.sameEmail, file, users[place].line, column, arguments)
                users[place].email = nil
            } else {
                findings.faults.add(.addressTaken, file, users[place].line, column, arguments)
            }
        }
        return users
    }
}
