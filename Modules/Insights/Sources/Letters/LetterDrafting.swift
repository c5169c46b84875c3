import ClassroomInterface
import Domain
import FeatureKit
import Foundation

/// Drafts the weekly letters now.
struct DraftLetters: Command {
    static let contract = Contract(
        "insights.draftLetters", "/api/v1/letters", access: .member(.shareWithFamilies), replay: .natural,
        summary: "Drafts this week's letters about the children whom the caller sees, in both languages. "
            + "Existing ones are left unchanged.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

/// The week of a letter, Monday to Sunday.
struct LetterWeek: Sendable, Hashable {
    let first: Day
    var last: Day { first.adding(days: 6) }

    init(of day: Day) { first = day.adding(days: -day.daysSinceMonday) }
}

/// Drafts the weekly letters (BY-1.22). Families see a letter only after a guide has approved and shared it.
struct LetterDrafting: Sendable {
    /// The day on which a school's week ends, as days after Monday: Friday.
    static let endsOn = 4
    /// The hour at which the week ends, in the school's time zone.
    static let endsAtHour = 14

    let classrooms: any ClassroomService
    let students: any StudentService
    let reader: ChildReader
    /// Looks up a school by its id, for the job.
    let school: @Sendable (UUID) async throws -> Organization?

    var commands: [CommandRegistration] {
        [
            .handle(DraftLetters.self) { _, context in
                let membership = try context.membership
                let rooms = try classrooms.classrooms(visibleTo: membership, in: context.sql).map(\.id)
                let drafted = try draft(
                    in: rooms, of: membership.organization, today: context.today, at: context.now,
                    ids: context.ids, by: membership.personId, in: context.sql)
                if !drafted.isEmpty { context.record(Self.change(rooms)) }
                context.feedback = Feedback(.toast, context.words("letters.drafted", drafted.count))
                context.destination = LettersScreen.path
                return Done()
            }
        ]
    }

    /// Drafts the letters within an hour after the end of the week. Existing letters are left unchanged.
    var job: Job {
        .school("insights.letters", every: 3600) { context in
            guard let id = context.schoolId, let organization = try await school(id) else { return }
            let timeZone = organization.resolvedTimeZone
            guard Self.hasEnded(context.now, in: timeZone) else { return }
            let today = Day(context.now, in: timeZone)
            let (now, ids) = (context.now, context.ids)
            try await context.commit(recording: { (drafted: [UUID]) in
                drafted.isEmpty ? [] : [Self.change(drafted)]
            }) { sql in
                let rooms = try classrooms.classroomIds(in: sql)
                let drafted = try draft(
                    in: rooms, of: organization, today: today, at: now, ids: ids, by: nil, in: sql)
                return drafted.isEmpty ? [] : rooms
            }
        }
    }

    static func hasEnded(_ instant: Date, in timeZone: TimeZone) -> Bool {
        let day = Day(instant, in: timeZone)
        let hours = instant.timeIntervalSince(day.start(in: timeZone)) / 3600
        return day.daysSinceMonday > endsOn || (day.daysSinceMonday == endsOn && hours >= Double(endsAtHour))
    }

    /// Drafts the missing letters of a week.
    ///
    /// - Returns: the children about whom a letter was drafted.
    private func draft(
        in rooms: [UUID], of organization: Organization, today: Day, at now: Date, ids: any IDGenerator,
        by personId: UUID?, in sql: any SQLWriting
    ) throws -> [UUID] {
        let week = LetterWeek(of: today)
        let timeZone = organization.resolvedTimeZone
        let known = Set(
            try FamilyTextRepository.letters(lastDay: week.last, in: sql).map {
                [$0.studentId.text, $0.language.rawValue]
            })
        var seen: Set<UUID> = []
        let children = try rooms.flatMap { try students.students(of: $0, orgId: organization.id, in: sql) }
            .filter { seen.insert($0.id).inserted }
        var drafted: Set<UUID> = []
        for child in children {
            for language in Language.allCases where !known.contains([child.id.text, language.rawValue]) {
                let letter = try reader.writer(
                    for: child, from: week.first, through: week.last, language, timeZone: timeZone, in: sql
                ).letter(from: organization.name)
                // A letter without content is not worth sending.
                guard letter.hasContent else { break }
                let text = FamilyText(
                    id: ids.id(at: now), studentId: child.id, kind: .letter, language: language,
                    firstDay: week.first, lastDay: week.last, observationId: nil, text: letter.text, version: 1,
                    approvedVersion: nil, updatedAt: now)
                if try FamilyTextRepository.insert(text, by: personId, in: sql) { drafted.insert(child.id) }
            }
        }
        return drafted.sorted()
    }

    private static func change(_ rooms: [UUID]) -> Change {
        Change(
            "letters.drafted", topics: [Topics.letters],
            audience: Audience.roles([.superAdmin, .admin]) + rooms.map(Audience.classroom))
    }
}
