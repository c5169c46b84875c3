import Domain
import FeatureKit
import Foundation
import ResidenceModel

/// The fields of a passage that all ways of recording share.
struct PassageDraft: Sendable, Hashable {
    /// The id that the device chose; the server gives one if it is absent.
    let id: UUID?
    let method: CheckInMethod
    let nfcTagId: String?
    let deviceId: String?
    let location: GeoLocation?
    /// The time of the passage by the device's clock; now if it is absent.
    let recordedAt: Date?
    /// The time of sending by the device's clock.
    let sentAt: Date?

    /// A passage through a gate, whose time is already that of the server's clock.
    init(id: UUID, method: CheckInMethod, tagId: UUID?, deviceId: UUID, at instant: Date, now: Date) {
        self.id = id
        self.method = method
        nfcTagId = tagId?.text
        self.deviceId = deviceId.text
        location = nil
        recordedAt = instant
        sentAt = now
    }

    /// - Parameter user: The kind of person who records. A request that names another kind is refused.
    init(_ fields: inout FieldReader, method standard: CheckInMethod, by user: UserType) {
        id = fields.optionalId("id")
        let named: UserType? = fields.optionalChoice("userType")
        fields.refuse("userType", "residence.userType", unless: (named ?? user) == user)
        method = fields.optionalChoice("method") ?? standard
        nfcTagId = fields.optionalText("nfcTagId", max: 120)
        deviceId = fields.optionalText("deviceId", max: 120)
        let latitude = fields.optionalNumber("latitude", in: -90...90)
        let longitude = fields.optionalNumber("longitude", in: -180...180)
        let accuracy = fields.optionalNumber("accuracy", in: 0...1_000_000)
        location = latitude.flatMap { latitude in
            longitude.flatMap { GeoLocation(latitude: latitude, longitude: $0, accuracy: accuracy) }
        }
        recordedAt = fields.optionalInstant("recordedAt")
        sentAt = fields.optionalInstant("sentAt")
        fields.refuse("sentAt", "required", unless: recordedAt == nil || sentAt != nil)
    }
}

struct CheckIn: Command {
    static let contract = Contract(
        "residence.checkIn", "/api/v1/residences/{pgId}/check-in", access: .member(.liveInResidence),
        isOfflineCapable: true, summary: "Records that the caller came into the residence in which they live.")
    typealias Result = CheckInOutRecord

    let pgId: UUID
    let draft: PassageDraft

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        draft = PassageDraft(&fields, method: .manual, by: .student)
    }
}

struct CheckOut: Command {
    static let contract = Contract(
        "residence.checkOut", "/api/v1/residences/{pgId}/check-out", access: .member(.liveInResidence),
        isOfflineCapable: true, summary: "Records that the caller went out of the residence in which they live.")
    typealias Result = CheckInOutRecord

    let pgId: UUID
    let draft: PassageDraft

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        draft = PassageDraft(&fields, method: .manual, by: .student)
    }
}

struct RecordPassage: Command {
    static let contract = Contract(
        "residence.recordPassage", "/api/v1/residences/{pgId}/passages", access: .member(.runResidence),
        isOfflineCapable: true,
        summary: """
            Records a passage of a resident, by a warden or a gate. A passage whose id is known, and a read within 10 s of \
            another, is the earlier one.
            """)
    typealias Result = CheckInOutRecord

    let pgId: UUID
    let studentId: UUID
    let type: RecordType
    let draft: PassageDraft

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        studentId = fields.id("studentId")
        type = fields.choice("type")
        draft = PassageDraft(&fields, method: .manual, by: .warden)
    }
}

struct CorrectPassage: Command {
    static let contract = Contract(
        "residence.correctPassage", "/api/v1/residences/{pgId}/passages/{recordId}/correct",
        access: .member(.runResidence),
        summary: """
            Adds a correction to a passage: another direction or time, or, without a type, that it did not happen. The \
            passage itself stays.
            """)
    typealias Result = Done

    let pgId: UUID
    let recordId: UUID
    /// The right direction; `nil` takes the passage back.
    let type: RecordType?
    /// The right time; if it is absent, `day` and `time` count, and without these the recorded time.
    let timestamp: Date?
    /// The right day on the school's calendar; the recorded one if it is absent.
    let day: Day?
    /// The right time of day in the school's zone; the recorded one if it is absent.
    let time: ClockTime?
    let reason: String

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        recordId = fields.id("recordId")
        type = fields.optionalChoice("type")
        timestamp = fields.optionalInstant("timestamp")
        day = fields.optionalDay("day")
        time = fields.optionalClockTime("time")
        reason = fields.text("reason", max: 200)
    }

    /// The right time of a passage. A day and a time that are the recorded ones keep its seconds.
    func time(of record: CheckInOutRecord, in timeZone: TimeZone) -> Date {
        if let timestamp { return timestamp }
        let recorded = (day: Day(record.timestamp, in: timeZone), time: ClockTime(record.timestamp, in: timeZone))
        let right = (day: day ?? recorded.day, time: time ?? recorded.time)
        return right == recorded ? record.timestamp : right.time.instant(on: right.day, in: timeZone)
    }
}

struct ListPassages: Query {
    static let contract = Contract(
        "residence.passages", "/api/v1/residences/{pgId}/passages", access: .member(.runResidence),
        summary: "The latest passages of a residence, the newest first, at most 500.")
    typealias Result = Page<CheckInOutRecord>

