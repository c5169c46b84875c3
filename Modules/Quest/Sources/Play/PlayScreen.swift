import DesignSystem
import Domain
import FeatureKit
import Foundation
import QuestModel
import ScreenKit

/// The page on which a child plays. It consists of one island with all its data.
struct PlayScreen: Sendable {
    static let path = PlayProperties.path
    /// The area of rights of a child's device.
    static let area = "quest"

    let dependencies: AppDependencies

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.playQuests), area: Self.area, play),
            ScreenRoute("/play/pair", access: .anyone, pair),
            ScreenRoute("/play/pair/{code}", access: .anyone, pair),
        ]
    }

    @Sendable
    private func play(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        guard let properties = try await properties(request.query["player"], request.context) else {
            if request.context.caller.account?.token == nil { return .redirect(DashboardScreens.home) }
            return .screen(
                Screen(
                    title: words("quest.title"), layout: .focused,
                    body: [
                        .empty(
                            PTEmptyState(title: words("quest.nobody"), message: words("quest.nobodyTip")))
                    ]))
        }
        return .screen(
            Screen(
                title: words("quest.title"), layout: .stage,
                body: [.island(try PTIsland("quest", properties: properties, fallback: words("stage.noScript")))]))
    }

    /// Returns all data of the page, also for days without a network; `nil` without players.
    ///
    /// - Parameter wanted: the id of a player; `nil` for the first. Throws `Problem.notFound` for another family's.
    func properties(_ wanted: String?, _ context: RequestContext) async throws -> PlayProperties? {
        let (membership, now, words) = (try context.membership, context.now, context.words)
        let zone = membership.timeZone
        return try await context.school.read { sql in
            let players = try PlayerRepository.players(of: membership, in: sql).filter { $0.archivedAt == nil }
            let player: Player?
            if let wanted {
                guard let found = players.first(where: { $0.id.text == wanted.lowercased() }) else {
                    throw Problem.notFound
                }
                player = found
            } else {
                player = players.first
            }
            guard let player else { return nil }
            let routines = try dependencies.routineRepository.fetchAll(of: player.id, in: sql)
            let weeks = try GrowthRepository.weeks(GrowthRepository.of(player: player.id), at: now, in: zone, sql)
            let nearest = try GrowthRepository.nearest(of: player.id, in: sql)
            return PlayProperties(
                player: .init(player), players: players.map { .init($0) }, timeZone: zone.identifier,
                language: words.language.rawValue, record: RecordSession.contract.path,
                gate: .init(
                    path: OpenGate.contract.path, close: CloseGate.contract.path,
                    signIn: "/sign-in?next=\(DashboardScreens.home)"),
                routines: routines.filter(\.isActive).map { .init($0) },
                discoveries: GrowthEngine.discoveries(weeks, nearest: nearest).map { $0.sentence(words) },
                messages: FeedbackGenerator.catalog.map { .init($0, text: words("feedback.\($0.id)")) },
                words: StageWords.all(words))
        }
    }

    /// The page on which a new device enters its pairing code, or has it from the address.
    @Sendable
    private func pair(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let field: PTField =
            request.parameters["code"].map { .hidden("pairingCode", $0) }
            ?? PTField(
                .code, name: "pairingCode", label: words("quest.pair.code"), hint: words("quest.pair.codeHint"),
                isRequired: true, autocomplete: "off", maxLength: 200)
        return .screen(
            Screen(
                title: words("quest.pair.title"), subtitle: words("quest.pair.tip"), layout: .focused,
                hero: .tower,
                body: [
                    .form(
                        request.form(
                            PairDevice.self, id: "pair", fields: [field],
                            submit: SubmitButton(title: words("quest.pair.start")), to: Self.path, style: .card))
                ]))
    }
}

extension PlayProperties.PlayerItem {
    fileprivate init(_ player: Player) { self.init(id: player.id.text, name: player.name) }
}

extension PlayProperties.RoutineItem {
    fileprivate init(_ routine: Routine) {
        self.init(
            id: routine.id.text, displayName: routine.displayName, activeDays: routine.activeDays,
            completedSessions: routine.completedSessions,
            tasks: routine.orderedTasks.map {
                .init(
                    id: $0.id.text, displayName: $0.displayName, referenceSeconds: $0.referenceDurationSeconds)
            })
    }
}

extension GrowthEngine.Discovery {
    func sentence(_ words: Words) -> String {
        switch self {
        case .guesses(let count): words("discovery.guesses", count)
        case .closer(let from, let to): words("discovery.closer", words.duration(from), words.duration(to))
        case .longerThanThought: words("discovery.longer")
        case .shorterThanThought: words("discovery.shorter")
        case .nearest(let task, let seconds): words("discovery.nearest", task, words.duration(seconds))
        }
    }
}

extension Words {
    /// A duration in the reader's language: `2m 30s`.
    func duration(_ seconds: Double) -> String {
        TimeFormatting.formatDuration(seconds) { self("duration.short.\($0.rawValue)", $1) }
    }

    /// A duration in the reader's language, as it is spoken: `2 minutes 30 seconds`.
    func spokenDuration(_ seconds: Double) -> String {
        TimeFormatting.formatDurationLong(seconds) { self("duration.\($0.rawValue)", $1) }
    }
}
