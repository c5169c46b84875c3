import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel
import ScreenKit

struct ReadDailyAttendance: Query {
    static let contract = Contract(
        "residence.attendance", "/api/v1/residences/{pgId}/attendance", access: .member(.runResidence),
        summary: "Where each resident is today, or was at the end of an earlier day, with the day's counts.")
    typealias Result = DailyAttendance

    let pgId: UUID
    let date: Day?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        date = fields.optionalDay("date")
    }
}

/// The day of a residence: the five counts, the residents and the latest passages.
struct DayScreens: Sendable {
    /// The passages that the page shows.
    private static let passageLimit = 12
    /// The residents that the page shows, those whom a warden must look for first. The page of residents has all.
    private static let rowLimit = 200

    let people: any PeopleService

    var queries: [QueryRegistration] {
        [
            .handle(ReadDailyAttendance.self) { query, context in
                let (membership, now) = (try context.membership, context.now)
                return try await context.school.read { sql in
                    let residence = try ResidenceAccess.residence(query.pgId, runBy: membership, in: sql)
                    let reader = DayReader(residence, in: membership.timeZone)
                    let today = reader.calendar.day(of: now)
                    guard query.date ?? today <= today else {
                        throw Problem.invalid("date", "residence.dayToCome")
                    }
                    return try reader.attendance(on: query.date ?? today, at: now, in: sql)
                }
            }
        ]
    }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(
                "/residences/{pgId}", access: .member(.runResidence), tab: ResidenceScreens.list, isPlace: true
            ) { .screen(try await day($0)) }
        ]
    }

    /// A resident as a row of the day's list.
    private struct Row: Sendable {
        let student: AttendanceStudent
        let room: String?
    }

    // MARK: - DailyAttendanceView

    private func day(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let residence = try await ResidenceScreens.residence(request)
        let reader = DayReader(residence, in: membership.timeZone)
        let today = reader.calendar.day(of: now)
        let (attendance, rows, passages, corrections, names) = try await request.context.school.read { sql in
            let attendance = try reader.attendance(on: today, at: now, in: sql)
            let rows = Self.rows(
                attendance, try StayRepository.roomNumbers(of: residence.id, on: today, in: sql))
            let passages = try PassageRepository.latest(of: residence.id, limit: Self.passageLimit, in: sql)
            let names = try people.people(
                rows.map(\.student.id) + passages.map(\.studentId), of: membership.organization.id, in: sql)
            let corrections = try PassageRepository.corrections(of: passages.map(\.id), in: sql)
            return (attendance, rows, passages, corrections, names)
        }
        return Screen(
            title: words("residence.day"), subtitle: residence.name,
            live: [ResidenceTopic.residence(residence.id)],
            body: [
                ResidenceScreens.segments(residence, at: ResidenceScreens.path(residence.id), words),
                .greeting(greeting(attendance, residence, now, membership.timeZone, words)),
                .section(
                    PTSection(
                        title: words("residence.residents"),
                        detail: attendance.summary.total.shown(in: words.locale),
                        body: [list(rows, names, of: attendance.summary.total, residence, request)])),
            ] + self.passages(passages, corrections, names, residence, request))
    }

    /// The first rows of the list: those whom a warden must look for, then the others, each by name.
    private static func rows(
        _ attendance: DailyAttendance, _ byName: [(studentId: UUID, room: String?)]
    ) -> [Row] {
        let students = Dictionary(attendance.students.map { ($0.id, $0) }) { first, _ in first }
        var rows: [Int: [Row]] = [:]
        for (id, room) in byName {
            guard let student = students[id] else { continue }
            rows[urgency(student), default: []].append(Row(student: student, room: room))
        }
        return Array(rows.keys.sorted().flatMap { rows[$0] ?? [] }.prefix(rowLimit))
    }

    private static func urgency(_ student: AttendanceStudent) -> Int {
        switch (student.status, student.absence) {
        case (.notReturned, _): 0
        case (.absent, .notSeen): 1
        case (.checkedOut, _): 2
        case (.absent, _): 3
        case (.checkedIn, _): 4
        }
    }

    private func greeting(
        _ attendance: DailyAttendance, _ residence: Residence, _ now: Date, _ timeZone: TimeZone, _ words: Words
    ) -> PTGreeting {
        let summary = attendance.summary
        let onLeave = attendance.students.count { $0.absence == .onLeave }
        let parts: [(Int, Tint, String)] = [
            (summary.checkedIn, .leaf, "residence.status.checkedIn"),
            (summary.checkedOut, .sky, "residence.status.checkedOut"),
            (onLeave, .sand, "residence.status.onLeave"),
            (summary.notReturned, .clay, "residence.status.notReturned"),
            (summary.absent - onLeave, .berry, "residence.status.notSeen"),
        ]
        return PTGreeting(
            eyebrow: "\(words.longDate(attendance.date)), \(words.time(now, in: timeZone))",
            title: words("residence.inOf", summary.checkedIn, summary.total),
            split: PTSplitBar(
                parts: parts.map {
                    .init(count: $0.0, tint: $0.1, title: words($0.2), detail: $0.0.shown(in: words.locale))
                }, total: summary.total,
                spoken: parts.map { "\($0.0.shown(in: words.locale)) \(words($0.2))" }.joined(separator: ", ")))
    }

    /// - Parameter total: the number of residents, also of those whom the list does not show.
    private func list(
        _ rows: [Row], _ names: [UUID: Person], of total: Int, _ residence: Residence, _ request: ScreenRequest
    ) -> Component {
        let words = request.words
        guard !rows.isEmpty else {
            return .empty(
                PTEmptyState(
                    icon: .people, title: words("residence.residents.none"),
                    message: words("residence.residents.noneTip")))
        }
        return .list(
            PTList(
                cells: rows.compactMap { row in
                    names[row.student.id].map { cell(row, $0, residence, request) }
                }, columns: .two,
                label: words("residence.residents"),
                more: total > rows.count
                    ? PTButton(
                        title: words("residence.residents.more", total - rows.count), role: .neutral,
                        action: .open(ResidenceScreens.residents(residence.id)))
                    : nil))
    }

    private func cell(
        _ row: Row, _ person: Person, _ residence: Residence, _ request: ScreenRequest
    ) -> PTListCell {
        let words = request.words
        let timeZone = request.context.caller.timeZone
        let name = person.name.display
        let isIn = row.student.status == .checkedIn
        let ids = ["pgId": residence.id.text]
        let passage = request.call(
            RecordPassage.self, ids,
            fields: ["studentId": person.id.text, "type": (isIn ? RecordType.checkOut : .checkIn).rawValue])
        let title = words(isIn ? "residence.do.checkOut" : "residence.do.checkIn")
        let path = "\(ResidenceScreens.residents(residence.id))/\(person.id.text)"
        return PTListCell(
            id: person.id.text,
            leading: .avatar(
                PTAvatar(initials: person.name.initials, tint: person.avatarTint, id: person.id)),
            title: name,
            subtitle: [
                row.room.map { words("residence.room.named", $0) }, detail(row.student, timeZone, words),
            ].compactMap(\.self).joined(separator: " · "),
            trailing: [.badge(tag(row.student, words)), .menu], action: .open(path),
            menu: [
                PTMenuItem(title: title, icon: .door, action: .perform(passage)),
                PTMenuItem(title: words("residence.open", name), icon: .person, action: .open(path)),
            ])
    }

    private func tag(_ student: AttendanceStudent, _ words: Words) -> PTTag {
        switch (student.status, student.absence) {
        case (.checkedIn, _): PTTag(text: words("residence.status.checkedIn"), tone: .good)
        case (.checkedOut, _): PTTag(text: words("residence.status.checkedOut"), tone: .info)
        case (.notReturned, _): PTTag(text: words("residence.status.notReturned"), tone: .danger)
        case (.absent, .notSeen): PTTag(text: words("residence.status.notSeen"), tone: .warning)
        case (.absent, _): PTTag(text: words("residence.status.onLeave"))
        }
    }

    /// "in 18:42", "back by 20:00".
    private func detail(_ student: AttendanceStudent, _ timeZone: TimeZone, _ words: Words) -> String? {
        if student.status == .checkedIn {
            return student.since.map { words("residence.in", time($0, timeZone, words)) }
        }
        return student.due.map { words("residence.due", time($0, timeZone, words)) }
            ?? student.since.map { words("residence.lastSeen", time($0, timeZone, words)) }
    }

    private func time(_ instant: Date, _ timeZone: TimeZone, _ words: Words) -> String {
        words.time(instant, in: timeZone)
    }

    /// The latest passages, each with its last correction.
    private func passages(
        _ records: [CheckInOutRecord], _ corrections: [RecordCorrection], _ names: [UUID: Person],
        _ residence: Residence, _ request: ScreenRequest
    ) -> [Component] {
        guard !records.isEmpty else { return [] }
        let (words, timeZone) = (request.words, request.context.caller.timeZone)
        let last = Dictionary(corrections.map { ($0.recordId, $0.change) }) { $1 }
        let cells = records.compactMap { record -> PTListCell? in
            guard let person = names[record.studentId] else { return nil }
            return PTListCell(
                id: record.id.text,
                leading: .icon(
                    record.type == .checkIn ? .arrowDown : .arrowUp, tint: record.type == .checkIn ? .leaf : .sky),
                title: person.name.display,
                subtitle: [
                    PassageScreens.type(record.type, words), words("residence.method.\(record.method.rawValue)"),
                    last[record.id].map { PassageScreens.text($0, words, timeZone) },
                ].compactMap(\.self).joined(separator: " · "),
                trailing: [.text(time(record.timestamp, timeZone, words))],
                action: .present(PassageScreens.path(residence.id, record.id)))
        }
        return [
            .section(
                PTSection(
                    title: words("residence.passages"),
                    body: [.list(PTList(cells: cells, columns: .two, label: words("residence.passages")))]))
        ]
    }
}
