import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import QuestModel
import ScreenKit

/// The first page of the parent mode: players, their routines, and a button to return to playing.
struct DashboardScreens: Sendable {
    static let home = "/quest"
    /// The area of rights that an adult's code opens on a child's device.
    static let area = "routines"

    let dependencies: AppDependencies
    let codes: any GateCodes

    static func path(_ playerId: UUID) -> String { "\(home)/players/\(playerId.text)" }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.home, access: .member(.manageQuests), tab: Self.home, area: Self.area) {
                .screen(try await dashboard(nil, $0))
            },
            ScreenRoute(
                "/quest/players/{playerId}", access: .member(.manageQuests), tab: Self.home, area: Self.area
            ) {
                .screen(try await dashboard($0.id("playerId"), $0))
            },
        ]
    }

    /// The data of the dashboard.
    private struct Content: Sendable {
        let players: [Player]
        let player: Player?
        let routines: [Routine]
        /// Deleted routines with sessions, by id and last name.
        let former: [(id: UUID, name: String)]
        let week: GrowthEngine.Week?
    }

    private func dashboard(_ wanted: UUID?, _ request: ScreenRequest) async throws -> Screen {
        let (words, now) = (request.words, request.context.now)
        let membership = try request.context.membership
        let content = try await request.context.school.read { sql in
            try read(wanted, of: membership, at: now, in: sql)
        }
        guard let player = content.player else { return start(request) }
        var body: [Component] = []
        let present = content.players.filter { $0.archivedAt == nil || $0.id == player.id }
        if present.count > 1 {
            body.append(
                .segments(
                    PTSegmentedControl(
                        label: words("quest.children"),
                        segments: present.map {
                            .init(title: $0.name, path: Self.path($0.id), isSelected: $0.id == player.id)
                        })))
        }
        if player.archivedAt != nil {
            body.append(
                .banner(
                    PTBanner(
                        title: words("quest.playerArchived", player.name),
                        action: PTButton(
                            title: words("quest.restore"), role: .outlined,
                            action: .perform(archive(player, false, request))))))
        }
        body.append(quests(of: player, content.routines.filter(\.isActive), request))
        body.append(contentsOf: growth(of: player, content, request))
        body.append(contentsOf: others(player, content, try await done(request), request))
        return Screen(
            title: words("quest.setup"), subtitle: player.name, live: ["quest:\(player.id.text)"], body: body,
            floatingButton: PTFloatingActionButton(
                title: words("quest.addRoutine"), action: .present("new-routine")),
            sheets: [
                sheet(
                    "new-routine", "quest.addRoutine",
                    request.form(
                        CreateRoutine.self, ["playerId": player.id.text], id: "new-routine-form",
                        fields: RoutineScreens.fields(nil, words),
                        submit: SubmitButton(title: words("quest.addRoutine"))), words),
                sheet(
                    "new-player", "quest.addPlayer",
                    request.form(
                        AddPlayer.self, id: "new-player-form", fields: [name("", words)],
                        submit: SubmitButton(title: words("quest.addPlayer"))), words),
                sheet(
                    "edit-player", "quest.editPlayer",
                    request.form(
                        RenamePlayer.self, ["playerId": player.id.text], id: "edit-player-form",
                        fields: [name(player.name, words)], submit: SubmitButton(title: words("quest.save")),
                        to: Self.path(player.id)), words),
            ])
    }

    private func read(
        _ wanted: UUID?, of membership: ActiveMembership, at now: Date, in sql: any SQLReading
    ) throws -> Content {
        let players = try PlayerRepository.players(of: membership, in: sql)
        let player: Player?
        if let wanted {
            guard let found = players.first(where: { $0.id == wanted }) else { throw Problem.notFound }
            player = found
        } else {
            player = players.first { $0.archivedAt == nil } ?? players.first
        }
        guard let player else {
            return Content(players: [], player: nil, routines: [], former: [], week: nil)
        }
        let routines = try dependencies.routineRepository.fetchAll(of: player.id, in: sql)
        return Content(
            players: players, player: player, routines: routines,
            former: try GrowthRepository.formerRoutines(of: player.id, in: sql),
            week: try GrowthRepository.weeks(
                GrowthRepository.of(player: player.id), at: now, in: membership.timeZone, sql
            ).last)
    }

    /// The page for a family without players.
    private func start(_ request: ScreenRequest) -> Screen {
        let words = request.words
        return Screen(
            title: words("quest.setup"),
            body: [
                .card(
                    PTCard(body: [
                        .text(PTText(words("quest.whoPlays"), role: .heading)),
                        .text(PTText(words("quest.whoPlaysTip"), role: .note)),
                        .form(
                            request.form(
                                AddPlayer.self, id: "first-player", fields: [name("", words)],
                                submit: SubmitButton(title: words("quest.addPlayer")))),
                    ]))
            ])
    }

    private func quests(of player: Player, _ routines: [Routine], _ request: ScreenRequest) -> Component {
        let words = request.words
        return .section(
            PTSection(
                title: words("quest.routines"),
                body: [
                    routines.isEmpty
                        ? .empty(
                            PTEmptyState(
                                title: words("quest.noRoutines"), message: words("quest.noRoutinesTip")))
                        : .list(
                            PTList(
                                cells: routines.indices.map { ordered($0, of: routines, request) },
                                label: words("quest.routines")))
                ]))
    }

    private func cell(_ routine: Routine, _ words: Words) -> PTListCell {
        let remaining = CalibrationTracker.calibrationSessionsRemaining(
            completedSessionCount: routine.completedSessions)
        let parts = [
            RoutineScreens.days(routine.activeDays, words), words("quest.tasks", routine.tasks.count),
            words("quest.sessions", routine.completedSessions),
        ]
        return PTListCell(
            id: routine.id.text, leading: .icon(.timer, tint: .sky), title: routine.name,
            subtitle: parts.joined(separator: " · "),
            trailing: (remaining > 0 ? [.badge(PTTag(text: words("quest.learning", remaining), tone: .info))] : [])
                + [.chevron],
            action: .open(RoutineScreens.path(routine.id)))
    }

    /// A routine that can be moved among the others.
    private func ordered(_ place: Int, of routines: [Routine], _ request: ScreenRequest) -> PTListCell {
        let (words, routine) = (request.words, routines[place])
        var cell = cell(routine, words)
        guard routines.count > 1 else { return cell }
        let (ids, here) = (["routineId": routine.id.text], Self.path(routine.playerId))
        func move(_ key: String, _ icon: PTIcon, before: UUID?) -> PTMenuItem {
            PTMenuItem(
                title: words(key), icon: icon,
                action: .perform(
                    request.call(
                        MoveRoutine.self, ids, fields: before.map { ["before": $0.text] } ?? [:], to: here)))
        }
        if place > 0 { cell.menu.append(move("quest.moveUp", .arrowUp, before: routines[place - 1].id)) }
        if place < routines.count - 1 {
            cell.menu.append(
                move(
                    "quest.moveDown", .arrowDown,
                    before: place + 2 < routines.count ? routines[place + 2].id : nil))
        }
        cell.menu.append(
            PTMenuItem(title: words("quest.edit"), icon: .edit, action: .open(RoutineScreens.path(routine.id))))
        cell.trailing = cell.trailing.filter { $0 != .chevron } + [.menu]
        cell.move = request.call(MoveRoutine.self, ids, to: here)
        return cell
    }

    /// The section with the last week's results and a link to more.
    private func growth(of player: Player, _ content: Content, _ request: ScreenRequest) -> [Component] {
        let words = request.words
        guard let week = content.week else { return [] }
        return [
            .section(
                PTSection(
                    title: words("quest.growth"),
                    body: [
                        .definitionList(PTDefinitionList(items: ResultsScreens.facts(of: week, words))),
                        .links(
                            PTLinks(links: [
                                .init(
                                    title: words("quest.showGrowth"),
                                    action: .open(ResultsScreens.path(player: player.id)))
                            ])),
                    ]))
        ]
    }

    /// The button that returns to playing.
    ///
    /// On a device with a code it also limits the session of a signed-in adult, because a child must not get the whole
    /// account.
    private func done(_ request: ScreenRequest) async throws -> PTButton {
        let (words, account) = (request.words, try request.context.account)
        let isSet = try await codes.isSet(for: account)
        let narrows = isSet && account.token == nil
        let call =
            narrows
            ? request.call(
                HandOver.self,
                confirmation: PTConfirmation(
                    title: words("quest.handOverQuestion"), message: words("quest.handOverExplained"),
                    confirm: words("quest.done"), isDestructive: false), to: PlayScreen.path)
            : request.call(CloseGate.self, to: PlayScreen.path)
        return PTButton(
            title: words("quest.done"), icon: .check, size: .large, isWide: true, action: .perform(call))
    }

    private func others(
        _ player: Player, _ content: Content, _ done: PTButton, _ request: ScreenRequest
    ) -> [Component] {
        let words = request.words
        var body: [Component] = []
        let archived = content.routines.filter { !$0.isActive }
        if !archived.isEmpty || !content.former.isEmpty {
            let cells =
                archived.map { cell($0, words) }
                + content.former.map {
                    PTListCell(
                        id: $0.id.text, leading: .icon(.timer, tint: .sand), title: $0.name,
                        subtitle: words("quest.deletedRoutine"), trailing: [.chevron],
                        action: .open(ResultsScreens.path(routine: $0.id)))
                }
            body.append(
                .disclosure(
                    PTDisclosure(
                        title: words("quest.archive"),
                        body: [.list(PTList(cells: cells, label: words("quest.archive")))])))
        }
        let gone = content.players.filter { $0.archivedAt != nil && $0.id != player.id }
        var buttons = [
            PTButton(
                title: words("quest.addPlayer"), icon: .plus, role: .neutral, action: .present("new-player")),
            PTButton(
                title: words("quest.rename", player.name), icon: .edit, role: .neutral,
                action: .present("edit-player")),
            PTButton(
                title: words("quest.devices"), icon: .phone, role: .neutral, action: .open(DevicesScreens.path)),
        ]
        buttons += gone.map {
            PTButton(title: $0.name, icon: .person, role: .quiet, action: .open(Self.path($0.id)))
        }
        body.append(
            .section(PTSection(title: words("quest.family"), body: [.buttons(PTButtonGroup(buttons: buttons))])))
        body.append(.button(done))
        // Folded, so that permanent actions are not next to daily ones.
        body.append(
            .disclosure(
                PTDisclosure(
                    title: words("quest.leaving", player.name),
                    body: [.buttons(PTButtonGroup(buttons: leaving(player, request)))])))
        return body
    }

    private func leaving(_ player: Player, _ request: ScreenRequest) -> [PTButton] {
        let words = request.words
        let delete = PTButton(
            title: words("quest.deletePlayer", player.name), icon: .trash, role: .destructive,
            action: .perform(
                request.call(
                    DeletePlayer.self, ["playerId": player.id.text],
                    confirmation: PTConfirmation(
                        title: words("quest.deletePlayerQuestion", player.name),
                        message: words("quest.deletePlayerExplained"), confirm: words("quest.delete")),
                    to: Self.home)))
        guard player.archivedAt == nil else { return [delete] }
        return [
            PTButton(
                title: words("quest.archivePlayer", player.name), icon: .minus, role: .neutral,
                action: .perform(archive(player, true, request))), delete,
        ]
    }

    private func archive(_ player: Player, _ isArchived: Bool, _ request: ScreenRequest) -> PTCommandCall {
        request.call(
            ArchivePlayer.self, ["playerId": player.id.text], fields: ["archived": isArchived ? "true" : "false"],
            to: isArchived ? Self.home : Self.path(player.id))
    }

    private func sheet(_ id: String, _ title: String, _ form: PTForm, _ words: Words) -> PTBottomSheet {
        PTBottomSheet(id: id, title: words(title), body: [.form(form)])
    }

    private func name(_ value: String, _ words: Words) -> PTField {
        PTField(
            name: "name", label: words("quest.childName"), value: value, hint: words("quest.childNameHint"),
            isRequired: true, autocomplete: "off", maxLength: 40)
    }
}
