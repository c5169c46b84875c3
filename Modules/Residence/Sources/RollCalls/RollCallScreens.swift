import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel
import ScreenKit

/// The pages of roll calls: the evening's, the record of a closed one, and the form of a correction.
struct RollCallScreens: Sendable {
    /// The name of the island that takes the roll call.
    static let island = "rollcall"
    /// The earlier evenings that a page lists.
    private static let listedDays = 14

    static func path(_ residenceId: UUID) -> String { "\(ResidenceScreens.path(residenceId))/roll-call" }
    static func path(_ residenceId: UUID, on day: Day) -> String { "\(path(residenceId))?day=\(day)" }

    let people: any PeopleService
    /// The contacts of students, in a server that stores them.
    let contacts: (any ClassRecord)?

    var routes: [ScreenRoute] {
        let path = "/residences/{pgId}/roll-call"
        return [
            ScreenRoute(path, access: .member(.runResidence), tab: ResidenceScreens.list) {
                .screen(try await rollCall($0))
            },
            ScreenRoute("\(path)/correct", access: .member(.runResidence), tab: ResidenceScreens.list) {
                .screen(try await correction($0))
            },
        ]
    }

    /// What a page shows of an evening.
    private struct Found: Sendable {
        let evening: RollCallReader.Evening
        let attendance: [UUID: AttendanceStudent]
        let people: [UUID: Person]
        let phones: [UUID: String]
        let contacts: [UUID: [FamilyContact]]
        /// The earlier evenings, the latest first, with their stamps.
        let earlier: [(day: Day, closing: RollCall.Closing?)]
    }

    private func found(
        _ residence: Residence, on chosen: Day?, _ request: ScreenRequest
    ) async throws -> (found: Found, today: Day) {
        let (membership, now) = (try request.context.membership, request.context.now)
        let reader = RollCallReader(residence, in: membership.timeZone)
        let today = reader.calendar.day(of: now)
        let day = min(chosen ?? today, today)
        let found = try await request.context.school.read { sql in
            let evening = try reader.evening(day, at: now, in: sql)
            let ids = evening.rollCall.studentIds
            let first = max(
                try RollCallRepository.firstDay(of: residence.id, in: sql) ?? today,
                today.adding(days: -Self.listedDays))
            let closings = try RollCallRepository.closings(of: residence.id, from: first, through: today, in: sql)
            let others =
                evening.corrections.map(\.entry.by) + closings.values.map(\.by)
                + (evening.rollCall.closing.map { [$0.by] } ?? [])
            let isOpen = evening.rollCall.closing == nil
            let attendance =
                try isOpen
                ? DayReader(residence, in: membership.timeZone).attendance(on: day, at: now, in: sql).students : []
            return Found(
                evening: evening,
                attendance: attendance.reduce(into: [:]) { $0[$1.id] = $1 },
                people: try people.people(ids + others, of: membership.organization.id, in: sql),
                phones: try isOpen ? ResidentRepository.phones(of: residence.id, in: sql) : [:],
                contacts: try isOpen ? contacts?.contacts(of: ids, in: sql) ?? [:] : [:],
                earlier: sequence(first: today.adding(days: -1)) { $0.adding(days: -1) }
                    .prefix { $0 >= first }.map { ($0, closings[$0]) })
        }
        return (found, today)
    }

    // MARK: - The page

