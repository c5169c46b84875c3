import DesignSystem
import Domain
import FeatureKit
import Foundation
import QuestModel
import ScreenKit

/// The pages with results over weeks, of a player or of a routine.
struct ResultsScreens: Sendable {
    static func path(routine id: UUID) -> String { "/quest/routines/\(id.text)/results" }
    static func path(player id: UUID) -> String { "\(DashboardScreens.path(id))/results" }

    /// The number of sessions on a page.
    static let listed = 20

    let dependencies: AppDependencies

    var routes: [ScreenRoute] {
        [
            ScreenRoute(
                "/quest/routines/{routineId}/results", access: .member(.manageQuests), tab: DashboardScreens.home,
                area: DashboardScreens.area
            ) { .screen(try await routine($0)) },
            ScreenRoute(
                "/quest/players/{playerId}/results", access: .member(.manageQuests), tab: DashboardScreens.home,
                area: DashboardScreens.area
            ) { .screen(try await player($0)) },
        ]
    }

    private func player(_ request: ScreenRequest) async throws -> Screen {
        let id = try request.id("playerId")
        let (membership, now) = (try request.context.membership, request.context.now)
        let (player, weeks) = try await request.context.school.read { sql in
            (
                try PlayerRepository.player(id, of: membership, in: sql),
                try GrowthRepository.weeks(
                    GrowthRepository.of(player: id), at: now, in: membership.timeZone, sql)
            )
        }
        return Screen(
            title: request.words("quest.growth"), subtitle: player.name, back: DashboardScreens.path(id),
            live: ["quest:\(id.text)"], body: charts(weeks, request.words))
    }

    /// The results of a routine, which may have been deleted.
    private func routine(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let id = try request.id("routineId")
        let (membership, now) = (try request.context.membership, request.context.now)
        let zone = membership.timeZone
        let (player, name, sessions, weeks, isThere) = try await request.context.school.read { sql in
            let routine = try dependencies.routineRepository.fetch(id, in: sql)
            let sessions = try dependencies.sessionRepository.fetchLatest(Self.listed, for: id, in: sql)
            guard let playerId = routine?.playerId ?? sessions.last?.playerId,
                let name = routine?.name ?? sessions.last?.routineDisplayName
            else { throw Problem.notFound }
            return (
                try PlayerRepository.player(playerId, of: membership, in: sql), name,
                sessions.filter { $0.playerId == playerId },
                try GrowthRepository.weeks(GrowthRepository.of(routine: id), at: now, in: zone, sql),
                routine != nil
            )
        }
        return Screen(
            title: name, subtitle: player.name,
            back: isThere ? RoutineScreens.path(id) : DashboardScreens.path(player.id),
            live: ["quest:\(player.id.text)"],
            body: charts(weeks, words)
                + sessions.reversed().enumerated().map { index, session in
                    .disclosure(
                        PTDisclosure(
                            title: words.dateAndTime(session.startedAt, in: zone), body: [list(session, words)],
                            isOpen: index == 0))
                })
    }

    private func list(_ session: GameSession, _ words: Words) -> Component {
        .list(
            PTList(
                cells: session.orderedEstimations.map { one in
                    PTListCell(
                        title: one.taskDisplayName,
                        subtitle: words(
                            "quest.guessedAndTook", words.duration(one.estimatedSeconds),
                            words.duration(one.actualSeconds)),
                        trailing: [
                            .badge(
                                PTTag(
                                    text: words("quest.rating.\(one.rating.rawValue)"), tone: one.rating.tone))
                        ])
                }, label: session.routineDisplayName))
    }

    private func charts(_ weeks: [GrowthEngine.Week], _ words: Words) -> [Component] {
        guard let last = weeks.last else {
            return [
                .empty(PTEmptyState(title: words("quest.nothingPlayed"), message: words("quest.nothingPlayedTip")))
            ]
        }
        func points(
            _ value: (GrowthEngine.Week) -> Double, _ text: (Double, Words) -> String
        ) -> [PTChart.Point] {
            weeks.map { week in
                PTChart.Point(label: Self.label(week, words), value: value(week), text: text(value(week), words))
            }
        }
        let widest = max(20, weeks.map { abs($0.biasPercent) }.max() ?? 0)
        return [
            .definitionList(PTDefinitionList(items: Self.facts(of: last, words))),
            .section(
                PTSection(
                    title: words("quest.accuracy"),
                    body: [
                        .text(PTText(words("quest.accuracyTip"), role: .note)),
                        .chart(
                            PTChart(
                                points: points(\.accuracyPercent, Self.percent), lowest: 0, highest: 100,
                                tint: .leaf,
                                spoken: words("quest.accuracySpoken", weeks.count))),
                    ])),
            .section(
                PTSection(
                    title: words("quest.bias"),
                    body: [
                        .text(PTText(words("quest.biasTip"), role: .note)),
                        .chart(
                            PTChart(
                                points: points(\.biasPercent, Self.signed), lowest: -widest, highest: widest,
                                baseline: 0,
                                tint: .sky, spoken: words("quest.biasSpoken", weeks.count))),
                    ])),
            .disclosure(
                PTDisclosure(
                    title: words("quest.asTable"),
                    body: [
                        .table(
                            PTDataTable(
                                label: words("quest.growth"),
                                columns: [
                                    .init(title: words("quest.week")),
                                    .init(title: words("quest.guesses"), isNumeric: true),
                                    .init(title: words("quest.accuracy"), isNumeric: true),
                                    .init(title: words("quest.bias"), isNumeric: true),
                                ],
                                rows: weeks.reversed().map { week in
                                    .init(
                                        header: words.shortDate(GrowthRepository.monday(ofWeek: week.week)),
                                        cells: [
                                            .text(String(week.guesses)),
                                            .text(Self.percent(week.accuracyPercent, words)),
                                            .text(Self.signed(week.biasPercent, words)),
                                        ])
                                }))
                    ])),
        ]
    }

    /// The summary of a week as a list.
    static func facts(of week: GrowthEngine.Week, _ words: Words) -> [PTDefinitionList.Item] {
        let side =
            abs(week.biasPercent) < GrowthEngine.lean
            ? "quest.balanced" : week.biasPercent > 0 ? "quest.guessesMore" : "quest.guessesLess"
        return [
            .init(
                term: words("quest.weekOf", words.shortDate(GrowthRepository.monday(ofWeek: week.week))),
                value: words("quest.guessCount", week.guesses)),
            .init(term: words("quest.accuracy"), value: percent(week.accuracyPercent, words)),
            .init(term: words("quest.bias"), value: words(side)),
        ]
    }

    private static func label(_ week: GrowthEngine.Week, _ words: Words) -> String {
        let monday = GrowthRepository.monday(ofWeek: week.week)
        return words("quest.dayAndMonth", monday.day, monday.month)
    }

    private static func percent(_ value: Double, _ words: Words) -> String {
        words.percent(Int(value.rounded()))
    }

    private static func signed(_ value: Double, _ words: Words) -> String {
        let whole = Int(value.rounded())
        return words.percent((whole > 0 ? "+" : whole < 0 ? "−" : "") + String(abs(whole)))
    }
}

extension AccuracyRating {
    /// The tone of a rating. None is a warning, because a large difference is a discovery.
    fileprivate var tone: PTTag.Tone {
        switch self {
        case .spotOn: .good
        case .close: .good
        case .off: .info
        case .wayOff: .accent
        }
    }
}
