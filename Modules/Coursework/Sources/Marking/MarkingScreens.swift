import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface
import ScreenKit

/// The page on which a teacher marks the work of one student and goes on to the next.
struct MarkingScreens: Sendable {
    let access: CourseworkAccess
    let parts: SubmissionParts
    let spoken: SpokenComments

    var routes: [ScreenRoute] {
        [
            ScreenRoute(
                "/assignments/{assignmentId}/marking/{studentId}", access: .member(.teachCourses), tab: "/courses"
            ) { .screen(try await marking($0)) }
        ]
    }

    private func marking(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let (id, studentId) = (try request.id("assignmentId"), try request.id("studentId"))
        let (one, rows, files, rubric, levels, notes, comment) = try await request.context.school.read { sql in
            let (one, _) = try access.led(id, membership, in: sql)
            return (
                one,
                try SubmissionsReader(access: access).rows(
                    of: one, membership.organization.id, at: now, in: sql),
                try SubmissionRepository.files(of: id, by: studentId, in: sql),
                try RubricRepository.rubric(of: id, in: sql),
                try RubricRepository.levels(of: id, for: studentId, in: sql),
                try access.notes(of: one, on: studentId, membership.organization.id, canEdit: true, in: sql),
                try SpokenCommentRepository.comment(of: id, for: studentId, in: sql)
            )
        }
        guard let row = rows.first(where: { $0.id == studentId }) else { throw Problem.notFound }
        let text = WorkWords(words: words, timeZone: membership.timeZone, now: now)
        let shown = row.submissions.first { "\($0.attempt)" == request.query["attempt"] } ?? row.counted
        // From hand-in to hand-in; work on paper goes from student to student.
        let order = rows.filter { !one.takesSubmissions || !$0.submissions.isEmpty || $0.id == row.id }
        let place = order.firstIndex { $0.id == row.id } ?? 0
        let (before, after) = (
            place > 0 ? order[place - 1] : nil, place + 1 < order.count ? order[place + 1] : nil
        )
        let work =
            attempts(row, shown, one, text)
            + (try await parts.components(of: shown, files, of: one, notes, text, request))
        let theirs = try await savedMeanwhile(row.mark, request)
        let columns: [Component] = [
            .section(
                PTSection(
                    title: words("coursework.submission"),
                    detail: shown.flatMap { submission in
                        [text.when(submission.handedInAt), text.lateness(of: submission.handedInAt, row.times)]
                            .compactMap(\.self).joined(separator: ", ")
                    },
                    body: work)),
            .section(
                PTSection(
                    title: words("coursework.feedback"),
                    detail: row.score.flatMap { score in
                        deduction(row, score, words)
                    },
                    body: theirs + [.form(form(row, shown, one, after, rubric, levels, request))]
                        + spoken.components(comment, one, row.id, request) + navigation(before, after, one, words))),
        ]
        return Screen(
            title: row.student.name,
            subtitle: "\(one.title) · \(words("coursework.place", place + 1, order.count))",
            avatar: PTAvatar(row.student.person), back: AssignmentScreens.path(id),
            live: [CourseworkChanges.topic(one.courseId)],
            body: [.columns(PTColumns(columns, limit: 2))])
    }

    /// The control for the attempts of a student, and the state of the work.
    private func attempts(
        _ row: SubmissionsReader.Row, _ shown: Submission?, _ one: Assignment, _ text: WorkWords
    ) -> [Component] {
        guard row.submissions.count > 1 else { return [] }
        let (words, path) = (text.words, AssignmentScreens.marking(one.id, row.id))
        return [
            .segments(
                PTSegmentedControl(
                    label: words("coursework.attempts"),
                    segments: row.submissions.map { submission in
                        .init(
                            title: row.times.isOnTime(submission.handedInAt)
                                ? words("coursework.attempt", submission.attempt)
                                : words("coursework.attemptLate", submission.attempt),
                            path: "\(path)?attempt=\(submission.attempt)",
                            isSelected: submission.id == shown?.id)
                    }))
        ]
    }

