public import ClassroomInterface
public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface
public import RosterInterface

/// Brings a school up to a bundle.
public struct RosterImport: RosterImporting {
    private let people: any PeopleImporting
    private let classrooms: any ClassroomImporting
    private let roles: any RoleAssigning
    private let clock: any WallClock
    private let ids: any IDGenerator

    public init(
        people: any PeopleImporting, classrooms: any ClassroomImporting, roles: any RoleAssigning,
        clock: any WallClock, ids: any IDGenerator
    ) {
        self.people = people
        self.classrooms = classrooms
        self.roles = roles
        self.clock = clock
        self.ids = ids
    }

    // MARK: - RosterImporting

    public func run(
        _ files: [RosterFile], into school: any Database, of orgId: UUID, by personId: UUID?, dryRun: Bool,
        words: Words
    ) async throws -> RosterReport {
        let bundle = RosterBundle.parse(files)
        let now = clock.now
        guard !dryRun && bundle.findings.isClean else {
            return try await school.read { try self.plan(bundle, of: orgId, at: now, in: $0) }.report(words)
        }
        // conformance: allow write - the command line has no caller whom the pipeline could let in
        let plan = try await school.write { sql in
            let plan = try self.plan(bundle, of: orgId, at: now, in: sql)
            try apply(plan, at: now, in: sql)
            _ = try ChangeLog.append(plan.change.map { [$0] } ?? [], at: now, actor: personId, in: sql)
            return plan
        }
        try await giveWaitingRoles(of: orgId, in: school)
        return plan.report(words, isApplied: true)
    }

    // MARK: - Steps

    /// What the bundle changes. Two reads of whole tables instead of one per row.
    func plan(_ bundle: RosterBundle, of orgId: UUID, at now: Date, in sql: any SQLReading) throws -> RosterPlan {
        guard bundle.findings.isClean else {
            let nothing = RosterPlan.Holdings(people: [], classrooms: ClassroomHoldings(), roles: [])
            return RosterPlan(bundle, against: nothing, of: orgId, now: now, newId: { ids.id(at: now) })
        }
        return RosterPlan(
            bundle, against: try holdings(of: orgId, in: sql), of: orgId, now: now, newId: { ids.id(at: now) })
    }

    func holdings(of orgId: UUID, in sql: any SQLReading) throws -> RosterPlan.Holdings {
        RosterPlan.Holdings(
            people: try people.everybody(of: orgId, in: sql), classrooms: try classrooms.holdings(in: sql),
            roles: try RosterRoleRepository.all(in: sql))
    }

    func apply(_ plan: RosterPlan, at now: Date, in sql: any SQLWriting) throws {
        try people.insert(plan.newPeople, in: sql)
        try people.update(plan.changedPeople, in: sql)
        try classrooms.apply(plan.classrooms, at: now, in: sql)
        try RosterRoleRepository.note(plan.gifts, in: sql)
    }

    /// The directory's half: gives the roles that are noted and not given yet. May be repeated at any time.
    func giveWaitingRoles(of orgId: UUID, in school: any Database) async throws {
        let waiting = try await school.read { try RosterRoleRepository.waiting(in: $0) }
        for (role, gifts) in Dictionary(grouping: waiting, by: \.role).sorted(by: {
            $0.key.rawValue < $1.key.rawValue
        }) {
            let personIds = gifts.map(\.personId)
            try await roles.give(role, to: personIds, in: orgId)
            // conformance: allow write - notes what the directory did after the command's own transaction
            try await school.write { try RosterRoleRepository.markGiven(role, to: personIds, in: $0) }
        }
    }
}

extension RosterPlan {
    /// The one entry of the change log; `nil` where nothing changes.
    var change: Change? {
        guard !isEmpty else { return nil }
        let rooms = touchedClassrooms.map(\.text).sorted().map { "classroom:\($0)" }
        return Change(
            "roster.imported", topics: ["classrooms", "students", "members"] + rooms,
            audience: Audience.roles(Role.guideRoles),
            payload: [
                "peopleCreated": String(counts.peopleCreated), "peopleUpdated": String(counts.peopleUpdated),
                "classroomsCreated": String(counts.classroomsCreated),
                "classroomsRenamed": String(counts.classroomsRenamed),
                "studentsAdded": String(counts.studentsAdded), "guidesAssigned": String(counts.guidesAssigned),
                "studentsEnrolled": String(counts.studentsEnrolled), "rolesGiven": String(counts.rolesGiven),
            ], reshapesAudience: true)
    }
}
