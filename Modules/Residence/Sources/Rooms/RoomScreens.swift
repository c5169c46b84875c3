import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel
import ScreenKit

/// The pages of a residence's rooms.
struct RoomScreens: Sendable {
    static func path(_ room: Room) -> String { "\(ResidenceScreens.rooms(room.pgId))/\(room.id.text)" }

    let people: any PeopleService

    var routes: [ScreenRoute] {
        let rooms = "/residences/{pgId}/rooms"
        let tab = ResidenceScreens.list
        return [
            ScreenRoute(rooms, access: .member(.runResidence), tab: tab) { .screen(try await list($0)) },
            ScreenRoute("\(rooms)/new", access: .member(.runResidence), tab: tab) { request in
                .screen(try await form(nil, try await ResidenceScreens.residence(request), request))
            },
            ScreenRoute("\(rooms)/{roomId}", access: .member(.runResidence), tab: tab) {
                .screen(try await detail($0))
            },
            ScreenRoute("\(rooms)/{roomId}/edit", access: .member(.runResidence), tab: tab) { request in
                let residence = try await ResidenceScreens.residence(request)
                return .screen(try await form(try await room(request), residence, request))
            },
            ScreenRoute("\(rooms)/{roomId}/delete", access: .member(.runResidence), tab: tab) {
                .screen(try await deletion($0))
            },
        ]
    }

    private func room(_ request: ScreenRequest) async throws -> Room {
        let (pgId, id, membership) = (
            try request.id("pgId"), try request.id("roomId"), try request.context.membership
        )
        let today = request.context.today
        return try await request.context.school.read {
            try RoomHandlers.room(id, pgId, membership, on: today, in: $0)
        }
    }

    // MARK: - RoomsListView

    private func list(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let residence = try await ResidenceScreens.residence(request)
        let today = request.context.today
        let rooms = try await request.context.school.read {
            try RoomRepository.rooms(of: residence.id, on: today, in: $0)
        }
        let (path, wanted) = (ResidenceScreens.rooms(residence.id), request.query["q"] ?? "")
        let folded = NameFolding.fold(wanted)
        let shown = rooms.filter {
            folded.isEmpty || NameFolding.fold($0.number).contains(folded)
                || NameFolding.fold($0.type).contains(folded)
        }
        let cells = shown.map { room in
            let note =
                room.availableBeds > 0
                ? words("residence.room.free", room.availableBeds) : words("residence.room.full")
            return PTRoomGrid.Room(
                id: room.id.text, number: room.number, type: room.type, bedCount: room.bedCount,
                occupiedBeds: room.occupiedBeds, note: note,
                spoken: [
                    words("residence.room.named", room.number), room.type,
                    words("residence.beds", room.occupiedBeds, room.bedCount),
                ].joined(separator: ", "), action: .open(Self.path(room)))
        }
        let empty = PTEmptyState(
            icon: .door, title: words(rooms.isEmpty ? "residence.rooms.none" : "residence.rooms.noMatch"),
            message: words(rooms.isEmpty ? "residence.rooms.noneTip" : "residence.rooms.noMatchTip"))
        return Screen(
            title: words("residence.rooms"), subtitle: residence.name,
            live: [ResidenceTopic.residence(residence.id)],
            body: [
                ResidenceScreens.segments(residence, at: path, words),
                .section(
                    PTSection(
                        title: words("residence.rooms"), detail: ResidenceScreens.beds(rooms, words),
                        body: [
                            cells.isEmpty
                                ? .empty(empty)
                                : .rooms(
                                    PTRoomGrid(
                                        rooms: cells, label: words("residence.rooms"),
                                        takenTitle: words("residence.bed.taken"),
                                        freeTitle: words("residence.bed.isFree")))
                        ])),
                .links(
                    PTLinks(links: [
                        .init(title: words("residence.import"), action: .open(ImportScreens.path(residence.id)))
                    ])),
            ],
            floatingButton: PTFloatingActionButton(
                title: words("residence.room.add"), action: .present("\(path)/new")),
            search: rooms.isEmpty
                ? nil
                : PTSearchField(
                    path: path, value: wanted, placeholder: words("residence.rooms.search"),
                    label: words("residence.rooms.search")),
            more: request.context.caller.may(.manageResidences)
                ? PTMenuItem(
                    title: words("residence.edit"), icon: .edit,
                    action: .open("\(ResidenceScreens.path(residence.id))/edit"))
                : nil)
    }

    // MARK: - AddRoomSheet

