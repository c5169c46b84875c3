import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel

struct NoteRollCall: Command {
    static let contract = Contract(
        "residence.noteRollCall", "/api/v1/residences/{pgId}/roll-call/notes", access: .member(.runResidence),
        isOfflineCapable: true,
        summary: """
            Notes in an open roll call where residents are: here, on leave, or out with a reason and who said so. Without a \
            status, the notes are taken back. Of two notes about a resident, the one that was made later counts.
            """)
    typealias Result = Done

    let pgId: UUID
    /// The day whose evening it is; today if it is absent.
    let day: Day?
    let residentIds: [UUID]
    let status: RollCall.Status?
    let reason: String?
    let saidBy: String?
    /// The time of the note by the device's clock; now if it is absent.
    let recordedAt: Date?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        day = fields.optionalDay("day")
        residentIds = fields.ids("residentIds")
        status = fields.optionalChoice("status")
        reason = fields.optionalText("reason", max: 200)
        saidBy = fields.optionalText("saidBy", max: 120)
        recordedAt = fields.optionalInstant("recordedAt")
        fields.refuse("reason", "required", unless: status != .out || reason != nil)
        fields.refuse("saidBy", "required", unless: status != .out || saidBy != nil)
    }
}

struct CloseRollCall: Command {
    static let contract = Contract(
        "residence.closeRollCall", "/api/v1/residences/{pgId}/roll-call/close", access: .member(.runResidence),
        isOfflineCapable: true,
        summary: """
            Closes a roll call in which everyone is accounted for. It is stamped with the time and the warden, and never \
            changes afterwards.
            """)
    typealias Result = RollCall.Closing

    let pgId: UUID
    let day: Day?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        day = fields.optionalDay("day")
    }
}

struct CorrectRollCall: Command {
    static let contract = Contract(
        "residence.correctRollCall", "/api/v1/residences/{pgId}/roll-call/correct", access: .member(.runResidence),
        summary: "Adds a correction about a resident to a closed roll call. The roll call itself stays as it was.")
    typealias Result = RollCall.Correction

    let pgId: UUID
    let day: Day?
    let studentId: UUID
    let status: RollCall.Status
    let reason: String
    let saidBy: String?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        day = fields.optionalDay("day")
        studentId = fields.id("studentId")
        status = fields.choice("status")
        reason = fields.text("reason", max: 200)
        saidBy = fields.optionalText("saidBy", max: 120)
        fields.refuse("saidBy", "required", unless: status != .out || saidBy != nil)
    }
}

struct ReadRollCall: Query {
    static let contract = Contract(
        "residence.rollCall", "/api/v1/residences/{pgId}/roll-call", access: .member(.runResidence),
        summary: "The roll call of today's evening or of an earlier one, with its corrections.")
    typealias Result = RollCallRecord

    let pgId: UUID
    let day: Day?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        day = fields.optionalDay("day")
    }
}

/// The commands and queries of roll calls.
struct RollCallHandlers: Sendable {
    /// The days for which notes of a device that was offline are accepted.
    static let longestWait = 14
    /// The names that the refusal of a closing lists.
    private static let namedGaps = 5

