import Domain
import FeatureKit
import Foundation

/// Stores a check-in.
struct MakeCheckIn: Command {
    static let contract = Contract(
        "wellness.checkIn", "/api/v1/wellness/check-ins", access: .member(.checkIn), isCreation: true,
        isOfflineCapable: true,
        summary: "Stores a check-in of the calling student, which nobody else sees unless it is shared.")
    typealias Result = CheckIn

    let mood: Mood
    let sleep: Sleep?
    let energy: Energy?
    let note: String?
    /// The time of the tap by the device's clock; `nil` for now.
    let recordedAt: Date?

    init(_ fields: inout FieldReader) {
        mood = fields.choice("mood")
        sleep = fields.optionalChoice("sleep")
        energy = fields.optionalChoice("energy")
        note = fields.optionalText("note", max: CheckIn.noteLength)
        recordedAt = fields.optionalInstant("recordedAt")
    }
}

/// Changes a check-in.
struct EditCheckIn: Command {
    static let contract = Contract(
        "wellness.editCheckIn", "/api/v1/wellness/check-ins/{checkInId}", access: .member(.checkIn),
        summary: "Changes a check-in of the calling student.")
    typealias Result = CheckIn

    let checkInId: UUID
    let mood: Mood
    let sleep: Sleep?
    let energy: Energy?
    let note: String?

    init(_ fields: inout FieldReader) {
        checkInId = fields.id("checkInId")
        mood = fields.choice("mood")
        sleep = fields.optionalChoice("sleep")
        energy = fields.optionalChoice("energy")
        note = fields.optionalText("note", max: CheckIn.noteLength)
    }
}

/// Deletes a check-in.
struct DeleteCheckIn: Command {
    static let contract = Contract(
        "wellness.deleteCheckIn", "/api/v1/wellness/check-ins/{checkInId}/delete", access: .member(.checkIn),
        summary: "Deletes a check-in of the calling student, also for those with whom it was shared.")
    typealias Result = Done

    let checkInId: UUID

    init(_ fields: inout FieldReader) { checkInId = fields.id("checkInId") }
}

/// Lists the caller's own check-ins.
struct ListCheckIns: Query {
    static let contract = Contract(
        "wellness.checkIns", "/api/v1/wellness/check-ins", access: .member(.checkIn),
        summary: "The calling student's own check-ins, newest first, at most 500 on a page.")
    typealias Result = Page<CheckIn>

    let after: CheckInPlace?

    init(_ fields: inout FieldReader) {
        let text = fields.optionalText("after", max: 60)
        after = text.flatMap(CheckInPlace.init(text:))
        fields.refuse("after", "id", unless: text == nil || after != nil)
    }
}

/// Downloads the caller's own check-ins.
struct DownloadCheckIns: Query {
    static let contract = Contract(
        "wellness.download", "/api/v1/wellness/check-ins.csv", access: .member(.checkIn),
        fileName: "wellness.csv", summary: "The calling student's own check-ins as CSV, oldest first.")
    typealias Result = FileBody

    init(_ fields: inout FieldReader) {}
}

/// The endpoints of a child's own check-ins. None of them records a change, so that the audit log has no trace.
struct CheckInHandlers: Sendable {
    /// The most check-ins that a download has, and of which the chart is made: more than two a day in ten years.
    static let all = 10_000
    /// The most check-ins of a page of the query.
    static let page = 500

    let access: WellnessAccess

    private var signals: SharingSignals { SharingSignals(access: access) }

