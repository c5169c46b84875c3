import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The pages of insights: a section on the child's page, a page of its own, and one for a classroom.
struct InsightScreens: Sendable {
    let classrooms: any ClassroomService
    let students: any StudentService
    let handlers: InsightHandlers

    /// The most texts or links in a list.
    static let mostTexts = 5

    var routes: [ScreenRoute] {
        [
            ScreenRoute(
                "/students/{studentId}/insights", access: .member(.shareWithFamilies), tab: "/homeroom",
                seen: Seen("student.seen", "studentId")
            ) { .screen(try await page($0)) },
            ScreenRoute(
                "/classrooms/{classroomId}/recommendations", access: .member(.shareWithFamilies), tab: "/homeroom",
                seen: Seen("students.seen")
            ) { .screen(try await recommendations($0)) },
        ]
    }

    // MARK: - Section of the child's page

    func section(of studentId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let words = request.words
        let here = "/students/\(studentId.text)"
        let span = Span(rawValue: request.query["span"] ?? "") ?? .week
        let (texts, shared) = try await request.context.school.read { sql in
            let texts = try FamilyTextRepository.texts(of: studentId, limit: Self.mostTexts, in: sql)
            return (texts, try SharedItemRepository.shared(texts.map(\.id), in: sql))
        }
        var body: [Component] = [
            .segments(segments(here, span, words)),
            .buttons(
                PTButtonGroup(buttons: [
                    PTButton(
                        title: words("insights.title"), icon: .sparkle, role: .tonal,
                        action: .open("\(here)/insights?span=\(span.rawValue)")),
                    PTButton(
                        title: words("insights.summary"), icon: .summary, role: .tonal,
                        action: .open("\(here)/summary?span=\(span.rawValue)")),
                ])),
        ]
        if !texts.isEmpty {
            body.append(
                .list(
                    PTList(
                        cells: texts.map { cell($0, shared[$0.id], words) }, label: words("insights.texts"))))
        }
        return [.section(PTSection(title: words("insights.title"), body: body))]
    }

    private func segments(_ path: String, _ span: Span, _ words: Words) -> PTSegmentedControl {
        PTSegmentedControl(
            label: words("insights.span"),
            segments: Span.allCases.map {
                .init(
                    title: words("insights.span.\($0.rawValue)"), path: "\(path)?span=\($0.rawValue)",
                    isSelected: $0 == span)
            })
    }

    private func cell(_ text: FamilyText, _ item: SharedItem?, _ words: Words) -> PTListCell {
        let (state, tone): (String, PTTag.Tone) =
            if item?.version == text.version {
                ("shared", .good)
            } else if text.isApproved {
                ("approved", .info)
            } else {
                ("draft", .warning)
            }
        return PTListCell(
            id: text.id.text, title: words("insights.kind.\(text.kind.rawValue)"),
            subtitle: words(
                "insights.until", words.longDate(text.lastDay), words("insights.language.\(text.language.rawValue)")
            ),
            trailing: [.badge(PTTag(text: words("insights.state.\(state)"), tone: tone)), .chevron],
            action: .open(text.path))
    }

    // MARK: - Part of Home

    /// The most classrooms on Home. Administrators see all classrooms of the school.
    static let mostRooms = 6

    /// A card for the recommendations of each classroom.
    ///
    /// They have a page of their own, because reading data of children is recorded in the audit log, and reading Home
    /// is not.
    func home(_ request: ScreenRequest) async throws -> [Component] {
        let (words, membership) = (request.words, try request.context.membership)
        let rooms = try await request.context.school.read { sql in
            try classrooms.classrooms(visibleTo: membership, in: sql).filter { $0.studentCount > 0 }
        }
        guard !rooms.isEmpty else { return [] }
        let title = words("insights.recommendations")
        return [
            .section(
                PTSection(
                    title: title,
                    body: [
                        .list(
                            PTList(
                                cells: rooms.prefix(Self.mostRooms).map { room in
                                    PTListCell(
                                        id: room.id.text, leading: .icon(.sparkle, tint: room.avatarTint),
                                        title: room.name, subtitle: words("insights.homeTip", room.studentCount),
                                        trailing: [.chevron],
                                        action: .open("/classrooms/\(room.id.text)/recommendations"))
                                }, columns: .two, label: title))
                    ]))
        ]
    }

    // MARK: - Insights of a child

