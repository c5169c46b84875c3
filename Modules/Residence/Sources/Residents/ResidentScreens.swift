import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel
import ScreenKit

/// The pages of a residence's residents.
struct ResidentScreens: Sendable {
    /// The most people that the form for moving in offers at once.
    private static let choiceLimit = 1_000

    let handlers: ResidentHandlers
    let roles: any RoleDirectory

    var routes: [ScreenRoute] {
        let residents = "/residences/{pgId}/residents"
        let tab = ResidenceScreens.list
        return [
            ScreenRoute(residents, access: .member(.runResidence), tab: tab) { .screen(try await list($0)) },
            ScreenRoute("\(residents)/new", access: .member(.runResidence), tab: tab) {
                .screen(try await moveIn($0))
            },
            ScreenRoute(
                "\(residents)/{studentId}", access: .member(.runResidence), tab: tab
            ) { .screen(try await detail($0)) },
        ]
    }

    // MARK: - MembersManagementView

    private func list(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let residence = try await ResidenceScreens.residence(request)
        let today = request.context.today
        let orgId = try request.context.membership.organization.id
        let (members, rooms, people) = try await request.context.school.read { sql in
            let members = try handlers.members(
                of: residence.id, statuses: [.active, .inactive], on: today, in: sql)
            return (
                members, try RoomRepository.rooms(of: residence.id, on: today, in: sql),
                try handlers.people.people(members.map(\.id), of: orgId, in: sql)
            )
        }
        let numbers = Dictionary(rooms.map { ($0.id, $0.number) }) { first, _ in first }
        let (path, wanted) = (ResidenceScreens.residents(residence.id), request.query["q"] ?? "")
        let folded = NameFolding.fold(wanted)
        let cells = members.filter { folded.isEmpty || NameFolding.fold($0.name).contains(folded) }.map { member in
            PTListCell(
                id: member.id.text,
                leading: people[member.id].map {
                    .avatar(PTAvatar(initials: $0.name.initials, tint: $0.avatarTint, id: $0.id))
                }, title: member.name,
                subtitle: member.roomId.flatMap { numbers[$0] }.map { words("residence.room.named", $0) }
                    ?? words("residence.noRoom"),
                trailing: member.status == .inactive
                    ? [.badge(PTTag(text: words("residence.inactive"))), .chevron] : [.chevron],
                action: .open("\(path)/\(member.id.text)"))
        }
        let empty = PTEmptyState(
            icon: .people,
            title: words(members.isEmpty ? "residence.residents.none" : "residence.residents.noMatch"),
            message: words(members.isEmpty ? "residence.residents.noneTip" : "residence.residents.noMatchTip"))
        return Screen(
            title: words("residence.residents"), subtitle: residence.name,
            live: [ResidenceTopic.residence(residence.id)],
            body: [
                ResidenceScreens.segments(residence, at: path, words),
                cells.isEmpty
                    ? .empty(empty)
                    : .list(PTList(cells: cells, columns: .two, label: words("residence.residents"))),
                .links(
                    PTLinks(links: [
                        .init(title: words("residence.gates"), action: .open(GateScreens.path(residence.id)))
                    ])),
            ],
            floatingButton: PTFloatingActionButton(
                title: words("residence.moveIn"), action: .present("\(path)/new")),
            search: members.isEmpty
                ? nil
                : PTSearchField(
                    path: path, value: wanted, placeholder: words("residence.residents.search"),
                    label: words("residence.residents.search")))
    }

    // MARK: - Moving in