    /// The score and comment that another teacher stored while the form was open, with their name and the time. Empty
    /// unless the form was refused for it.
    private func savedMeanwhile(_ mark: WorkMark?, _ request: ScreenRequest) async throws -> [Component] {
        guard request.refused?.problem.code == "coursework.markChanged", let mark else { return [] }
        let (words, membership) = (request.words, try request.context.membership)
        let person = try await request.context.school.read { sql in
            try access.people.people([mark.markedBy], of: membership.organization.id, in: sql)[mark.markedBy]
        }
        let title = words(
            "form.savedBy", person?.name.display ?? words("coursework.someone"),
            words.dateAndTime(mark.markedAt, in: membership.timeZone))
        let stored = [mark.points?.shown(words) ?? "–", mark.comment]
        return [
            .section(
                PTSection(
                    title: title,
                    body: [.card(PTCard(body: [.text(PTText(stored.compactMap(\.self).joined(separator: " · ")))]))]
                ))
        ]
    }

    /// "18 after 10 % off for lateness"; `nil` without a deduction.
    private func deduction(_ row: SubmissionsReader.Row, _ score: Hundredths, _ words: Words) -> String? {
        guard let points = row.mark?.points, points != score else { return nil }
        return words("coursework.deducted", score.shown(words))
    }

    private func form(
        _ row: SubmissionsReader.Row, _ shown: Submission?, _ one: Assignment, _ after: SubmissionsReader.Row?,
        _ rubric: Rubric, _ levels: [UUID: Int], _ request: ScreenRequest
    ) -> PTForm {
        let words = request.words
        let ids = ["assignmentId": one.id.text, "studentId": row.id.text]
        let next = after.map { AssignmentScreens.marking(one.id, $0.id) } ?? AssignmentScreens.path(one.id)
        var fields = RubricScreens.fields(rubric, levels, isGraded: one.maximum != nil, words)
        if let maximum = one.maximum {
            // The points of the rubric are not in the field, so that they follow another level.
            let byRubric = rubric.points(of: levels)
            let entered = row.mark?.points == byRubric ? nil : row.mark?.points
            fields.append(
                PTField(
                    name: "points", label: words("coursework.points"), value: entered?.shown(words) ?? "",
                    hint: rubric.criteria.isEmpty
                        ? words("coursework.pointsTip", maximum.shown(words))
                        : byRubric.map {
                            words("coursework.pointsRubric", $0.shown(words), maximum.shown(words))
                        } ?? words("coursework.pointsRubricTip", maximum.shown(words)), autocomplete: "off",
                    maxLength: 12))
        }
        fields.append(
            PTField(
                .multiline, name: "comment", label: words("coursework.comment"), value: row.mark?.comment ?? "",
                hint: words(
                    row.mark?.returnedAt == nil ? "coursework.commentTip" : "coursework.commentReturnedTip"),
                maxLength: 5000))
        fields.append(.hidden("version", String(row.mark?.version ?? 0)))
        if let shown { fields.append(.hidden("submissionId", shown.id.text)) }
        let isReturned = row.mark?.returnedAt != nil
        return request.form(
            MarkAndReturnWork.self, ids, id: "mark", fields: fields,
            submit: SubmitButton(title: words("coursework.return"), role: .tonal, icon: .send),
            alternate: SubmitButton(
                title: words(after == nil ? "coursework.save" : "coursework.saveNext"),
                action: request.call(MarkWork.self, ids, to: next), role: .primary),
            to: isReturned ? next : AssignmentScreens.marking(one.id, row.id))
    }

    private func navigation(
        _ before: SubmissionsReader.Row?, _ after: SubmissionsReader.Row?, _ one: Assignment, _ words: Words
    ) -> [Component] {
        let links = [("coursework.previous", before), ("coursework.next", after)].compactMap { key, row in
            row.map { row in
                PTLinks.Link(
                    title: words(key, row.student.name),
                    action: .open(AssignmentScreens.marking(one.id, row.id)))
            }
        }
        return links.isEmpty ? [] : [.links(PTLinks(links: links))]
    }
}