    var queries: [QueryRegistration] {
        [
            .handle(ReadRollCall.self) { query, context in
                let (membership, now) = (try context.membership, context.now)
                return try await context.school.read { sql in
                    let residence = try ResidenceAccess.residence(query.pgId, runBy: membership, in: sql)
                    let reader = RollCallReader(residence, in: membership.timeZone)
                    let today = reader.calendar.day(of: now)
                    guard query.day ?? today <= today else {
                        throw Problem.invalid("day", "residence.dayToCome")
                    }
                    return try reader.evening(query.day ?? today, at: now, in: sql).record
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(NoteRollCall.self, run(note:_:)),
            .handle(CloseRollCall.self, run(closing:_:)),
            .handle(CorrectRollCall.self, run(correction:_:)),
        ]
    }

    private func run(note command: NoteRollCall, _ context: inout CommandContext) throws -> Done {
        let (reader, day) = try reader(command.pgId, command.day, context)
        let evening = try reader.evening(day, at: context.now, in: context.sql)
        try refuseClosed(evening, context)
        let residents = Set(command.residentIds).intersection(evening.rollCall.studentIds)
        guard !residents.isEmpty else { throw Problem(404, "residence.studentNotFound") }
        guard command.status != .onLeave || residents.allSatisfy({ evening.leaves[$0] != nil }) else {
            throw Problem.invalid("status", "residence.noLeave")
        }
        // A wrong clock cannot put a note into the future or before the evening's day.
        let at = min(max(command.recordedAt ?? context.now, reader.calendar.start(of: day)), context.now)
        let personId = try context.membership.personId
        try RollCallRepository.open(day, of: reader.residence.id, at: context.now, in: context.sql)
        for id in residents {
            try RollCallRepository.note(
                id, command.status, reason: command.reason, saidBy: command.saidBy, by: personId, at: at, on: day,
                of: reader.residence.id, in: context.sql)
        }
        publish("residence.rollCallNoted", evening, ["count": String(residents.count)], &context)
        return Done()
    }

    private func run(closing command: CloseRollCall, _ context: inout CommandContext) throws -> RollCall.Closing {
        let (reader, day) = try reader(command.pgId, command.day, context)
        let evening = try reader.evening(day, at: context.now, in: context.sql)
        try refuseClosed(evening, context)
        let rollCall = evening.rollCall
        guard !rollCall.studentIds.isEmpty else { throw Problem(409, "residence.rollCallEmpty") }
        guard rollCall.canClose else {
            let names = try PeopleTable.names(rollCall.missing, in: context.sql)
            let named = rollCall.missing.prefix(Self.namedGaps).compactMap { names[$0]?.display }
                .joined(separator: ", ")
            throw Problem(
                409, "residence.rollCallGap",
                [.text(rollCall.missing.count > Self.namedGaps ? "\(named) …" : named)])
        }
        let id = reader.residence.id
        try RollCallRepository.open(day, of: id, at: context.now, in: context.sql)
        try RollCallRepository.removeOthers(than: rollCall.studentIds, on: day, of: id, in: context.sql)
        for entry in rollCall.studentIds.compactMap({ rollCall.entries[$0] }) {
            try RollCallRepository.seal(
                entry, room: evening.rooms[entry.studentId], on: day, of: id, in: context.sql)
        }
        let closing = RollCall.Closing(by: try context.membership.personId, at: context.now)
        guard try RollCallRepository.close(day, of: id, closing, in: context.sql) else {
            throw Problem(409, "residence.rollCallClosedMeanwhile")
        }
        // The sealed log has the counts too, so that a later change of the rows would be noticed.
        publish(
            "residence.rollCallClosed", evening,
            RollCall.Status.allCases.reduce(into: ["total": String(rollCall.studentIds.count)]) {
                $0[$1.rawValue] = String(rollCall.count($1))
            }, &context)
        context.feedback = Feedback(.burst, context.words("residence.said.rollCallClosed"))
        return closing
    }

    private func run(
        correction command: CorrectRollCall, _ context: inout CommandContext
    ) throws -> RollCall.Correction {
        let (reader, day) = try reader(command.pgId, command.day, context, isLimited: false)
        let evening = try reader.evening(day, at: context.now, in: context.sql)
        guard evening.rollCall.closing != nil else { throw Problem(409, "residence.rollCallOpen") }
        guard evening.rollCall.entries[command.studentId] != nil else {
            throw Problem(404, "residence.studentNotFound")
        }
        let correction = RollCall.Correction(
            id: context.newId(),
            entry: .init(
                studentId: command.studentId, status: command.status, reason: command.reason,
                saidBy: command.saidBy, by: try context.membership.personId, at: context.now))
        try RollCallRepository.add(correction, on: day, of: reader.residence.id, in: context.sql)
        publish("residence.rollCallCorrected", evening, ["student": command.studentId.text], &context)
        context.feedback = Feedback(.toast, context.words("residence.said.corrected"))
        context.destination = RollCallScreens.path(reader.residence.id, on: day)
        return correction
    }

    /// The reader of a residence that the caller runs, and the day of a command.
    private func reader(
        _ pgId: UUID, _ day: Day?, _ context: CommandContext, isLimited: Bool = true
    ) throws -> (RollCallReader, Day) {
        let membership = try context.membership
        let residence = try ResidenceAccess.residence(pgId, runBy: membership, in: context.sql)
        let reader = RollCallReader(residence, in: membership.timeZone)
        let today = reader.calendar.day(of: context.now)
        let day = day ?? today
        guard day <= today else { throw Problem.invalid("day", "residence.dayToCome") }
        guard !isLimited || day >= today.adding(days: -Self.longestWait) else {
            throw Problem.invalid("day", "residence.rollCallTooOld", [.number(Self.longestWait)])
        }
        return (reader, day)
    }

    /// Tells who has closed the roll call and when.
    private func refuseClosed(_ evening: RollCallReader.Evening, _ context: CommandContext) throws {
        guard let closing = evening.rollCall.closing else { return }
        let name = try PeopleTable.names([closing.by], in: context.sql)[closing.by]?.display
        let time = context.words.dateAndTime(closing.at, in: try context.membership.timeZone)
        throw Problem(
            409, "residence.rollCallClosed",
            [.text(name ?? context.words("residence.formerWarden")), .text(time)])
    }

    private func publish(
        _ kind: String, _ evening: RollCallReader.Evening, _ payload: [String: String],
        _ context: inout CommandContext
    ) {
        let rollCall = evening.rollCall
        context.record(
            Change(
                kind, topics: [ResidenceTopic.residence(rollCall.pgId)],
                audience: [.wardens(of: rollCall.pgId)] + Audience.roles(Permission.manageResidences.roles),
                payload: payload.merging(
                    ["residence": rollCall.pgId.text, "day": rollCall.day.description], uniquingKeysWith: { $1 })))
    }
}
