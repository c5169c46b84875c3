import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The leaderboard of a course, and its settings page.
struct LeaderboardScreens: Sendable {
    static let path = "/leaderboard"
    static let settingsPath = "/settings/leaderboard"

    let service: LeaderboardService

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.viewLeaderboard), tab: "/courses") {
                .screen(try await board($0))
            },
            ScreenRoute(Self.settingsPath, access: .member(.manageLeaderboard), tab: "/settings") {
                .screen(try await settings($0))
            },
        ]
    }

    /// The state of the navigation entry, which is shown to people with a leaderboard.
    func state(_ context: RequestContext, in sql: any SQLReading) throws -> EntryState {
        guard context.caller.may(.viewLeaderboard) else { return EntryState(isShown: false) }
        return EntryState(
            isShown: try LeaderboardRepository.isOn(in: sql)
                && !service.courses(of: context.membership, in: sql).isEmpty)
    }

    // MARK: - LeaderboardView

    private typealias Content = (
        known: [Course], chosen: UUID?, found: (board: Leaderboard, people: [UUID: Person])?
    )

    private func board(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let wanted = request.query["course"]
        let content = try await request.context.school.read { sql -> Content? in
            guard try LeaderboardRepository.isOn(in: sql) else { return nil }
            let known = try service.courses(of: membership, in: sql)
            let id: UUID?
            if let wanted {
                guard let named = UUID(text: wanted) else { throw Problem.notFound }
                id = named
            } else {
                id = known.first?.id
            }
            return (known, id, try id.map { try service.leaderboard(of: $0, for: membership, in: sql) })
        }
        guard let (known, chosen, found) = content else { return none(request) }
        var body: [Component] = []
        if known.count > 1 {
            body.append(
                .segments(
                    PTSegmentedControl(
                        label: words("leaderboard.course"),
                        segments: known.map {
                            .init(
                                title: $0.name, path: "\(Self.path)?course=\($0.id.text)",
                                isSelected: $0.id == chosen)
                        })))
        }
        if let found {
            body += ownPoints(found.board, request)
            body += list(found, membership.personId, words)
        } else {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .book, title: words("progress.noCourses"), message: words("leaderboard.noCourses"))))
        }
        body.append(
            .text(PTText(words("leaderboard.how", Points.perLesson, Points.perWork))))
        return Screen(
            title: words("leaderboard.title"),
            subtitle: known.first { $0.id == chosen }?.name, back: "/courses",
            live: [
                LeaderboardHandlers.topic, CourseTopic.list, CourseTopic.lessons(of: membership.personId),
            ], body: body)
    }

    /// The page of a school without a leaderboard.
    private func none(_ request: ScreenRequest) -> Screen {
        let words = request.words
        let mayTurnOn = request.context.caller.may(.manageLeaderboard)
        return Screen(
            title: words("leaderboard.title"), back: "/courses", live: [LeaderboardHandlers.topic],
            body: [
                .empty(
                    PTEmptyState(
                        icon: .chart, title: words("leaderboard.off"), message: words("leaderboard.offTip"),
                        secondary: mayTurnOn
                            ? .init(title: words("leaderboard.turnOn"), action: .open(Self.settingsPath)) : nil))
            ])
    }

    /// The section with a student's own points and the button to leave or join.
    private func ownPoints(_ board: Leaderboard, _ request: ScreenRequest) -> [Component] {
        let words = request.words
        guard let own = board.own else { return [] }
        let chosen = "\(Self.path)?course=\(board.courseId.text)"
        return [
            .section(
                PTSection(
                    title: words("points.count", own),
                    body: [
                        .text(PTText(words(board.takesPart ? "leaderboard.within" : "leaderboard.without"))),
                        .button(
                            PTButton(
                                title: words(board.takesPart ? "leaderboard.leave" : "leaderboard.comeBack"),
                                role: .tonal,
                                action: .perform(
                                    request.call(
                                        TakePartInLeaderboard.self, [:],
                                        fields: ["takesPart": board.takesPart ? "false" : "true"], to: chosen)))),
                    ]))
        ]
    }

    private func list(
        _ found: (board: Leaderboard, people: [UUID: Person]), _ me: UUID, _ words: Words
    ) -> [Component] {
        guard found.board.takesPart || found.board.own == nil else { return [] }
        guard !found.board.entries.isEmpty else {
            return [
                .empty(
                    PTEmptyState(
                        icon: .chart, title: words("leaderboard.nobody"), message: words("leaderboard.nobodyTip"),
                        action: .init(title: words("leaderboard.toCourses"), action: .open("/courses"))))
            ]
        }
        let cells = found.board.entries.map { entry in
            PTListCell(
                id: entry.studentId.text,
                leading: found.people[entry.studentId].map {
                    .avatar(PTAvatar($0))
                },
                title: entry.name, subtitle: words("leaderboard.place", entry.place),
                isEmphasized: entry.studentId == me, trailing: [.text(words("points.count", entry.points))])
        }
        return [.list(PTList(cells: cells, label: words("leaderboard.title")))]
    }

    // MARK: - Settings

    private func settings(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let isOn = try await request.context.school.read { try LeaderboardRepository.isOn(in: $0) }
        return Screen(
            title: words("leaderboard.title"), live: [LeaderboardHandlers.topic],
            body: [
                .form(
                    request.form(
                        SetLeaderboard.self, id: "leaderboard",
                        fields: [
                            PTField(
                                .toggle, name: "isOn", label: words("leaderboard.isOn"),
                                value: isOn ? "true" : "false", hint: words("leaderboard.isOnTip"))
                        ], submit: SubmitButton(title: words("leaderboard.save")), style: .card))
            ])
    }
}