    let pgId: UUID
    let limit: Int

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        limit = fields.integer("limit", in: 1...500, default: 100)
    }
}

/// The commands and queries of passages.
struct PassageHandlers: Sendable {
    let residents: ResidentHandlers

    var queries: [QueryRegistration] {
        [
            .handle(ListPassages.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let residence = try ResidenceAccess.residence(query.pgId, runBy: membership, in: sql)
                    return Page(
                        items: try PassageRepository.latest(of: residence.id, limit: query.limit, in: sql),
                        next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(CheckIn.self) { try own($0.pgId, .checkIn, $0.draft, &$1) },
            .handle(CheckOut.self) { try own($0.pgId, .checkOut, $0.draft, &$1) },
            .handle(RecordPassage.self) { command, context in
                let resident = try residents.resident(
                    command.studentId, command.pgId, context.membership, in: context.sql)
                return try record(command.type, of: resident, command.draft, &context)
            },
            .handle(CorrectPassage.self) { command, context in
                let residence = try ResidenceAccess.residence(
                    command.pgId, runBy: context.membership, in: context.sql)
                guard let record = try PassageRepository.record(command.recordId, in: context.sql),
                    record.pgId == residence.id
                else { throw Problem.notFound }
                let at = command.time(of: record, in: try context.membership.timeZone)
                guard at <= context.now else {
                    throw Problem.invalid(command.timestamp == nil ? "time" : "timestamp", "residence.inFuture")
                }
                try correct(
                    record, command.type.map { .replaced(type: $0, timestamp: at) } ?? .taken,
                    reason: command.reason, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.corrected"))
                return Done()
            },
        ]
    }

    /// A passage that a resident records.
    private func own(
        _ pgId: UUID, _ type: RecordType, _ draft: PassageDraft, _ context: inout CommandContext
    ) throws -> CheckInOutRecord {
        let personId = try context.membership.personId
        guard let resident = try ResidentRepository.resident(personId, in: context.sql), resident.pgId == pgId
        else {
            throw Problem(404, "residence.studentNotFound")
        }
        return try record(type, of: resident, draft, &context)
    }

    /// Adds a correction to a passage.
    func correct(
        _ record: CheckInOutRecord, _ change: RecordCorrection.Change, reason: String,
        _ context: inout CommandContext
    ) throws {
        let correction = RecordCorrection(
            id: context.newId(), recordId: record.id, change: change, reason: reason,
            by: try context.membership.personId, at: context.now)
        try PassageRepository.insert(correction, of: record, in: context.sql)
        try publish("residence.passageCorrected", record, &context)
    }

    /// Adds a passage, unless it is there already.
    func record(
        _ type: RecordType, of resident: Resident, _ draft: PassageDraft, _ context: inout CommandContext
    ) throws -> CheckInOutRecord {
        if let id = draft.id, let known = try PassageRepository.record(id, in: context.sql) {
            // An id of another resident's passage tells nothing about it.
            guard known.studentId == resident.personId else { throw Problem(409, "residence.idTaken") }
            return known
        }
        guard
            let timestamp = PassageClock.timestamp(
                recordedAt: draft.recordedAt ?? context.now, sentAt: draft.sentAt ?? context.now, now: context.now)
        else { throw Problem.invalid("recordedAt", "residence.tooOld") }
        let timeZone = try context.membership.timeZone
        // After midnight it is still the evening of the day before, and already the first day of a new stay.
        let days = [ResidenceCalendar(timeZone: timeZone).day(of: timestamp), Day(timestamp, in: timeZone)]
        guard
            try StayRepository.history(of: resident.personId, in: context.sql).contains(where: { stay in
                // A resident may still pass on the day of moving out.
                stay.pgId == resident.pgId && days.contains { stay.includes($0) || stay.leftOn == $0 }
            })
        else { throw Problem(409, "residence.movedOut") }
        let residence = try ResidenceRepository.residences("id = \(resident.pgId)", in: context.sql).first
        let mayKeepPlace = residence?.recordsLocation == true && resident.allowsLocation
        let new = CheckInOutRecord(
            id: draft.id ?? context.newId(), studentId: resident.personId, pgId: resident.pgId,
            method: draft.method,
            type: type, timestamp: timestamp, nfcTagId: draft.nfcTagId,
            location: mayKeepPlace ? draft.location : nil,
            deviceId: draft.deviceId)
        if let earlier = try PassageRepository.repeated(by: new, in: context.sql) { return earlier }
        try PassageRepository.insert(
            new, recordedBy: context.membership.personId, at: context.now, in: context.sql)
        try publish("residence.passageRecorded", new, &context)
        context.feedback = Feedback(
            .toast, context.words(type == .checkIn ? "residence.said.checkedIn" : "residence.said.checkedOut"))
        return new
    }

    private func publish(
        _ kind: String, _ record: CheckInOutRecord, _ context: inout CommandContext
    ) throws {
        context.record(
            Change(
                kind,
                topics: [
                    ResidenceTopic.residence(record.pgId), ResidenceTopic.leaves(of: record.studentId),
                    ResidenceTopic.pass(of: record.studentId),
                ],
                audience: [.wardens(of: record.pgId), .person(record.studentId)]
                    + Audience.roles(Permission.manageResidences.roles),
                payload: [
                    "residence": record.pgId.text, "student": record.studentId.text, "type": record.type.rawValue,
                    "record": record.id.text,
                ]))
    }
}
