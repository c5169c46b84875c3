import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel

struct RequestLeave: Command {
    static let contract = Contract(
        "residence.requestLeave", "/api/v1/leaves", access: .member(.askForLeave), isCreation: true,
        summary:
            "Asks for leave, by a resident or by a parent for a child. A parent's request has the parent's approval."
    )
    typealias Result = Leave

    /// The child of a parent who asks; the caller if it is absent.
    let studentId: UUID?
    let fromDay: Day
    let fromTime: ClockTime
    let toDay: Day
    let toTime: ClockTime
    let place: String
    let companion: String?
    let reason: String?

    init(_ fields: inout FieldReader) {
        studentId = fields.optionalId("studentId")
        fromDay = fields.day("fromDay")
        fromTime = fields.clockTime("fromTime")
        toDay = fields.day("toDay")
        toTime = fields.clockTime("toTime")
        place = fields.text("place", max: 120)
        companion = fields.optionalText("companion", max: 120)
        reason = fields.optionalText("reason", max: 500, multiline: true)
    }
}

struct WithdrawLeave: Command {
    static let contract = Contract(
        "residence.withdrawLeave", "/api/v1/leaves/{leaveId}/withdraw", access: .member(.askForLeave),
        summary: "Withdraws a leave before its end, by the resident or a parent.")
    typealias Result = Leave

    let leaveId: UUID

    init(_ fields: inout FieldReader) { leaveId = fields.id("leaveId") }
}

struct DecideLeave: Command {
    static let contract = Contract(
        "residence.decideLeave", "/api/v1/leaves/{leaveId}/decide", access: .member(.decideLeave),
        summary: """
            Approves or declines a leave, by a parent of the resident or by a warden of the residence. A leave that has \
            begun counts from its beginning.
            """)
    typealias Result = Leave

    let leaveId: UUID
    let approves: Bool
    let note: String?

    init(_ fields: inout FieldReader) {
        leaveId = fields.id("leaveId")
        approves = fields.flag("approves")
        note = fields.optionalText("note", max: 300)
    }
}

struct ListLeaves: Query {
    static let contract = Contract(
        "residence.leaves", "/api/v1/residences/{pgId}/leaves", access: .member(.runResidence),
        summary:
            "The leaves of a residence that have not ended, and those of residents who are not back, by beginning.")
    typealias Result = Page<Leave>

    let pgId: UUID

    init(_ fields: inout FieldReader) { pgId = fields.id("pgId") }
}

struct ListOwnLeaves: Query {
    static let contract = Contract(
        "residence.ownLeaves", "/api/v1/leaves", access: .member(.askForLeave),
        summary: "The caller's own leaves and those of their children, the latest first.")
    typealias Result = Page<Leave>

    init(_ fields: inout FieldReader) {}
}

struct ListOwnPassages: Query {
    static let contract = Contract(
        "residence.ownPassages", "/api/v1/passages", access: .member(.askForLeave),
        summary: "The latest passages of the caller and of their children, the newest first, without places.")
    typealias Result = Page<CheckInOutRecord>

    init(_ fields: inout FieldReader) {}
}

extension Permission {
    /// Asking for leave: residents, and parents for their children.
    static let askForLeave = Permission("residence.askForLeave", [.student, .parent])
    /// Deciding about leave: wardens and admins for the school, parents for their children.
    static let decideLeave = Permission("residence.decideLeave", [.superAdmin, .admin, .warden, .parent])
}

/// The commands and queries of leaves.
struct LeaveHandlers: Sendable {
    /// The longest leave, in days. A resident who is away for longer is inactive.
    static let longest = 60

    /// The passages of a resident that residents and parents see.
    static let passageLimit = 20

    let families: any FamilyLinks

