public import ClassroomInterface
public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface

/// Reads and changes classrooms in the feature block's own tables.
public struct SQLClassroomService: ClassroomService, ClassroomImporting, ClassroomPlacing, DefaultClassrooms {
    public init() {}

    public func classrooms(
        visibleTo membership: ActiveMembership, in sql: any SQLReading
    ) throws -> [ClassroomSummary] {
        guard Permission.viewClassrooms.isGiven(to: membership.roles) else { return [] }
        return try ClassroomRepository.summaries(ofGuide: membership.limitedTo, in: sql)
    }

    public func classroom(
        _ id: UUID, visibleTo membership: ActiveMembership, in sql: any SQLReading
    ) throws -> Classroom {
        guard try ClassroomAccess.sees(membership, classroom: id, in: sql),
            let classroom = try ClassroomRepository.classroom(id, orgId: membership.organization.id, in: sql)
        else { throw Problem.notFound }
        return classroom
    }

    public func classroomIds(in sql: any SQLReading) throws -> [UUID] {
        try ClassroomRepository.classroomIds(in: sql)
    }

    // MARK: - DefaultClassrooms

    public func defaultClassrooms(of personIds: [UUID], in sql: any SQLReading) throws -> [UUID: UUID] {
        try ClassroomRepository.defaultClassrooms(of: personIds, in: sql)
    }

    // MARK: - ClassroomService

    public func create(_ draft: ClassroomDraft, in context: inout CommandContext) throws -> Classroom {
        try context.require(.manageClassrooms)
        let membership = try context.membership
        let id = context.newId()
        let classroom = Classroom(
            id: id, orgId: membership.organization.id, name: draft.name,
            avatarTint: draft.avatarTint ?? Tint(for: id), guideIds: [membership.personId], studentIds: [],
            createdAt: context.now)
        try ClassroomRepository.insert(classroom, externalId: draft.externalId, in: context.sql)
        try ClassroomRepository.setGuides([membership.personId], of: id, in: context.sql)
        context.record(
            Change(
                "classroom.created", topics: ["classrooms"], audience: ClassroomAccess.audience(id),
                payload: ["classroom": id.text], reshapesAudience: true))
        return classroom
    }

    public func update(
        _ id: UUID, _ draft: ClassroomDraft, in context: inout CommandContext
    ) throws -> Classroom {
        try context.require(.manageClassrooms)
        var classroom = try classroom(id, visibleTo: context.membership, in: context.sql)
        classroom.name = draft.name
        classroom.avatarTint = draft.avatarTint ?? classroom.avatarTint
        try ClassroomRepository.update(id, name: classroom.name, tint: classroom.avatarTint, in: context.sql)
        context.record(change("classroom.updated", id))
        return classroom
    }

    public func delete(_ id: UUID, in context: inout CommandContext) throws {
        try context.require(.manageClassrooms)
        _ = try classroom(id, visibleTo: context.membership, in: context.sql)
        try ClassroomRepository.delete(id, in: context.sql)
        context.record(change("classroom.deleted", id, reshapes: true))
    }

    public func assign(
        guides: [UUID], to id: UUID, in context: inout CommandContext
    ) throws -> Classroom {
        try context.require(.manageClassrooms)
        let before = try classroom(id, visibleTo: context.membership, in: context.sql)
        do {
            try ClassroomRepository.setGuides(guides, of: id, in: context.sql)
        } catch DatabaseFault.constraint {
            throw Problem.invalid("guideIds", "classroom.unknownGuide")
        }
        var change = change("classroom.guidesAssigned", id, reshapes: true)
        // Guides who join or leave receive the change too, because their pages must be refreshed.
        change = Change(
            change.kind, topics: change.topics,
            audience: change.audience + Set(before.guideIds).union(guides).map(Audience.person),
            payload: change.payload, reshapesAudience: true)
        context.record(change)
        return try classroom(id, visibleTo: context.membership, in: context.sql)
    }

    // MARK: - ClassroomPlacing

    public func classrooms(
        offeredTo membership: ActiveMembership, in sql: any SQLReading
    ) throws -> [OfferedClassroom] {
        try classrooms(visibleTo: membership, in: sql).map { OfferedClassroom(id: $0.id, name: $0.name) }
    }

    public func place(_ personId: UUID, in classroomIds: [UUID], _ sql: any SQLWriting) throws {
        try ClassroomRepository.addGuide(personId, to: classroomIds, in: sql)
    }

    // MARK: - ClassroomImporting

    public func holdings(in sql: any SQLReading) throws -> ClassroomHoldings {
        try ClassroomRepository.holdings(in: sql)
    }

    public func apply(
        _ additions: ClassroomAdditions, on day: Day, at instant: Date, in sql: any SQLWriting
    ) throws {
        try ClassroomRepository.apply(additions, on: day, at: instant, in: sql)
    }

    public func revert(_ additions: ClassroomAdditions, in sql: any SQLWriting) throws {
        try ClassroomRepository.revert(additions, in: sql)
    }

    public var tables: Set<String> {
        ["classrooms", "students", "classroom_guides", "classroom_students", "classroom_stays"]
    }

    private func change(_ kind: String, _ id: UUID, reshapes: Bool = false) -> Change {
        Change(
            kind, topics: ["classrooms", "classroom:\(id.text)"], audience: ClassroomAccess.audience(id),
            payload: ["classroom": id.text], reshapesAudience: reshapes)
    }
}

/// The rules for which classrooms and students a member may see.
enum ClassroomAccess {
    static func sees(_ membership: ActiveMembership, classroom id: UUID, in sql: any SQLReading) throws -> Bool {
        guard Permission.viewClassrooms.isGiven(to: membership.roles) else { return false }
        guard let guide = membership.limitedTo else { return try ClassroomRepository.exists(id, in: sql) }
        return try ClassroomRepository.isGuide(guide, of: id, in: sql)
    }

    static func sees(_ membership: ActiveMembership, student id: UUID, in sql: any SQLReading) throws -> Bool {
        guard Permission.viewClassrooms.isGiven(to: membership.roles) else { return false }
        guard let guide = membership.limitedTo else { return true }
        return try ClassroomRepository.isGuide(guide, ofStudent: id, in: sql)
    }

    /// Returns the audiences that may learn of changes in a classroom.
    static func audience(_ id: UUID) -> [Audience] { [.classroom(id)] + administrators }
    private static let administrators = Audience.roles([.superAdmin, .admin])
}

extension ActiveMembership {
    /// The person to whose classrooms the view is limited; `nil` for members who see all.
    var limitedTo: UUID? { roles.isDisjoint(with: [.superAdmin, .admin]) ? personId : nil }
}