    private func moveIn(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let residence = try await ResidenceScreens.residence(request)
        let (orgId, today) = (membership.organization.id, request.context.today)
        // Most students have no account, and so no role.
        let others = try await roles.assigned(in: orgId).filter { !$0.value.contains(.student) }
        let (people, rooms) = try await request.context.school.read { sql in
            let settled = try StayRepository.settled(in: sql)
            return (
                try ResidentRepository.everyone(of: orgId, in: sql)
                    .filter { !settled.contains($0.id) && others[$0.id] == nil },
                try RoomRepository.rooms(of: residence.id, on: today, in: sql)
            )
        }
        let list = ResidenceScreens.residents(residence.id)
        guard !people.isEmpty else {
            return Screen(
                title: words("residence.moveIn"), subtitle: residence.name, back: list,
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .people, title: words("residence.moveIn.nobody"),
                            message: words("residence.moveIn.nobodyTip")))
                ])
        }
        let choices = people.prefix(Self.choiceLimit).map {
            PTField.Option(value: $0.id.text, title: $0.name.display)
        }
        let fields = [
            PTField(
                .select(choices), name: "studentId", label: words("residence.resident"), isRequired: true),
            roomField(rooms, chosen: nil, words),
            PTField(
                .date, name: "firstDay", label: words("residence.firstDay"), value: today.description, width: .half),
            PTField(
                name: "phone", label: words("residence.phone"), autocomplete: "off", maxLength: 40, width: .half),
            PTField(
                .toggle, name: "isOfAge", label: words("residence.isOfAge"), hint: words("residence.isOfAge.tip")),
        ]
        return Screen(
            title: words("residence.moveIn"), subtitle: residence.name, back: list,
            body: [
                .form(
                    request.form(
                        MoveIn.self, ["pgId": residence.id.text], id: "move-in", fields: fields,
                        submit: SubmitButton(title: words("residence.moveIn")), to: list))
            ])
    }

    /// A choice of rooms with a free bed, and the one that is chosen now.
    private func roomField(_ rooms: [Room], chosen: UUID?, _ words: Words) -> PTField {
        let options = rooms.filter { $0.availableBeds > 0 || $0.id == chosen }.map { room in
            PTField.Option(
                value: room.id.text,
                title: room.availableBeds > 0
                    ? "\(room.number) · \(room.type) · \(words("residence.room.free", room.availableBeds))"
                    : "\(room.number) · \(room.type)")
        }
        return PTField(
            .select([PTField.Option(value: "", title: words("residence.noRoom"))] + options), name: "roomId",
            label: words("residence.room"), value: chosen?.text ?? "")
    }

    // MARK: - One resident

    private func detail(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let residence = try await ResidenceScreens.residence(request)
        let (id, membership, today) = (
            try request.id("studentId"), try request.context.membership, request.context.today
        )
        let found = try await request.context.school.read { sql in
            let resident = try handlers.resident(id, residence.id, membership, in: sql)
            return (
                resident, try handlers.people.people([id], of: membership.organization.id, in: sql)[id],
                try RoomRepository.rooms(of: residence.id, on: today, in: sql),
                try StayRepository.history(of: id, in: sql)
            )
        }
        let (resident, rooms, stays) = (found.0, found.2, found.3)
        guard let person = found.1 else { throw Problem.notFound }
        let open = stays.first { $0.leftOn == nil }
        let ids = ["pgId": residence.id.text, "studentId": id.text]
        var body: [Component] = []
        if let open {
            body.append(
                .form(
                    request.form(
                        AssignRoom.self, ids, id: "room", fields: [roomField(rooms, chosen: open.roomId, words)],
                        submit: SubmitButton(title: words("residence.assign")), style: .card)))
            body += try await request.form(
                UpdateResident.self, ids, id: "resident", of: resident.version,
                savedBy: ["residence.studentUpdated"], id,
                fields: [
                    PTField(
                        name: "phone", label: words("residence.phone"), value: resident.phone ?? "",
                        autocomplete: "off", maxLength: 40),
                    PTField(
                        .toggle, name: "isOfAge", label: words("residence.isOfAge"),
                        value: resident.isOfAge ? "true" : "false", hint: words("residence.isOfAge.tip")),
                    PTField(
                        .toggle, name: "isInactive", label: words("residence.isInactive"),
                        value: resident.status == .inactive ? "true" : "false",
                        hint: words("residence.isInactive.tip")),
                ], submit: SubmitButton(title: words("residence.save")), style: .card)
        }
        body.append(
            .links(
                PTLinks(links: [
                    .init(title: words("residence.tags"), action: .open(TagScreens.path(residence.id, id)))
                ])))
        let numbers = Dictionary(rooms.map { ($0.id, $0.number) }) { first, _ in first }
        body.append(
            .section(
                PTSection(
                    title: words("residence.stays"),
                    body: [Self.stays(stays.map { ($0, $0.roomId.flatMap { numbers[$0] }) }, words)])))
        return Screen(
            title: person.name.display, subtitle: residence.name,
            avatar: PTAvatar(initials: person.name.initials, tint: person.avatarTint, id: person.id),
            back: ResidenceScreens.residents(residence.id), live: [ResidenceTopic.residence(residence.id)],
            body: body,
            more: open == nil
                ? nil
                : PTMenuItem(
                    title: words("residence.moveOut"), icon: .logout, role: .destructive,
                    action: .perform(
                        request.call(
                            MoveOut.self, ids,
                            confirmation: PTConfirmation(
                                title: words("residence.moveOut.title", person.name.display),
                                message: words("residence.moveOut.message"), confirm: words("residence.moveOut"))))),
            listPath: ResidenceScreens.residents(residence.id))
    }

    /// The days of stays, each with the number of its room.
    static func stays(_ stays: [(stay: ResidenceStay, room: String?)], _ words: Words) -> Component {
        .definitionList(
            PTDefinitionList(
                items: stays.map { stay, room in
                    .init(
                        term: room.map { words("residence.room.named", $0) } ?? words("residence.noRoom"),
                        value: stay.leftOn.map {
                            words("residence.stay.ended", words.shortDate(stay.firstDay), words.shortDate($0))
                        } ?? words("residence.stay.open", words.shortDate(stay.firstDay)))
                }))
    }
}