    private func rollCall(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let residence = try await ResidenceScreens.residence(request)
        let chosen = request.query["day"].flatMap { Day($0) }
        let (found, today) = try await found(residence, on: chosen, request)
        let rollCall = found.evening.rollCall
        let isToday = rollCall.day == today
        var body: [Component] =
            isToday ? [ResidenceScreens.segments(residence, at: Self.path(residence.id), words)] : []
        if let closing = rollCall.closing {
            body += record(found, closing, residence, request)
        } else if rollCall.studentIds.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .people, title: words("residence.residents.none"),
                        message: words("residence.residents.noneTip"))))
        } else {
            body.append(
                .island(
                    try PTIsland(
                        Self.island, properties: properties(found, residence, request),
                        fallback: words("residence.rollCall.noScript"))))
        }
        if isToday { body += earlier(found, residence, request) }
        return Screen(
            title: words("residence.rollCall"), subtitle: residence.name,
            back: isToday ? nil : Self.path(residence.id), live: [ResidenceTopic.residence(residence.id)],
            body: body)
    }

    private func earlier(_ found: Found, _ residence: Residence, _ request: ScreenRequest) -> [Component] {
        let words = request.words
        guard !found.earlier.isEmpty else { return [] }
        let cells = found.earlier.map { day, closing in
            PTListCell(
                id: day.description,
                leading: .icon(closing == nil ? .alert : .lock, tint: closing == nil ? .clay : .leaf),
                title: words.longDate(day),
                subtitle: closing.map { stamp($0, found, request) },
                trailing: (closing == nil
                    ? [.badge(PTTag(text: words("residence.rollCall.notClosed"), tone: .danger))] : [])
                    + [.chevron],
                action: .open(Self.path(residence.id, on: day)))
        }
        return [
            .section(
                PTSection(
                    title: words("residence.rollCall.earlier"),
                    body: [
                        .list(PTList(cells: cells, columns: .two, label: words("residence.rollCall.earlier")))
                    ]))
        ]
    }

    /// "Ines Costa, 12 Nov 2026 at 21:38".
    private func stamp(_ closing: RollCall.Closing, _ found: Found, _ request: ScreenRequest) -> String {
        let timeZone = request.context.caller.timeZone
        return request.words(
            "residence.rollCall.stamp", name(closing.by, found, request),
            request.words.dateAndTime(closing.at, in: timeZone))
    }

    private func name(_ id: UUID, _ found: Found, _ request: ScreenRequest) -> String {
        found.people[id]?.name.display ?? request.words("residence.formerWarden")
    }

    // MARK: - A closed roll call

    private func record(
        _ found: Found, _ closing: RollCall.Closing, _ residence: Residence, _ request: ScreenRequest
    ) -> [Component] {
        let (words, rollCall) = (request.words, found.evening.rollCall)
        let timeZone = request.context.caller.timeZone
        let parts: [(Int, Tint, RollCall.Status)] = [
            (rollCall.count(.here), .leaf, .here), (rollCall.count(.onLeave), .sky, .onLeave),
            (rollCall.count(.out), .clay, .out),
        ]
        let greeting = PTGreeting(
            eyebrow: words.longDate(rollCall.day), title: words("residence.rollCall.isClosed"),
            detail: stamp(closing, found, request),
            split: PTSplitBar(
                parts: parts.map {
                    .init(
                        count: $0.0, tint: $0.1, title: status($0.2, words), detail: $0.0.shown(in: words.locale))
                }, total: rollCall.studentIds.count,
                spoken: parts.map { "\($0.0.shown(in: words.locale)) \(status($0.2, words))" }
                    .joined(separator: ", ")))
        let corrections = found.evening.corrections.map { correction in
            let (entry, before) = (correction.entry, rollCall.entries[correction.entry.studentId])
            return PTListCell(
                id: correction.id.text, leading: .icon(.edit, tint: .sky),
                title: words(
                    "residence.rollCall.corrected",
                    found.people[entry.studentId]?.name.display
                        ?? words("residence.formerResident"),
                    before.map { status($0.status, words) } ?? "", status(entry.status, words)),
                subtitle: [detail(entry, words), name(entry.by, found, request)].compactMap(\.self)
                    .joined(separator: " · "),
                trailing: [.text(words.time(entry.at, in: timeZone))])
        }
        let correct = PTButton(
            title: words("residence.rollCall.correct"), icon: .edit, role: .quiet,
            action: .present("\(Self.path(residence.id))/correct?day=\(rollCall.day)"))
        let away = rollCall.studentIds.compactMap { rollCall.entries[$0] }.filter { $0.status != .here }
        return [
            .greeting(greeting),
            .section(
                PTSection(
                    title: words("residence.rollCall.corrections"), action: correct,
                    body: [
                        corrections.isEmpty
                            ? .text(PTText(words("residence.rollCall.stays"), role: .note))
                            : .list(
                                PTList(
                                    cells: corrections, columns: .two,
                                    label: words("residence.rollCall.corrections")))
                    ])),
        ] + notHere(away, found, request) + here(found, request)
    }

    private func notHere(
        _ away: [RollCall.Entry], _ found: Found, _ request: ScreenRequest
    ) -> [Component] {
        let words = request.words
        guard !away.isEmpty else { return [] }
        let cells = away.compactMap { entry -> PTListCell? in
            guard let person = found.people[entry.studentId] else { return nil }
            return PTListCell(
                id: entry.studentId.text, leading: .avatar(PTAvatar(person)), title: person.name.display,
                subtitle: [
                    found.evening.rooms[entry.studentId].map { words("residence.room.named", $0) },
                    detail(entry, words),
                ].compactMap(\.self).joined(separator: " · "),
                trailing: [
                    .badge(
                        PTTag(text: status(entry.status, words), tone: entry.status == .out ? .attention : .info))
                ])
        }
        return [
            .section(
                PTSection(
                    title: words("residence.rollCall.notHere"), detail: away.count.shown(in: words.locale),
                    body: [.list(PTList(cells: cells, columns: .two, label: words("residence.rollCall.notHere")))]))
        ]
    }

    private func here(_ found: Found, _ request: ScreenRequest) -> [Component] {
        let (words, rollCall) = (request.words, found.evening.rollCall)
        let here = rollCall.studentIds.filter { rollCall.entries[$0]?.status == .here }
        guard !here.isEmpty else { return [] }
        let groups = Dictionary(grouping: here) { found.evening.rooms[$0] ?? "" }
        var seen: Set<String> = []
        let order = here.map { found.evening.rooms[$0] ?? "" }.filter { seen.insert($0).inserted }
        return [
            .section(
                PTSection(
                    title: status(.here, words), detail: here.count.shown(in: words.locale),
                    body: [
                        .definitionList(
                            PTDefinitionList(
                                items: order.map { room in
                                    .init(
                                        term: room.isEmpty
                                            ? words("residence.noRoom") : words("residence.room.named", room),
                                        value: (groups[room] ?? []).compactMap { found.people[$0]?.name.display }
                                            .joined(separator: ", "))
                                }))
                    ]))
        ]
    }

    private func status(_ status: RollCall.Status, _ words: Words) -> String {
        words("residence.rollCall.\(status.rawValue)")
    }

    /// "Orchestra. Said by Ms Okoye".
    private func detail(_ entry: RollCall.Entry, _ words: Words) -> String? {
        guard let reason = entry.reason else { return nil }
        return entry.saidBy.map { words("residence.rollCall.saidBy", reason, $0) } ?? reason
    }

    // MARK: - A correction

    private func correction(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let residence = try await ResidenceScreens.residence(request)
        let (found, _) = try await found(residence, on: request.query["day"].flatMap { Day($0) }, request)
        let rollCall = found.evening.rollCall
        let back = Self.path(residence.id, on: rollCall.day)
        guard rollCall.closing != nil else {
            return Screen(
                title: words("residence.rollCall.correct"), subtitle: residence.name, back: back,
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .clock, title: words("residence.rollCall.stillOpen"),
                            message: words("residence.rollCall.stillOpenTip")))
                ])
        }
        let residents = rollCall.studentIds.compactMap { id in
            found.people[id].map { PTField.Option(value: id.text, title: $0.name.display) }
        }
        let fields = [
            .hidden("day", rollCall.day.description),
            PTField(
                .select(residents), name: "studentId", label: words("residence.rollCall.resident"),
                isRequired: true),
            PTField(
                .choice(RollCall.Status.allCases.map { .init(value: $0.rawValue, title: status($0, words)) }),
                name: "status", label: words("residence.rollCall.status"),
                value: RollCall.Status.here.rawValue, isRequired: true),
            PTField(
                name: "reason", label: words("residence.rollCall.reason"), isRequired: true, maxLength: 200,
                placeholder: words("residence.rollCall.reason.example")),
            PTField(
                name: "saidBy", label: words("residence.rollCall.whoSaid"),
                hint: words("residence.rollCall.whoSaid.tip"), maxLength: 120),
        ]
        return Screen(
            title: words("residence.rollCall.correct"), subtitle: words.longDate(rollCall.day), back: back,
            body: [
                .form(
                    request.form(
                        CorrectRollCall.self, ["pgId": residence.id.text], id: "correct", fields: fields,
                        submit: SubmitButton(title: words("residence.save")), to: back))
            ])
    }

    // MARK: - The island

    private func properties(_ found: Found, _ residence: Residence, _ request: ScreenRequest) -> RollCallPage {
        let (words, rollCall) = (request.words, found.evening.rollCall)
        var order: [String] = []
        var groups: [String: [RollCallPage.Resident]] = [:]
        for id in rollCall.studentIds {
            guard let person = found.people[id] else { continue }
            let room = found.evening.rooms[id] ?? ""
            if groups[room] == nil { order.append(room) }
            groups[room, default: []].append(resident(person, found, request))
        }
        return RollCallPage(
            api: "/api/v1\(Self.path(residence.id))", day: rollCall.day,
            date: words.longDate(rollCall.day),
            rooms: order.map { room in
                RollCallPage.Room(
                    title: room.isEmpty ? words("residence.noRoom") : words("residence.room.named", room),
                    number: room.isEmpty ? words("residence.noRoom") : room, residents: groups[room] ?? [])
            },
            reasons: ["club", "study", "family", "doctor", "transport"].map {
                words("residence.rollCall.reason.\($0)")
            },
            sources: ["resident", "parent", "guide", "roommate"].map { words("residence.rollCall.source.\($0)") },
            words: [
                "accounted", "allHere", "call", "change", "close", "closing", "counts", "done", "gap", "gapTip",
                "here",
                "leave", "left", "next", "notYet", "onLeave", "open", "out", "outTitle", "previous", "reason",
                "rooms",
                "said", "save", "takeBack", "waits", "whoSaid",
            ].reduce(into: [:]) { $0[$1] = words("residence.rollCall.word.\($1)") })
    }

    private func resident(_ person: Person, _ found: Found, _ request: ScreenRequest) -> RollCallPage.Resident {
        let (words, timeZone) = (request.words, request.context.caller.timeZone)
        let avatar = PTAvatar(person)
        let entry = found.evening.rollCall.entries[person.id]
        let student = found.attendance[person.id]
        func time(_ instant: Date) -> String { words.time(instant, in: timeZone) }
        let own = found.phones[person.id].map { RollCallPage.Call(title: person.name.display, number: $0) }
        let family = (found.contacts[person.id] ?? []).compactMap { contact in
            contact.phone.map { RollCallPage.Call(title: contact.fullName, number: $0) }
        }
        return RollCallPage.Resident(
            id: person.id.text, name: person.name.display, initials: avatar.initials, tint: avatar.tint,
            shape: avatar.shape.rawValue, image: avatar.imageURL,
            line: student?.status == .checkedIn
                ? student?.since.map { words("residence.in", time($0)) }
                : student?.due.map { words("residence.due", time($0)) }
                    ?? student?.since.map { words("residence.lastSeen", time($0)) },
            isLate: student?.status == .notReturned,
            leave: found.evening.leaves[person.id].map {
                words("residence.rollCall.until", words.dateAndTime($0.to, in: timeZone))
            },
            status: entry?.isComplete == true ? entry?.status : nil, reason: entry?.reason, saidBy: entry?.saidBy,
            calls: [own].compactMap(\.self) + family)
    }
}