    private func form(
        _ room: Room?, _ residence: Residence, _ request: ScreenRequest
    ) async throws -> Screen {
        let words = request.words
        let fields = [
            PTField(
                name: "number", label: words("residence.room.number"), value: room?.number ?? "", isRequired: true,
                maxLength: 20, placeholder: words("residence.room.number.example"), width: .half),
            PTField(
                name: "type", label: words("residence.room.type"), value: room?.type ?? "", isRequired: true,
                maxLength: 40, placeholder: words("residence.room.type.example"), width: .half),
            PTField(
                .number, name: "bedCount", label: words("residence.room.beds"),
                value: (room?.bedCount ?? 2).description, isRequired: true),
            PTField(
                .multiline, name: "details", label: words("residence.room.details"), value: room?.details ?? "",
                maxLength: 500),
        ]
        let (submit, list) = (SubmitButton(title: words("residence.save")), ResidenceScreens.rooms(residence.id))
        let form =
            room.map {
                request.form(
                    UpdateRoom.self, ["pgId": residence.id.text, "roomId": $0.id.text], id: "room",
                    fields: fields + [.hidden("whole", "true"), .version($0.version)], submit: submit,
                    to: Self.path($0))
            }
            ?? request.form(
                CreateRoom.self, ["pgId": residence.id.text], id: "room", fields: fields, submit: submit, to: list)
        var body: [Component] = []
        if let room {
            body += try await request.savedMeanwhile(
                "residence.roomChanged", ["residence.roomUpdated"], of: room.id, fields)
        }
        return Screen(
            title: room.map { words("residence.room.named", $0.number) } ?? words("residence.room.add"),
            subtitle: residence.name, back: room.map(Self.path) ?? list, body: body + [.form(form)])
    }

    // MARK: - RoomDetailView

    private func detail(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let (residence, room) = (try await ResidenceScreens.residence(request), try await room(request))
        let orgId = try request.context.membership.organization.id
        let names = try await request.context.school.read { try people.people(room.studentIds, of: orgId, in: $0) }
        let cells = room.studentIds.compactMap { names[$0] }.map { person in
            PTListCell(
                id: person.id.text,
                leading: .avatar(
                    PTAvatar(initials: person.name.initials, tint: person.avatarTint, id: person.id)),
                title: person.name.display, trailing: [.chevron],
                action: .open("\(ResidenceScreens.residents(residence.id))/\(person.id.text)"))
        }
        let free = (0..<max(0, room.availableBeds)).map { number in
            PTListCell(
                id: "free-\(number)", leading: .icon(.bed, tint: .sand), title: words("residence.bed.free"))
        }
        var body: [Component] = [
            .section(
                PTSection(
                    title: words("residence.residents"),
                    detail: words("residence.beds", room.occupiedBeds, room.bedCount),
                    body: [.list(PTList(cells: cells + free, label: words("residence.residents")))]))
        ]
        if let details = room.details { body.insert(.text(PTText(details)), at: 0) }
        return Screen(
            title: words("residence.room.named", room.number), subtitle: "\(room.type) · \(residence.name)",
            back: ResidenceScreens.rooms(residence.id), live: [ResidenceTopic.residence(residence.id)],
            body: body + [
                .links(
                    PTLinks(links: [
                        .init(title: words("residence.room.edit"), action: .present("\(Self.path(room))/edit")),
                        .init(title: words("residence.room.delete"), action: .present("\(Self.path(room))/delete")),
                    ]))
            ])
    }

    private func deletion(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let (residence, room) = (try await ResidenceScreens.residence(request), try await room(request))
        let today = request.context.today
        let others = try await request.context.school.read {
            try RoomRepository.rooms(of: residence.id, on: today, in: $0)
        }.filter { $0.id != room.id && $0.availableBeds >= room.occupiedBeds }
        let name = words("residence.room.named", room.number)
        var body: [Component] = []
        if !room.studentIds.isEmpty, others.isEmpty {
            body.append(
                .banner(
                    PTBanner(
                        tone: .warning, icon: .alert,
                        title: words("residence.room.delete.noPlace", room.occupiedBeds),
                        message: words("residence.room.delete.noPlaceTip"))))
        } else {
            let target = PTField(
                .select(others.map { .init(value: $0.id.text, title: "\($0.number) · \($0.type)") }),
                name: "moveTo",
                label: words("residence.room.delete.moveTo"), isRequired: true)
            body.append(
                .form(
                    request.form(
                        DeleteRoom.self, ["pgId": residence.id.text, "roomId": room.id.text], id: "delete-room",
                        fields: room.studentIds.isEmpty ? [] : [target],
                        submit: SubmitButton(title: words("residence.room.delete"), role: .destructive))))
        }
        return Screen(
            title: words("residence.room.delete.title", name), back: Self.path(room),
            body: (room.studentIds.isEmpty
                ? [.text(PTText(words("residence.room.delete.empty"), role: .note))] : []) + body)
    }
}
