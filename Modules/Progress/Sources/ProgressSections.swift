import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface
import ScreenKit

/// The block's sections of the home page and of a course's page.
struct ProgressSections: Sendable {
    let service: ProgressService
    let families: any FamilyLinks

    // MARK: - Home

    func home(_ request: ScreenRequest) async throws -> [Component] {
        let (words, membership) = (request.words, try request.context.membership)
        let today = request.context.today
        let isStudent = membership.roles.contains(.student)
        let (children, first) = try await request.context.school.read { sql in
            let children = try families.children(of: membership, in: sql).map { (id: $0.id, name: $0.name.display) }
            return (
                children,
                try children.first { try !service.roster.courseIds(ofStudent: $0.id, in: sql).isEmpty }?.id
            )
        }
        // Families whose children take no courses see no section.
        guard isStudent || first != nil else { return [] }
        let mine = (isStudent ? [(membership.personId, words("progress.me"))] : []) + children
        let (chosen, segments) = try request.chosenStudent(
            of: mine, first: isStudent ? membership.personId : first, label: words("progress.whose"))
        guard let studentId = chosen else { return [] }
        let found = try await request.context.school.read {
            try service.overview(of: studentId, on: today, in: membership.timeZone, $0)
        }
        var body = segments
        let isOwn = studentId == membership.personId
        guard !found.courses.isEmpty else {
            guard isOwn else { return body + [.text(PTText(words("progress.noCourses"), role: .note))] }
            let link = request.links(.courses).first
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .book, title: words("progress.noCourses"), message: words("progress.noCoursesTip"),
                        action: link.map { PTButton(title: $0.title, icon: .search, action: $0.action) })))
            return body
        }
        if isOwn, let next = found.next {
            body.append(
                .button(
                    PTButton(
                        title: words("progress.continue", next.lesson.title), icon: .play, size: .large,
                        isWide: true,
                        action: .open(LessonPath.path(of: next.lesson.id, in: next.course.id)))))
        }
        let query = isOwn ? "" : "?student=\(studentId.text)"
        body.append(
            .section(
                PTSection(
                    title: words("progress.courses"),
                    detail: found.average.map { words("progress.gpa", $0.shown(words)) },
                    body: [
                        .progressCards(
                            PTProgressCards(
                                cards: found.courses.map { card($0, query, words) },
                                label: words("progress.courses")))
                    ])))
        body.append(week(found.week, found.streak, words))
        body.append(points(found.points, words))
        return body
    }

    /// `CourseProgressCard`.
    private func card(
        _ overview: ProgressService.CourseOverview, _ query: String, _ words: Words
    ) -> PTProgressCards.Card {
        let (course, progress) = (overview.course, overview.progress)
        let lessons = words("progress.lessons", progress.lessons.done, progress.lessons.total)
        let percent = words.percent(progress.lessons.percent)
        return PTProgressCards.Card(
            id: course.id.text, title: course.name,
            detail: [lessons, progress.minutesLeft.map { words("progress.left", $0) }].compactMap(\.self)
                .joined(separator: " · "),
            ring: PTProgressRing(
                value: progress.lessons.fraction, text: percent, tint: course.tint, spoken: "\(percent), \(lessons)"
            ),
            tag: overview.grade.map { PTTag(text: $0.letter, tone: $0.color.tone) },
            chart: progress.submissions.isEmpty
                ? nil
                : PTChart(
                    points: progress.submissions.enumerated().map { place, share in
                        .init(
                            label: String(place + 1), value: share.fraction,
                            text: words.percent(share.percent))
                    }, lowest: 0, highest: 1, tint: course.tint,
                    spoken: words(
                        "progress.submissions",
                        progress.submissions.map { words.percent($0.percent) }.joined(separator: ", "))),
            action: .open("/courses/\(course.id.text)\(query)"),
            next: progress.next.map {
                PTButton(title: $0.title, action: .open(LessonPath.path(of: $0.id, in: course.id)))
            })
    }

    /// The section with a student's points, level, and distance to the next level.
    private func points(_ points: Points, _ words: Words) -> Component {
        .section(
            PTSection(
                title: words("points.title"),
                body: [
                    .definitionList(
                        PTDefinitionList(
                            items: [
                                .init(
                                    term: words("points.level", points.level),
                                    value: words("points.count", points.total)),
                                .init(
                                    term: words("points.next", points.level + 1),
                                    value: words("points.missing", points.missing)),
                            ]))
                ]))
    }

    private func week(_ week: WeeklySummary, _ streak: StudyStreak, _ words: Words) -> Component {
        let counts = [
            ("progress.week.lessons", week.lessons), ("progress.week.assignments", week.assignments),
            ("progress.week.quizzes", week.quizzes),
        ]
        return .section(
            PTSection(
                title: words("progress.week"),
                body: [
                    .definitionList(
                        PTDefinitionList(
                            items: counts.map { key, count in
                                .init(term: words(key), value: "\(count.now) \(Self.compared(count, words))")
                            }
                                + (streak.days == 0
                                    ? []
                                    : [
                                        .init(
                                            term: words("progress.streak"),
                                            value: words("progress.streak.days", streak.days))
                                    ])))
                ]))
    }

    /// The difference to the week before: "↑ 2".
    private static func compared(_ count: WeeklySummary.Count, _ words: Words) -> String {
        switch count.now - count.before {
        case 0: words("progress.week.same")
        case let more where more > 0: words("progress.week.more", more)
        case let less: words("progress.week.less", -less)
        }
    }

    // MARK: - Course

    /// The course's overall progress and that of each kind (WW-12.04), for a student or the chosen child of a parent.
    func course(_ courseId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let (words, membership) = (request.words, try request.context.membership)
        let today = request.context.today
        let progress = try await request.context.school.read { sql -> CourseProgress? in
            let mine = try families.learners(of: membership, in: sql)
            let wanted = request.query["student"].flatMap(UUID.init(text:)) ?? request.lastStudent
            guard let id = mine.first(where: { $0 == wanted }) ?? mine.first else { return nil }
            return try service.progress(of: id, in: courseId, on: today, sql)
        }
        guard let progress, progress.overall.total > 0 else { return [] }
        let parts = [
            ("progress.week.lessons", progress.lessons), ("progress.week.assignments", progress.assignments),
            ("progress.week.quizzes", progress.quizzes),
        ].filter { $0.1.total > 0 }
        return [
            .definitionList(
                PTDefinitionList(
                    items: [
                        .init(
                            term: words("progress.overall"),
                            value: words.percent(progress.overall.percent))
                    ]
                        + parts.map { key, share in
                            .init(term: words(key), value: words("progress.of", share.done, share.total))
                        }))
        ]
    }
}

extension GradeColor {
    /// The tone of the tag, which always contains the letter.
    var tone: PTTag.Tone {
        switch self {
        case .green: .good
        case .yellow: .warning
        case .orange: .attention
        case .red: .danger
        }
    }
}