    private func page(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let id = try request.id("studentId")
        let span = Span(rawValue: request.query["span"] ?? "") ?? .week
        let (student, result) = try await handlers.insights(of: id, span, request.context)
        let here = "/students/\(id.text)"
        var body: [Component] = [.segments(segments("\(here)/insights", span, words))]
        if !result.proposals.isEmpty {
            body.append(
                .section(
                    PTSection(
                        title: words("insights.proposals"),
                        body: result.proposals.map {
                            proposal($0, student, span, to: "\(here)/insights?span=\(span.rawValue)", request)
                        })))
        }
        if result.insights.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .sparkle, title: words("insights.none"), message: words("insights.noneTip"))))
        } else {
            body.append(
                .section(
                    PTSection(
                        title: words("insights.shows"),
                        body: result.insights.map { insight in
                            .card(
                                PTCard(
                                    label: insight.text,
                                    body: [.text(PTText(insight.text))]
                                        + reasons(insight.sources, id, words)))
                        })))
        }
        return Screen(
            title: words("insights.title"), subtitle: student.displayName, back: here, live: [Topics.student(id)],
            body: body)
    }

    /// Links to the observations behind a sentence, each with its day.
    private func reasons(_ sources: [Source], _ studentId: UUID, _ words: Words) -> [Component] {
        let notes = sources.filter { $0.kind == .observation }
        guard !notes.isEmpty else { return [] }
        return [
            .links(
                PTLinks(
                    links: notes.suffix(Self.mostTexts).compactMap { source in
                        guard let note = source.id, let day = source.day else { return nil }
                        return .init(
                            title: words("insights.note", words.longDate(day)),
                            action: .open("/students/\(studentId.text)#observation-\(note.text)"))
                    }))
        ]
    }

    private func proposal(
        _ proposal: Proposal, _ student: Student, _ span: Span, to place: String, _ request: ScreenRequest
    ) -> Component {
        let words = request.words
        return .card(
            PTCard(
                label: proposal.title,
                body: [
                    .text(PTText(proposal.title, role: .heading)),
                    .text(
                        PTText(
                            words(
                                "insights.because", words("insights.proposed.\(proposal.kind.rawValue)"),
                                proposal.reason.text), role: .note)),
                ] + reasons(proposal.reason.sources, student.id, words) + [
                    .buttons(
                        PTButtonGroup(buttons: [
                            PTButton(
                                title: words("insights.accept"), icon: .check, role: .tonal,
                                action: .perform(
                                    request.call(
                                        AcceptProposal.self, ["studentId": student.id.text],
                                        fields: ["proposal": proposal.key, "span": span.rawValue], to: place,
                                        haptics: .success())),
                                spoken: words("insights.acceptSpoken", proposal.title))
                        ]))
                ]))
    }

    // MARK: - Recommendations for a class (WW-1.07)

    /// The most proposals for one child on the classroom's page.
    static let mostOfChild = 2

    private func recommendations(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let id = try request.id("classroomId")
        let membership = try request.context.membership
        let (today, language) = (request.context.today, words.language)
        let (room, found) = try await request.context.school.read { sql in
            let room = try classrooms.classroom(id, visibleTo: membership, in: sql)
            let children = try students.students(of: id, orgId: membership.organization.id, in: sql)
            return (
                room,
                try children.map { child in
                    let writer = try handlers.reader.writer(
                        for: child, from: Span.month.first(until: today), through: today, language,
                        timeZone: membership.timeZone, in: sql)
                    return (
                        child, writer.proposals(without: try ProposalRepository.accepted(of: child.id, in: sql))
                    )
                }.filter { !$0.1.isEmpty }
            )
        }
        let here = "/classrooms/\(id.text)/recommendations"
        return Screen(
            title: words("insights.recommendations"), subtitle: room.name, back: "/classrooms/\(id.text)",
            live: ["classroom:\(id.text)"] + found.map { Topics.student($0.0.id) },
            body: found.isEmpty
                ? [
                    .empty(
                        PTEmptyState(
                            icon: .sparkle, title: words("insights.noRecommendations"),
                            message: words("insights.noRecommendationsTip")))
                ]
                : found.map { child, proposals in
                    .section(
                        PTSection(
                            title: child.displayName,
                            action: PTButton(
                                title: words("insights.title"), role: .quiet,
                                action: .open("/students/\(child.id.text)/insights?span=month"),
                                spoken: words("insights.of", child.displayName)),
                            body: proposals.prefix(Self.mostOfChild).map {
                                proposal($0, child, .month, to: here, request)
                            }))
                })
    }
}
