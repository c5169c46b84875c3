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
        let found = try await request.context.school.read { sql in
            let leaves = try handlers.current(of: residence, at: now, in: sql)
            return (
                leaves, try PassageRepository.current(of: residence.id, in: sql),
                try people.people(leaves.map(\.studentId), of: membership.organization.id, in: sql)
            )
        }
        let (leaves, presences, names) = (found.0, found.1, found.2)
        func isOut(_ leave: Leave) -> Bool { presences[leave.studentId]?.presence.type != .checkIn }
        let asked = leaves.filter { [.waitingForParent, .waitingForWarden].contains($0.state(at: now)) }
        let approved = leaves.filter { $0.state(at: now) == .approved }
        let late = approved.filter { LeaveHandlers.isLate($0, presences[$0.studentId]?.presence, at: now) }
        let out = approved.filter { $0.covers(now) && isOut($0) }
        let upcoming = approved.filter { $0.from > now || ($0.covers(now) && !isOut($0)) }
        let sections = [
            ("residence.leave.late", late, false), ("residence.leave.requests", asked, true),
            ("residence.leave.out", out, false), ("residence.leave.upcoming", upcoming, false),
        ].filter { !$0.1.isEmpty }
        let body = sections.map { title, leaves, isAsked in
            Component.section(
                PTSection(
                    title: words(title), detail: leaves.count.shown(in: words.locale),
                    body: [
                        .list(
                            PTList(
                                cells: leaves.compactMap { leave in
                                    names[leave.studentId].map {
                                        cell(
                                            leave, $0, request,
                                            trailing: isAsked ? decisions(leave, $0, request) : [])
                                    }
                                }, columns: .two, label: words(title)))
                    ]))
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

    private func cell(
        _ leave: Leave, _ person: Person, _ request: ScreenRequest, trailing: [PTListCell.Trailing]
    ) -> PTListCell {
        PTListCell(
            id: leave.id.text,
            leading: .avatar(PTAvatar(initials: person.name.initials, tint: person.avatarTint, id: person.id)),
            title: person.name.display,
            subtitle: "\(span(leave, request)) · \(leave.place)",
            details: [leave.companion, leave.reason].compactMap(\.self).joined(separator: "\n"),
            trailing: trailing + [.badge(tag(leave, request))])
    }

    /// "Fri 13 Nov 17:00 – Sun 15 Nov 18:00".
    private func span(_ leave: Leave, _ request: ScreenRequest) -> String {
        let timeZone = request.context.caller.membership?.timeZone ?? .gmt
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

    private func mine(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let (leaves, names) = try await request.context.school.read { sql in
            let leaves = try handlers.own(membership, in: sql)
            return (leaves, try people.people(leaves.map(\.studentId), of: membership.organization.id, in: sql))
        }
        let cells = leaves.compactMap { leave -> PTListCell? in
            guard let person = names[leave.studentId] else { return nil }
            let isOwn = leave.studentId == membership.personId
            let waits = leave.state(at: now) == .waitingForParent && !isOwn
            var cell = cell(leave, person, request, trailing: waits ? decisions(leave, person, request) : [])
            if isOwn { (cell.leading, cell.title, cell.subtitle) = (nil, leave.place, span(leave, request)) }
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
        return Screen(
            title: words("residence.leave"),
            live: leaves.isEmpty ? [] : Set(leaves.map(\.studentId)).map(ResidenceTopic.leaves).sorted(),
            body: [
                cells.isEmpty
                    ? .empty(
                        PTEmptyState(
                            icon: .calendar, title: words("residence.leave.none"),
                            message: words("residence.leave.ownTip")))
                    : .list(PTList(cells: cells, columns: .two, label: words("residence.leave")))
            ],
            floatingButton: PTFloatingActionButton(
                title: words("residence.leave.request"), action: .present("\(Self.own)/new")))
    }

    private func request(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let residents = try await request.context.school.read { sql in
            let ids = try handlers.families.learners(of: membership, in: sql).filter {
                try ResidentRepository.resident($0, in: sql).map { $0.status != .movedOut } ?? false
            }
            return try people.people(ids, of: membership.organization.id, in: sql).values
                .sorted { ($0.name.sortKey, $0.id.text) < ($1.name.sortKey, $1.id.text) }
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
