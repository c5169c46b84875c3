import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel
import ScreenKit

/// The pages of leave: the wardens' lists, and the requests of residents and parents.
struct LeaveScreens: Sendable {
    static let own = "/leave"
    static func path(_ residenceId: UUID) -> String { "\(ResidenceScreens.path(residenceId))/leave" }

    let handlers: LeaveHandlers
    let lateReturns: LateReturns
    let people: any PeopleService

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/residences/{pgId}/leave", access: .member(.runResidence), tab: ResidenceScreens.list) {
                .screen(try await lists($0))
            },
            ScreenRoute(Self.own, access: .member(.askForLeave), tab: Self.own) { .screen(try await mine($0)) },
            ScreenRoute("\(Self.own)/new", access: .member(.askForLeave), tab: Self.own) {
                .screen(try await request($0))
            },
        ]
    }

    // MARK: - The wardens' lists

    private func lists(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let residence = try await ResidenceScreens.residence(request)
        let reader = DayReader(residence, in: membership.timeZone)
        let found = try await request.context.school.read { sql in
            let leaves = try handlers.current(of: residence, at: now, in: sql)
            let late = try lateReturns.late(in: residence, at: now, membership.timeZone, in: sql)
            let day = try reader.attendance(on: reader.calendar.day(of: now), at: now, in: sql)
            let out = day.students.filter { $0.status == .checkedOut }
            return (
                leaves, late, out, Set(day.students.filter { $0.absence == .onLeave }.map(\.id)),
                try people.people(
                    leaves.map(\.studentId) + late.map(\.studentId) + out.map(\.id),
                    of: membership.organization.id, in: sql)
            )
        }
        let (leaves, late, away, names) = (found.0, found.1, found.3, found.4)
        func list(_ leaves: [Leave], isAsked: Bool = false) -> [PTListCell] {
            leaves.compactMap { leave in
                names[leave.studentId].map {
                    cell(leave, $0, request, trailing: isAsked ? decisions(leave, $0, request) : [])
                }
            }
        }
        let asked = leaves.filter { [.waitingForParent, .waitingForWarden].contains($0.state(at: now)) }
        let approved = leaves.filter { $0.state(at: now) == .approved && $0.to > now }
        let isOut: (Leave) -> Bool = { $0.covers(now) && away.contains($0.studentId) }
        let sections = [
            ("residence.leave.late", late.compactMap { self.late($0, names[$0.studentId], request) }),
            ("residence.leave.requests", list(asked, isAsked: true)),
            (
                "residence.leave.out",
                list(approved.filter(isOut)) + found.2.compactMap { self.out($0, names[$0.id], residence, request) }
            ),
            ("residence.leave.upcoming", list(approved.filter { !isOut($0) })),
        ].filter { !$0.1.isEmpty }
        let body = sections.map { title, cells in
            Component.section(
                PTSection(
                    title: words(title), detail: cells.count.shown(in: words.locale),
                    body: [.list(PTList(cells: cells, columns: .two, label: words(title)))]))
        }
        return Screen(
            title: words("residence.leave"), subtitle: residence.name,
            live: [ResidenceTopic.residence(residence.id)],
            body: [ResidenceScreens.segments(residence, at: Self.path(residence.id), words)]
                + (body.isEmpty
                    ? [
                        .empty(
                            PTEmptyState(
                                icon: .calendar, title: words("residence.leave.none"),
                                message: words("residence.leave.noneTip")))
                    ] : body))
    }

    /// A resident who is not back: when they were due and for how long they are late.
    private func late(_ late: LateReturn, _ person: Person?, _ request: ScreenRequest) -> PTListCell? {
        guard let person else { return nil }
        let (words, timeZone) = (request.words, request.context.caller.timeZone)
        let minutes = Int(request.context.now.timeIntervalSince(late.due) / 60)
        let time =
            minutes < 60
            ? words("residence.late.minutes", minutes)
            : minutes < 48 * 60
                ? words("residence.late.hours", minutes / 60) : words("residence.late.days", minutes / (24 * 60))
        return PTListCell(
            id: "late-\(late.studentId.text)", leading: .avatar(PTAvatar(person)), title: person.name.display,
            subtitle: words("residence.rollCall.until", words.dateAndTime(late.due, in: timeZone)),
            trailing: [.badge(PTTag(text: time, tone: .danger)), .chevron],
            action: .open("\(ResidenceScreens.residents(late.pgId))/\(person.id.text)"))
    }

    /// A resident who is out without leave, before the curfew.
    private func out(
        _ student: AttendanceStudent, _ person: Person?, _ residence: Residence, _ request: ScreenRequest
    ) -> PTListCell? {
        guard let person else { return nil }
        let (words, timeZone) = (request.words, request.context.caller.timeZone)
        return PTListCell(
            id: "out-\(person.id.text)", leading: .avatar(PTAvatar(person)), title: person.name.display,
            subtitle: student.due.map { words("residence.due", words.time($0, in: timeZone)) },
            trailing: [.badge(PTTag(text: words("residence.status.checkedOut"), tone: .info)), .chevron],
            action: .open("\(ResidenceScreens.residents(residence.id))/\(person.id.text)"))
    }

    private func cell(
        _ leave: Leave, _ person: Person, _ request: ScreenRequest, trailing: [PTListCell.Trailing]
    ) -> PTListCell {
        PTListCell(
            id: leave.id.text,
            leading: .avatar(PTAvatar(person)),
            title: person.name.display,
            // Beside buttons there is no room for a badge on a phone.
            subtitle: "\(span(leave, request)) · \(leave.place)"
                + (trailing.isEmpty ? "" : " · \(tag(leave, request).text)"),
            details: [leave.companion, leave.reason].compactMap(\.self).joined(separator: "\n"),
            trailing: trailing.isEmpty ? [.badge(tag(leave, request))] : trailing)
    }

    /// "Fri 13 Nov 17:00 – Sun 15 Nov 18:00".
    private func span(_ leave: Leave, _ request: ScreenRequest) -> String {
        let timeZone = request.context.caller.timeZone
        return
            "\(request.words.dateAndTime(leave.from, in: timeZone)) – \(request.words.dateAndTime(leave.to, in: timeZone))"
    }

    private func tag(_ leave: Leave, _ request: ScreenRequest) -> PTTag {
        let state = leave.state(at: request.context.now)
        let tone: PTTag.Tone =
            switch state {
            case .approved: .good
            case .declined: .danger
            case .waitingForParent, .waitingForWarden: .attention
            case .withdrawn, .lapsed: .neutral
            }
        return PTTag(text: request.words("residence.leave.\(state.rawValue)"), tone: tone)
    }

    private func decisions(_ leave: Leave, _ person: Person, _ request: ScreenRequest) -> [PTListCell.Trailing] {
        let words = request.words
        func button(_ title: String, _ approves: Bool, _ role: PTButton.Role) -> PTListCell.Trailing {
            .button(
                PTButton(
                    title: words(title), role: role,
                    action: .perform(
                        request.call(
                            DecideLeave.self, ["leaveId": leave.id.text],
                            fields: ["approves": approves ? "true" : "false"],
                            confirmation: approves
                                ? nil
                                : PTConfirmation(
                                    title: words("residence.leave.decline.title", person.name.display),
                                    confirm: words(title)))),
                    spoken: words("residence.leave.about", words(title), person.name.display)))
        }
        return [
            button("residence.leave.approve", true, .tonal), button("residence.leave.decline", false, .quiet),
        ]
    }

    // MARK: - Residents and parents

    /// A resident whom the reader may ask for, as their page shows them.
    private struct Own: Sendable {
        let personId: UUID
        let room: String?
        let passages: [CheckInOutRecord]
        /// All stays, the latest first, with the numbers of their rooms.
        let stays: [(stay: ResidenceStay, room: String?)]
    }

    private func mine(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let today = request.context.today
        let (leaves, own, names) = try await request.context.school.read { sql in
            let leaves = try handlers.own(membership, in: sql)
            let own = try handlers.families.learners(of: membership, in: sql).compactMap { id -> Own? in
                guard let stay = try StayRepository.open(of: id, in: sql) else { return nil }
                let stays = try StayRepository.history(of: id, in: sql).map { stay in
                    let room = try stay.roomId.flatMap {
                        try RoomRepository.room($0, of: stay.pgId, on: today, in: sql)
                    }
                    return (stay: stay, room: room?.number)
                }
                return Own(
                    personId: id, room: stays.first { $0.stay.id == stay.id }?.room,
                    passages: try PassageRepository.latest(
                        ofResident: id, limit: LeaveHandlers.passageLimit, in: sql), stays: stays)
            }
            return (
                leaves, own,
                try people.people(
                    leaves.map(\.studentId) + own.map(\.personId), of: membership.organization.id, in: sql)
            )
        }
        let asks = leaves.filter { $0.state(at: now) == .waitingForParent && $0.studentId != membership.personId }
        let others = leaves.filter { leave in !asks.contains { $0.id == leave.id } }
        func section(_ title: String, _ leaves: [Leave], isAsked: Bool) -> [Component] {
            let cells = leaves.compactMap { leave in
                names[leave.studentId].map { self.own(leave, $0, isAsked: isAsked, membership, request) }
            }
            guard !cells.isEmpty else { return [] }
            return [
                .section(
                    PTSection(
                        title: words(title),
                        body: [.list(PTList(cells: cells, columns: .two, label: words(title)))]))
            ]
        }
        let empty = Component.empty(
            PTEmptyState(
                icon: .calendar, title: words("residence.leave.none"), message: words("residence.leave.ownTip")))
        return Screen(
            title: words("residence.leave"),
            live: Set(leaves.map(\.studentId) + own.map(\.personId)).map(ResidenceTopic.leaves).sorted(),
            body: (leaves.isEmpty
                ? [empty]
                : section("residence.leave.yourAnswer", asks, isAsked: true)
                    + section("residence.leave", others, isAsked: false))
                + own.flatMap { stay($0, names[$0.personId], membership, request) },
            floatingButton: PTFloatingActionButton(
                title: words("residence.leave.request"), action: .present("\(Self.own)/new")))
    }

    /// A leave in the list of a resident or parent.
    private func own(
        _ leave: Leave, _ person: Person, isAsked: Bool, _ membership: ActiveMembership, _ request: ScreenRequest
    ) -> PTListCell {
        let (words, now) = (request.words, request.context.now)
        var cell = cell(leave, person, request, trailing: isAsked ? decisions(leave, person, request) : [])
        if leave.studentId == membership.personId {
            (cell.leading, cell.title, cell.subtitle) = (nil, leave.place, span(leave, request))
        }
        if leave.withdrawnAt == nil, leave.to > now, leave.state(at: now) != .declined {
            cell.menu = [
                PTMenuItem(
                    title: words("residence.leave.withdraw"), icon: .trash, role: .destructive,
                    action: .perform(
                        request.call(
                            WithdrawLeave.self, ["leaveId": leave.id.text],
                            confirmation: PTConfirmation(
                                title: words("residence.leave.withdraw.title"),
                                confirm: words("residence.leave.withdraw")))))
            ]
            cell.trailing.append(.menu)
        }
        return cell
    }

    /// The room of a resident, their latest passages and their stays.
    private func stay(
        _ own: Own, _ person: Person?, _ membership: ActiveMembership, _ request: ScreenRequest
    ) -> [Component] {
        guard let person else { return [] }
        let words = request.words
        let room = own.room.map { words("residence.room.named", $0) } ?? words("residence.noRoom")
        let cells = own.passages.map { record in
            PTListCell(
                id: record.id.text,
                leading: .icon(
                    record.type == .checkIn ? .arrowDown : .arrowUp, tint: record.type == .checkIn ? .leaf : .sky),
                title: words(
                    record.type == .checkIn ? "residence.status.checkedIn" : "residence.status.checkedOut"),
                subtitle: words("residence.method.\(record.method.rawValue)"),
                trailing: [.text(words.dateAndTime(record.timestamp, in: membership.timeZone))])
        }
        return [
            .section(
                PTSection(
                    title: person.id == membership.personId ? words("residence.passages") : person.name.display,
                    detail: room,
                    body: [
                        cells.isEmpty
                            ? .text(PTText(words("residence.passages.none"), role: .note))
                            : .list(PTList(cells: cells, columns: .two, label: words("residence.passages")))
                    ])),
            .section(
                PTSection(title: words("residence.stays"), body: [ResidentScreens.stays(own.stays, words)])),
        ]
    }

    private func request(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let residents = try await request.context.school.read { sql in
            let ids = try handlers.families.learners(of: membership, in: sql).filter {
                try ResidentRepository.resident($0, in: sql).map { $0.status != .movedOut } ?? false
            }
            return try people.people(ids, of: membership.organization.id, in: sql).values
                .sorted(by: Person.precedes)
        }
        guard !residents.isEmpty else {
            return Screen(
                title: words("residence.leave.request"), back: Self.own,
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .bed, title: words("residence.leave.noResident"),
                            message: words("residence.leave.noResidentTip")))
                ])
        }
        let today = request.context.today.description
        let isOwn = residents.map(\.id) == [membership.personId]
        let child = PTField(
            .select(residents.map { .init(value: $0.id.text, title: $0.name.display) }), name: "studentId",
            label: words("residence.leave.child"), isRequired: true)
        let fields =
            (isOwn ? [] : [child]) + [
                PTField(
                    .date, name: "fromDay", label: words("residence.leave.fromDay"), value: today, isRequired: true,
                    width: .half),
                PTField(
                    name: "fromTime", label: words("residence.leave.fromTime"), value: "17:00", isRequired: true,
                    maxLength: 5, width: .half),
                PTField(
                    .date, name: "toDay", label: words("residence.leave.toDay"), value: today, isRequired: true,
                    width: .half),
                PTField(
                    name: "toTime", label: words("residence.leave.toTime"), value: "20:00", isRequired: true,
                    maxLength: 5, width: .half),
                PTField(
                    name: "place", label: words("residence.leave.place"), isRequired: true, maxLength: 120,
                    placeholder: words("residence.leave.place.example")),
                PTField(name: "companion", label: words("residence.leave.companion"), maxLength: 120),
                PTField(.multiline, name: "reason", label: words("residence.leave.reason"), maxLength: 500),
            ]
        return Screen(
            title: words("residence.leave.request"), back: Self.own,
            body: [
                .form(
                    request.form(
                        RequestLeave.self, id: "leave", fields: fields,
                        submit: SubmitButton(title: words("residence.leave.send")), to: Self.own))
            ])
    }

    /// Whether the entry is shown: only to residents and to parents of residents.
    func isOffered(to membership: ActiveMembership, in sql: any SQLReading) throws -> Bool {
        try handlers.families.learners(of: membership, in: sql).contains {
            try ResidentRepository.resident($0, in: sql) != nil
        }
    }
}