    var queries: [QueryRegistration] {
        [
            .handle(ListCheckIns.self) { query, context in
                let me = try context.membership.personId
                let found = try await context.school.read {
                    try CheckInRepository.checkIns(of: me, after: query.after, limit: Self.page + 1, in: $0)
                }
                let items = Array(found.prefix(Self.page))
                return Page(
                    items: items,
                    next: found.count > items.count ? items.last.map { CheckInPlace(of: $0).text } : nil)
            },
            .handle(DownloadCheckIns.self) { _, context in
                let (membership, words) = (try context.membership, context.words)
                let found = try await context.school.read {
                    try CheckInRepository.checkIns(
                        of: membership.personId, limit: Self.all, in: $0)
                }
                return FileBody(Array(Self.csv(found.reversed(), words, in: membership.timeZone).utf8))
            },
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(MakeCheckIn.self, prepare: { try await signals.roles($1) }) { command, roles, context in
                let me = try context.membership.personId
                guard try WellnessSettings.read(in: context.sql).isOn else { throw Problem(409, "wellness.off") }
                let one = CheckIn(
                    id: context.newId(), mood: command.mood, sleep: command.sleep, energy: command.energy,
                    note: command.note ?? "",
                    madeAt: CheckIn.time(recordedAt: command.recordedAt, now: context.now))
                context.feedback = Feedback(.toast, context.words("wellness.saved"))
                if let twin = try twin(of: one, by: me, in: context.sql) { return twin }
                try CheckInRepository.insert(one, of: me, in: context.sql)
                try signals.send(about: nil, roles, in: &context)
                return one
            },
            .handle(EditCheckIn.self, prepare: { try await signals.roles($1) }) { command, roles, context in
                let me = try context.membership.personId
                guard let stored = try CheckInRepository.checkIn(command.checkInId, of: me, in: context.sql)
                else { throw Problem.notFound }
                guard try WellnessSettings.read(in: context.sql).isOn else { throw Problem(409, "wellness.off") }
                let one = CheckIn(
                    id: stored.id, mood: command.mood, sleep: command.sleep, energy: command.energy,
                    note: command.note ?? "", madeAt: stored.madeAt)
                try CheckInRepository.update(one, of: me, in: context.sql)
                try signals.send(about: one.id, roles, in: &context)
                context.feedback = Feedback(.toast, context.words("wellness.saved"))
                return one
            },
            .handle(DeleteCheckIn.self, prepare: { try await signals.roles($1) }) { command, roles, context in
                let me = try context.membership.personId
                try signals.send(about: command.checkInId, roles, in: &context)
                guard try CheckInRepository.delete(command.checkInId, of: me, in: context.sql) else {
                    throw Problem.notFound
                }
                context.destination = WellnessScreens.path
                context.feedback = Feedback(.toast, context.words("wellness.deleted"))
                return Done()
            },
        ]
    }

    /// The check-in that was stored by the first of two taps on the same mood.
    private func twin(of one: CheckIn, by personId: UUID, in sql: any SQLReading) throws -> CheckIn? {
        func isBare(_ one: CheckIn) -> Bool { one.sleep == nil && one.energy == nil && one.note.isEmpty }
        guard isBare(one) else { return nil }
        return try CheckInRepository.checkIns(
            of: personId, since: one.madeAt.addingTimeInterval(-CheckIn.bounce), limit: 20, in: sql
        ).first {
            isBare($0) && $0.mood == one.mood
                && abs($0.madeAt.timeIntervalSince(one.madeAt)) <= CheckIn.bounce
        }
    }

    /// The check-ins as CSV in the reader's language, with a byte order mark for spreadsheets.
    static func csv(_ all: [CheckIn], _ words: Words, in timeZone: TimeZone) -> String {
        let head = ["wellness.when", "wellness.mood", "wellness.sleep", "wellness.energy", "wellness.note"]
        let rows = all.map { one in
            [
                words.dateAndTime(one.madeAt, in: timeZone), words(one.mood.titleKey),
                one.sleep.map { words($0.titleKey) } ?? "", one.energy.map { words($0.titleKey) } ?? "", one.note,
            ]
        }
        return "\u{FEFF}"
            + ([head.map { words($0) }] + rows).map { CSVField.line($0) }.joined()
    }
}
