import ClassroomInterface
import CoursesInterface
public import Domain
import EnrollmentInterface
public import FeatureKit
public import Foundation
import OrganizationInterface
public import RosterInterface

extension RosterImport {
    public func pastImports(in school: any Database, of orgId: UUID) async throws -> [PastImport] {
        try await school.read { try self.pastImports(of: orgId, in: $0) }
    }

    func pastImports(of orgId: UUID, in sql: any SQLReading) throws -> [PastImport] {
        let imports = try ImportRepository.all(in: sql)
        let people = try people.people(Array(Set(imports.compactMap(\.personId))), of: orgId, in: sql)
        return imports.map { one in
            PastImport(
                id: one.id, at: one.at, personId: one.personId,
                person: one.personId.flatMap { people[$0]?.name.display }, counts: one.counts,
                standing: one.standing, undoneAt: one.undoneAt)
        }
    }

    public func undo(
        _ importId: UUID?, in school: any Database, directory: any Database, of orgId: UUID, by personId: UUID?,
        dryRun: Bool, words: Words
    ) async throws -> RosterUndo {
        let id: UUID
        if let importId {
            id = importId
        } else {
            let latest = try await pastImports(in: school, of: orgId).first {
                $0.standing > 0 && $0.undoneAt == nil
            }
            guard let latest else { throw Problem(404, "roster.noImport") }
            id = latest.id
        }
        let outside = try await directoryState(id, in: school, directory: directory, of: orgId, actor: personId)
        guard !dryRun else {
            return try await school.read { try self.undoPlan(id, outside, of: orgId, in: $0) }.report(id, words)
        }
        let now = clock.now
        // conformance: allow write - the command line has no caller whom the pipeline could let in
        let plan = try await school.write { sql in
            let plan = try self.undoPlan(id, outside, of: orgId, in: sql)
            try self.apply(plan, to: id, at: now, in: sql)
            _ = try ChangeLog.append(plan.change(id).map { [$0] } ?? [], at: now, actor: personId, in: sql)
            return plan
        }
        try await settleRoles(of: orgId, in: school)
        return plan.report(id, words, isApplied: true)
    }

    /// The directory's data about the people of an import.
    ///
    /// It is read before the school's transaction, which cannot wait for another database.
    struct DirectoryState: Sendable {
        let assigned: [UUID: Set<Role>]
        let traces: [UUID: String]
        let actor: UUID?
    }

    /// Reads the directory's data about the people of an import.
    func directoryState(
        _ importId: UUID, in school: any Database, directory: any Database, of orgId: UUID, actor: UUID?
    ) async throws -> DirectoryState {
        let created = try await school.read { try ImportRepository.activeRows(of: importId, in: $0) }
            .filter { $0.kind == .personCreated }.compactMap(\.personId)
        let traces = try await directory.read { try self.trace.found(created, of: orgId, .directory, in: $0) }
        return DirectoryState(assigned: try await roles.assigned(in: orgId), traces: traces, actor: actor)
    }

    /// Plans the undo of an import. Throws `Problem.notFound` if the import is unknown.
    func undoPlan(_ importId: UUID, _ outside: DirectoryState, of orgId: UUID, in sql: any SQLReading) throws
        -> UndoPlan
    {
        guard try ImportRepository.one(importId, in: sql) != nil else { throw Problem.notFound }
        let rows = try ImportRepository.activeRows(of: importId, in: sql)
        let judged = Set(
            rows.filter { [.personCreated, .studentAdded, .courseEnrolled].contains($0.kind) }
                .compactMap(\.personId))
        let found = try trace.found(Array(judged), of: orgId, .school, in: sql)
        return UndoPlan(
            rows,
            in: UndoPlan.Present(
                holdings: try holdings(of: orgId, in: sql), assigned: outside.assigned,
                traces: found.merging(outside.traces) { own, _ in own }, actor: outside.actor))
    }

    /// Applies the plan within the caller's database transaction.
    func apply(_ plan: UndoPlan, to importId: UUID, at now: Date, in sql: any SQLWriting) throws {
        guard !plan.isEmpty else { return }
        if let courses {
            try courses.places?.remove(plan.coursePlaces, in: sql)
            try courses.places?.add(
                plan.reopenedCoursePlaces.keys.sorted { $0.personId < $1.personId },
                firstDays: plan.reopenedCoursePlaces, at: now, in: sql)
            try courses.courses.save(plan.restoredTerms, plan.restoredCourses, at: now, in: sql)
            try courses.courses.remove(terms: plan.removedTerms, courses: plan.removedCourses, in: sql)
        }
        try families.unlink(plan.families, in: sql)
        try classrooms.revert(plan.classrooms, in: sql)
        try people.update(plan.restoredPeople, in: sql)
        try RosterRoleRepository.delete(plan.removedRoles, in: sql)
        try people.remove(plan.removedPeople, in: sql)
        try ImportRepository.mark(plan.settled, of: importId, .undone, in: sql)
        try ImportRepository.mark(plan.leaving, of: importId, .leaving, in: sql)
        try ImportRepository.noteUndone(importId, at: now, in: sql)
    }
}

extension UndoPlan {
    /// The entry for the change log, or `nil` if nothing changes.
    func change(_ importId: UUID) -> Change? {
        guard !steps.isEmpty else { return nil }
        let rooms = touchedClassrooms.map(\.text).sorted().map { "classroom:\($0)" }
        return Change(
            "roster.undone", topics: RosterPlan.topics + rooms,
            audience: Audience.roles(Role.guideRoles),
            payload: ["import": importId.text, "undone": String(steps.count), "kept": String(skipped.count)],
            reshapesAudience: true)
    }
}
