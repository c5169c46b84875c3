import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel
import ScreenKit

/// The pages of residences themselves: their list and their settings.
struct ResidenceScreens: Sendable {
    static let list = "/residences"
    static func path(_ id: UUID) -> String { "\(list)/\(id.text)" }
    static func rooms(_ id: UUID) -> String { "\(path(id))/rooms" }
    static func residents(_ id: UUID) -> String { "\(path(id))/residents" }

    let people: any PeopleService
    let roles: any RoleDirectory

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.list, access: .member(.planMeals), tab: Self.list) { try await overview($0) },
            ScreenRoute("\(Self.list)/new", access: .member(.manageResidences), tab: Self.list) {
                .screen(try await form(nil, $0))
            },
            ScreenRoute("\(Self.list)/{pgId}/edit", access: .member(.manageResidences), tab: Self.list) { request in
                .screen(try await form(try await Self.residence(request), request))
            },
        ]
    }

    /// The residence of the address, if the caller runs it.
    static func residence(_ request: ScreenRequest) async throws -> Residence {
        let (id, membership) = (try request.id("pgId"), try request.context.membership)
        return try await request.context.school.read {
            try ResidenceAccess.residence(id, runBy: membership, in: $0)
        }
    }

    /// The pages of one residence, as segments.
    static func segments(_ residence: Residence, at path: String, _ words: Words) -> Component {
        .segments(
            PTSegmentedControl(
                label: residence.name,
                segments: [
                    ("residence.day", Self.path(residence.id)),
                    ("residence.rollCall", RollCallScreens.path(residence.id)),
                    ("residence.leave", LeaveScreens.path(residence.id)),
                    ("residence.meals", KitchenScreens.path(residence.id)),
                    ("residence.rooms", rooms(residence.id)),
                    ("residence.residents", residents(residence.id)),
                ].map { .init(title: words($0.0), path: $0.1, isSelected: $0.1 == path) }))
    }

    private func overview(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, membership) = (request.words, try request.context.membership)
        let mayManage = request.context.caller.may(.manageResidences)
        let today = request.context.today
        let found = try await request.context.school.read { sql in
            try ResidenceAccess.run(by: membership, in: sql).map { residence in
                (residence, try RoomRepository.rooms(of: residence.id, on: today, in: sql))
            }
        }
        let runs = found.map(\.0.id)
        let cooks = try await request.context.school.read { try MealAccess.planned(by: membership, in: $0) }
            .filter { !runs.contains($0.id) }
        // A warden or cook of one residence goes straight to it.
        if runs.isEmpty, cooks.count == 1, let only = cooks.first {
            return .redirect(KitchenScreens.path(only.id))
        }
        if !mayManage, cooks.isEmpty, found.count == 1, let only = found.first {
            return .redirect(Self.path(only.0.id))
        }
        let cells =
            found.map { residence, rooms in
                PTListCell(
                    id: residence.id.text, leading: .icon(.bed, tint: .sky), title: residence.name,
                    subtitle: Self.beds(rooms, words), trailing: [.chevron], action: .open(Self.path(residence.id)))
            }
            + cooks.map { residence in
                PTListCell(
                    id: residence.id.text, leading: .icon(.meal, tint: .clay), title: residence.name,
                    subtitle: words("residence.meals"), trailing: [.chevron],
                    action: .open(KitchenScreens.path(residence.id)))
            }
        return .screen(
            Screen(
                title: words("residence.title"), live: [ResidenceTopic.list],
                body: [
                    cells.isEmpty
                        ? .empty(
                            PTEmptyState(
                                icon: .bed, title: words("residence.none"),
                                message: words(mayManage ? "residence.noneTip" : "residence.noneForWarden")))
                        : .list(PTList(cells: cells, columns: .two, label: words("residence.title")))
                ],
                floatingButton: mayManage
                    ? PTFloatingActionButton(title: words("residence.add"), action: .present("\(Self.list)/new"))
                    : nil))
    }

    /// "Beds taken: 25 of 31".
    static func beds(_ rooms: [Room], _ words: Words) -> String {
        words("residence.beds", rooms.reduce(0) { $0 + $1.occupiedBeds }, rooms.reduce(0) { $0 + $1.bedCount })
    }

    private func form(_ residence: Residence?, _ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let held = try await roles.assigned(in: membership.organization.id)
        let (staff, chosen) = try await request.context.school.read { sql in
            let staff = try people.people(Array(held.keys), of: membership.organization.id, in: sql)
            let chosen = try residence.map { residence in
                try ResidenceJob.allCases.reduce(into: [ResidenceJob: [UUID]]()) {
                    $0[$1] = try ResidenceRepository.staff(of: residence.id, as: $1, in: sql)
                }
            }
            return (staff, chosen ?? [:])
        }
        func choice(_ name: String, _ job: ResidenceJob, where isFit: (Set<Role>) -> Bool) -> PTField? {
            let options = staff.values.filter { held[$0.id].map(isFit) ?? false }
                .sorted(by: Person.precedes)
                .map { PTField.Option(value: $0.id.text, title: $0.name.display) }
            guard !options.isEmpty else { return nil }
            return PTField(
                .multipleChoice(options), name: name, label: words("residence.\(job.rawValue)s"),
                values: (chosen[job] ?? []).map(\.text), hint: words("residence.\(job.rawValue)s.tip"))
        }
        let fields =
            [
                PTField(
                    name: "name", label: words("residence.name"), value: residence?.name ?? "", isRequired: true,
                    maxLength: 80, placeholder: words("residence.name.example")),
                PTField(
                    name: "schoolNightCurfew", label: words("residence.curfew.schoolNight"),
                    value: residence?.schoolNightCurfew.description ?? "20:00", hint: words("residence.curfew.tip"),
                    isRequired: true, maxLength: 5, width: .half),
                PTField(
                    name: "weekendCurfew", label: words("residence.curfew.weekend"),
                    value: residence?.weekendCurfew.description ?? "22:00", isRequired: true, maxLength: 5,
                    width: .half),
                choice("wardenIds", .warden, where: Permission.runResidence.isGiven),
                choice("kitchenIds", .kitchen) { $0.contains(where: \.isStaff) },
                PTField(
                    .toggle, name: "recordsLocation", label: words("residence.location"),
                    value: residence?.recordsLocation == true ? "true" : "false",
                    hint: words("residence.location.tip")
                ),
                PTField(
                    .toggle, name: "tellsParents", label: words("residence.tellsParents"),
                    value: residence?.tellsParents == true ? "true" : "false",
                    hint: words("residence.tellsParents.tip")),
            ].compactMap(\.self)
        let submit = SubmitButton(title: words("residence.save"))
        let form =
            residence.map {
                request.form(
                    UpdateResidence.self, ["pgId": $0.id.text], id: "residence",
                    fields: fields + [
                        .version($0.version(wardens: chosen[.warden] ?? [], kitchen: chosen[.kitchen] ?? []))
                    ], submit: submit, to: Self.path($0.id))
            } ?? request.form(CreateResidence.self, id: "residence", fields: fields, submit: submit)
        var body: [Component] = []
        if let residence {
            body += try await request.savedMeanwhile(
                "residence.changed", ["residence.updated"], of: residence.id, fields)
        }
        return Screen(
            title: residence?.name ?? words("residence.add"), back: residence.map { Self.path($0.id) } ?? Self.list,
            body: body + [.form(form)])
    }
}