    var queries: [QueryRegistration] {
        [
            .handle(ListLeaves.self) { query, context in
                let (membership, now) = (try context.membership, context.now)
                return try await context.school.read { sql in
                    let residence = try ResidenceAccess.residence(query.pgId, runBy: membership, in: sql)
                    return Page(items: try current(of: residence, at: now, in: sql), next: nil)
                }
            },
            .handle(ListOwnLeaves.self) { _, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    Page(items: try own(membership, in: sql), next: nil)
                }
            },
            .handle(ListOwnPassages.self) { _, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let passages = try families.learners(of: membership, in: sql).flatMap {
                        try PassageRepository.latest(ofResident: $0, limit: Self.passageLimit, in: sql)
                    }
                    return Page(
                        items: passages.sorted { ($0.timestamp, $0.id.text) > ($1.timestamp, $1.id.text) },
                        next: nil)
                }
            },
        ]
    }

    /// The leaves that have not ended, and those from which a resident has not returned.
    func current(of residence: Residence, at now: Date, in sql: any SQLReading) throws -> [Leave] {
        let presences = try PassageRepository.current(of: residence.id, in: sql)
        let limit = now.addingTimeInterval(-Double(Self.longest) * 86_400)
        return try LeaveRepository.leaves(of: residence.id, from: limit, until: .distantFuture, in: sql).filter {
            leave in
            leave.to > now || Self.isLate(leave, presences[leave.studentId]?.presence, at: now)
        }
    }

    /// Whether the resident of an approved leave has not returned since it began, after its end.
    static func isLate(_ leave: Leave, _ presence: Presence?, at now: Date) -> Bool {
        leave.state(at: now) == .approved && leave.to <= now
            && presence?.type != .checkIn && (presence?.changedAt ?? .distantPast) <= leave.to
    }

    /// The leaves of the people whom a member may ask for, the latest first.
    func own(_ membership: ActiveMembership, in sql: any SQLReading) throws -> [Leave] {
        try families.learners(of: membership, in: sql)
            .flatMap { try LeaveRepository.leaves(of: $0, in: sql) }
            .sorted { ($0.from, $0.id.uuidString) > ($1.from, $1.id.uuidString) }
    }

    // MARK: - Commands

    var commands: [CommandRegistration] {
        [
            .handle(RequestLeave.self, run(request:_:)),
            .handle(WithdrawLeave.self) { command, context in
                let membership = try context.membership
                guard let leave = try LeaveRepository.leave(command.leaveId, in: context.sql),
                    try families.learners(of: membership, in: context.sql).contains(leave.studentId)
                else { throw Problem.notFound }
                guard leave.withdrawnAt == nil, leave.to > context.now else {
                    throw Problem(409, "residence.leaveOver")
                }
                try LeaveRepository.withdraw(leave.id, at: context.now, in: context.sql)
                try publish("residence.leaveWithdrawn", leave, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.leaveWithdrawn"))
                return try stored(leave.id, context)
            },
            .handle(DecideLeave.self, run(decision:_:)),
        ]
    }

    private func run(request command: RequestLeave, _ context: inout CommandContext) throws -> Leave {
        let membership = try context.membership
        let studentId = command.studentId ?? membership.personId
        guard try families.learners(of: membership, in: context.sql).contains(studentId),
            let resident = try ResidentRepository.resident(studentId, in: context.sql), resident.status != .movedOut
        else { throw Problem.notFound }
        let timeZone = membership.timeZone
        let from = command.fromTime.instant(on: command.fromDay, in: timeZone)
        let to = command.toTime.instant(on: command.toDay, in: timeZone)
        guard to > from else { throw Problem.invalid("toDay", "residence.leaveEndsFirst") }
        guard to > context.now else { throw Problem.invalid("toDay", "residence.leavePast") }
        guard to.timeIntervalSince(from) <= Double(Self.longest) * 86_400 else {
            throw Problem.invalid("toDay", "residence.leaveTooLong", [.number(Self.longest)])
        }
        try context.checkNear(command.fromDay, "fromDay", years: 1)
        let isByParent = studentId != membership.personId
        let parents = try families.parents(ofStudent: studentId, in: context.sql)
        let leave = Leave(
            id: context.newId(), pgId: resident.pgId, studentId: studentId, from: from, to: to,
            place: command.place,
            companion: command.companion, reason: command.reason, requestedBy: membership.personId,
            requestedAt: context.now, needsParent: !resident.isOfAge && !parents.isEmpty)
        let others = try LeaveRepository.leaves(of: studentId, in: context.sql).filter {
            ![.withdrawn, .declined, .lapsed].contains($0.state(at: context.now))
        }
        guard !others.contains(where: leave.overlaps) else {
            throw Problem.invalid("fromDay", "residence.leaveOverlaps")
        }
        try LeaveRepository.insert(leave, in: context.sql)
        if isByParent, leave.needsParent {
            try LeaveRepository.decide(
                leave.id, .parent, .init(isApproved: true, by: membership.personId, at: context.now),
                in: context.sql)
        }
        let made = try stored(leave.id, context)
        try publish("residence.leaveRequested", made, &context)
        context.feedback = Feedback(.burst, context.words("residence.said.leaveRequested"))
        context.destination = LeaveScreens.own
        return made
    }

    private func run(decision command: DecideLeave, _ context: inout CommandContext) throws -> Leave {
        let membership = try context.membership
        guard let leave = try LeaveRepository.leave(command.leaveId, in: context.sql) else {
            throw Problem.notFound
        }
        let part = try part(of: membership, in: leave, context.sql)
        switch leave.state(at: context.now) {
        case .withdrawn, .lapsed, .declined: throw Problem(409, "residence.leaveOver")
        case .approved, .waitingForParent, .waitingForWarden: break
        }
        let earlier = part == .parent ? leave.parentDecision : leave.wardenDecision
        // An approval may be taken back before the end; a second approval is told who decided.
        guard earlier == nil || !command.approves else { throw Problem(409, "residence.leaveDecided") }
        try LeaveRepository.decide(
            leave.id, part,
            .init(isApproved: command.approves, by: membership.personId, at: context.now, note: command.note),
            in: context.sql)
        let decided = try stored(leave.id, context)
        try publish(command.approves ? "residence.leaveApproved" : "residence.leaveDeclined", decided, &context)
        context.feedback = Feedback(.toast, sentence(decided, command.approves, context))
        return decided
    }

    /// What a decision did. Of one that comes after the beginning, it says from when the leave counts.
    private func sentence(_ leave: Leave, _ approves: Bool, _ context: CommandContext) -> String {
        guard approves else { return context.words("residence.said.leaveDeclined") }
        guard leave.state(at: context.now) == .approved else {
            return context.words("residence.said.leaveAccepted")
        }
        guard leave.from < context.now else { return context.words("residence.said.leaveApproved") }
        let timeZone = context.caller.timeZone
        return context.words(
            "residence.said.leaveApprovedLate", context.words.dateAndTime(leave.from, in: timeZone))
    }

    /// The side from which a member decides about a leave; the leave of strangers is "not found".
    private func part(of membership: ActiveMembership, in leave: Leave, _ sql: any SQLReading) throws -> LeavePart {
        if membership.may(.runResidence),
            try ResidenceAccess.run(by: membership, in: sql).contains(where: { $0.id == leave.pgId })
        {
            return .warden
        }
        guard leave.needsParent,
            try families.parents(ofStudent: leave.studentId, in: sql).contains(membership.personId)
        else { throw Problem.notFound }
        return .parent
    }

    private func stored(_ id: UUID, _ context: CommandContext) throws -> Leave {
        guard let leave = try LeaveRepository.leave(id, in: context.sql) else { throw Problem.notFound }
        return leave
    }

    private func publish(_ kind: String, _ leave: Leave, _ context: inout CommandContext) throws {
        let parents = try families.parents(ofStudent: leave.studentId, in: context.sql)
        context.record(
            Change(
                kind, topics: [ResidenceTopic.residence(leave.pgId), ResidenceTopic.leaves(of: leave.studentId)],
                audience: [.wardens(of: leave.pgId), .person(leave.studentId)]
                    + parents.sorted { $0.uuidString < $1.uuidString }.map(Audience.person)
                    + Audience.roles(Permission.manageResidences.roles),
                payload: [
                    "residence": leave.pgId.text, "student": leave.studentId.text, "leave": leave.id.text,
                ]))
    }
}
