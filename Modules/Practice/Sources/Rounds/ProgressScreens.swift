import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// How practice goes: the pages of one person's results, for themselves and the guides of their classes.
struct ProgressScreens: Sendable {
    static let home = "/practice"
    static func path(of studentId: UUID) -> String { "/students/\(studentId.text)/practice" }

    /// The number of rounds of a tool that its chart shows, and of all rounds that the page lists.
    static let charted = 12
    static let listed = 20
    /// The number of rounds that are read.
    static let read = 120
    /// The most words to practice again that are named.
    static let mostMissed = 12

    let access: PracticeAccess

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.home, access: .member(.practice), tab: "/home") { .screen(try await own($0)) },
            ScreenRoute(
                "/students/{studentId}/practice", access: .member(.viewClassrooms),
                seen: Seen("practice.seen", "studentId")
            ) { .screen(try await student($0)) },
        ]
    }

    /// The reader's results, and the students of their classes for a guide.
    private func own(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let (guided, latest, rounds) = try await request.context.school.read { sql in
            let guided = try access.guided(by: membership, in: sql)
            return (
                guided, try RoundRepository.latest(of: guided.map(\.id), in: sql),
                try RoundRepository.rounds(of: membership.personId, limit: Self.read, in: sql)
            )
        }
        var body = guided.isEmpty ? [] : students(guided, latest, request)
        // A guide who never tried a tool sees the students alone.
        if guided.isEmpty || !rounds.isEmpty { body += results(rounds, isOwn: true, request) }
        return Screen(
            title: words("practice.progress"), back: "/home",
            live: ([membership.personId] + guided.map(\.id)).prefix(60).map(PracticeTopic.results), body: body)
    }

    private func students(
        _ guided: [(id: UUID, name: String)], _ latest: [UUID: Date], _ request: ScreenRequest
    ) -> [Component] {
        let (words, zone) = (request.words, request.context.caller.timeZone)
        let cells = guided.map { student in
            PTListCell(
                id: student.id.text, title: student.name,
                subtitle: latest[student.id].map { words("practice.lastOn", words.longDate(Day($0, in: zone))) },
                trailing: [.chevron], action: .open(Self.path(of: student.id)))
        }
        return [
            .section(
                PTSection(
                    title: words("practice.students"),
                    body: [.list(PTList(cells: cells, columns: .two, label: words("practice.students")))]))
        ]
    }

    private func student(_ request: ScreenRequest) async throws -> Screen {
        let (membership, id) = (try request.context.membership, try request.id("studentId"))
        let (name, rounds) = try await request.context.school.read { sql in
            (
                try access.name(of: id, seenBy: membership, in: sql),
                try RoundRepository.rounds(of: id, limit: Self.read, in: sql)
            )
        }
        return Screen(
            title: request.words("practice.progress"), subtitle: name, back: "/students/\(id.text)",
            live: [PracticeTopic.results(of: id)], body: results(rounds, isOwn: false, request))
    }

    // MARK: - Results

    private func results(_ rounds: [PracticeRound], isOwn: Bool, _ request: ScreenRequest) -> [Component] {
        let words = request.words
        guard !rounds.isEmpty else {
            return [
                .empty(
                    PTEmptyState(
                        icon: .chart, title: words("practice.noRounds"),
                        message: words(isOwn ? "practice.noRoundsTip" : "practice.noRoundsOfChild"),
                        action: isOwn
                            ? PTButton(
                                title: words(PracticeTool.math.titleKey), icon: PracticeTool.math.icon,
                                action: .open(PracticeTool.math.path)) : nil))
            ]
        }
        let zone = request.context.caller.timeZone
        let parts = PracticeTool.allCases.compactMap { tool -> Component? in
            let own = rounds.filter { $0.tool == tool }
            return own.isEmpty ? nil : .section(section(tool, own, zone, words))
        }
        let cells = rounds.prefix(Self.listed).map { round in
            PTListCell(
                id: round.id.text, leading: .icon(round.tool.icon, tint: Self.tint(round.tool)),
                title: title(round, words),
                subtitle: [share(round, words), words("practice.minutes", max(1, (round.seconds + 30) / 60))]
                    .joined(separator: " · "),
                details: round.missed.isEmpty
                    ? nil
                    : words(
                        round.tool == .typing ? "practice.slipped" : "practice.missed",
                        round.missed.joined(separator: ", ")),
                trailing: [.text(words.dateAndTime(round.finishedAt, in: zone))])
        }
        return [.columns(PTColumns(parts))] + [
            .section(
                PTSection(
                    title: words("practice.rounds"),
                    body: [.list(PTList(cells: Array(cells), label: words("practice.rounds")))]))
        ]
    }

    /// One tool: a quiet chart, and where the person is.
    private func section(
        _ tool: PracticeTool, _ rounds: [PracticeRound], _ zone: TimeZone, _ words: Words
    ) -> PTSection {
        let points = rounds.prefix(Self.charted).reversed().map { round in
            PTChart.Point(
                label: words.dayAndMonth(Day(round.finishedAt, in: zone)), value: Double(round.percent),
                text: words.percent(round.percent))
        }
        var body: [Component] = []
        if points.count > 1 {
            body.append(
                .chart(
                    PTChart(
                        points: points, lowest: 0, highest: 100, tint: Self.tint(tool),
                        spoken: words("practice.chart", points.count))))
        }
        let facts = self.facts(tool, rounds, words)
        if !facts.isEmpty { body.append(.definitionList(PTDefinitionList(items: facts))) }
        return PTSection(title: words(tool.titleKey), body: body)
    }

    private func facts(
        _ tool: PracticeTool, _ rounds: [PracticeRound], _ words: Words
    ) -> [PTDefinitionList.Item] {
        switch tool {
        case .spelling:
            var (known, missed): (Set<String>, [String]) = ([], [])
            // The last round of each list says which of its words to practice.
            for round in rounds where known.insert(round.listId?.text ?? round.listName ?? "").inserted {
                missed += round.missed.filter { !missed.contains($0) }
            }
            return missed.isEmpty
                ? []
                : [
                    .init(
                        term: words("practice.toPractice"),
                        value: missed.prefix(Self.mostMissed).joined(separator: ", "))
                ]
        case .math:
            var known: Set<String> = []
            let last = rounds.filter { known.insert($0.kind).inserted }
            return PracticeTool.kinds.compactMap { kind in
                last.first { $0.kind == kind }.map {
                    .init(term: words("practice.play.kind.\(kind)"), value: words("practice.level", $0.level))
                }
            }
        case .typing:
            return Set(rounds.map(\.kind)).sorted().compactMap { layout in
                rounds.first { $0.kind == layout }.map {
                    .init(
                        term: layout.uppercased(),
                        value: [
                            words("practice.lesson", $0.level), words.percent($0.percent),
                            words("practice.speed", $0.speed),
                        ].joined(separator: " · "))
                }
            }
        }
    }

    private func title(_ round: PracticeRound, _ words: Words) -> String {
        switch round.tool {
        case .spelling: round.listName ?? words(round.tool.titleKey)
        case .math where PracticeTool.kinds.contains(round.kind):
            words("practice.kindAndLevel", words("practice.play.kind.\(round.kind)"), round.level)
        case .math: words(round.tool.titleKey)
        case .typing: words("practice.layoutAndLesson", round.kind.uppercased(), round.level)
        }
    }

    private func share(_ round: PracticeRound, _ words: Words) -> String {
        round.tool == .typing
            ? "\(words.percent(round.percent)) · \(words("practice.speed", round.speed))"
            : words("practice.atOnce", round.asked, round.correct)
    }

    private static func tint(_ tool: PracticeTool) -> Tint {
        switch tool {
        case .spelling: .leaf
        case .math: .sky
        case .typing: .berry
        }
    }
}
