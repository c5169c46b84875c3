import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import ScreenKit

/// `AssignmentsView` for teachers: the assignments of a course, one assignment with its submissions
/// (`StudentSubmissionsView`), and its form.
struct AssignmentScreens: Sendable {
    static let home = "/assignments"
    static func path(_ id: UUID) -> String { "\(home)/\(id.text)" }
    static func list(of courseId: UUID) -> String { "/courses/\(courseId.text)/assignments" }
    static func marking(_ id: UUID, _ studentId: UUID) -> String { "\(path(id))/marking/\(studentId.text)" }

    let access: CourseworkAccess
    let work: WorkScreens

    var routes: [ScreenRoute] {
        let tab = "/courses"
        return [
            ScreenRoute("/courses/{courseId}/assignments", access: .member(.viewCourses), tab: tab) {
                try await courseList($0)
            },
            ScreenRoute("/courses/{courseId}/assignments/new", access: .member(.teachCourses), tab: tab) {
                .screen(try await create($0))
            },
            ScreenRoute("/assignments/{assignmentId}", access: .member(.viewCourses), tab: tab) {
                .screen(try await one($0))
            },
            ScreenRoute("/assignments/{assignmentId}/edit", access: .member(.teachCourses), tab: tab) {
                .screen(try await edit($0))
            },
        ]
    }

    // MARK: - The assignments of a course

    private func courseList(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, membership, courseId) = (
            request.words, try request.context.membership, try request.id("courseId")
        )
        let found = try await request.context.school.read { sql -> (Course, [Assignment], [UUID: Int])? in
            let course = try access.courses.course(courseId, enteredBy: membership, in: sql)
            guard course.isLed(by: membership) else { return nil }
            let all = try AssignmentRepository.assignments(of: [courseId], in: sql)
            return (course, all, try MarkRepository.unmarkedCounts(of: all.map(\.id), in: sql))
        }
        // Students and parents have one list for all courses.
        guard let (course, all, unmarked) = found else {
            return .redirect("\(Self.home)?course=\(courseId.text)")
        }
        let now = request.context.now
        let text = WorkWords(words: words, timeZone: membership.timeZone, now: now)
        let add = PTButton(
            title: words("coursework.add"), icon: .plus, action: .open("\(Self.list(of: courseId))/new"))
        func isOver(_ one: Assignment) -> Bool { one.dueAt.map { $0 < now } ?? false }
        let sections = [
            ("coursework.toMark", all.filter { unmarked[$0.id] != nil }),
            ("coursework.drafts", all.filter { $0.publishedAt == nil }),
            (
                "coursework.current",
                all.filter { $0.publishedAt != nil && unmarked[$0.id] == nil && !isOver($0) }
            ),
            (
                "coursework.past",
                all.filter { $0.publishedAt != nil && unmarked[$0.id] == nil && isOver($0) }.reversed()
            ),
        ].filter { !$0.1.isEmpty }
        let body: [Component] = sections.map { title, list in
            .section(
                PTSection(
                    title: words(title), detail: list.count.shown(in: words.locale),
                    body: [
                        .list(
                            PTList(
                                cells: list.map { cell($0, unmarked[$0.id] ?? 0, text) }, columns: .two,
                                label: words(title)))
                    ]))
        }
        let none = PTEmptyState(
            icon: .task, title: words("coursework.none"), message: words("coursework.noneTeacherTip"), action: add)
        var screen = Screen(
            title: words("coursework.title"), subtitle: course.name, back: "/courses/\(courseId.text)",
            live: [CourseworkChanges.topic(courseId)], body: body.isEmpty ? [.empty(none)] : body,
            floatingButton: body.isEmpty
                ? nil : PTFloatingActionButton(title: words("coursework.add"), action: add.action))
        if !body.isEmpty {
            screen.placeholder = PTEmptyState(
                icon: .task, title: words("coursework.choose"), message: words("coursework.chooseTip"))
        }
        return .screen(screen)
    }

    /// A row of a teacher's list: title, due time, and what is to mark.
    func cell(_ one: Assignment, _ unmarked: Int, course: Course? = nil, _ text: WorkWords) -> PTListCell {
        let words = text.words
        let tag: PTTag? =
            if unmarked > 0 {
                PTTag(text: words("coursework.toMark.count", unmarked), tone: .info)
            } else if one.publishedAt == nil {
                PTTag(text: words("coursework.status.draft"))
            } else if !one.isVisible(at: text.now) {
                PTTag(text: words("coursework.scheduled"), icon: .clock)
            } else {
                nil
            }
        return PTListCell(
            id: one.id.text,
            leading: course.map {
                .avatar(PTAvatar(initials: Initials.of($0.name), tint: $0.tint, id: $0.id))
            } ?? .icon(.task, tint: .sky),
            title: one.title,
            subtitle: [
                course?.name, one.dueAt.map { words("coursework.due", text.when($0)) } ?? words("coursework.noDue"),
                one.isForEveryone ? nil : words("coursework.chosen"),
            ].compactMap(\.self).joined(separator: " · "),
            trailing: [tag.map { .badge($0) }, .chevron].compactMap(\.self), action: .open(Self.path(one.id)))
    }

    // MARK: - One assignment

    private func one(_ request: ScreenRequest) async throws -> Screen {
        let (membership, id, now) = (
            try request.context.membership, try request.id("assignmentId"), request.context.now
        )
        let seen = try await request.context.school.read { try access.seen(id, membership, at: now, in: $0) }
        // A teacher who is also a parent chooses the child by the address.
        let isAboutChild = request.query["student"] != nil && !seen.learners.isEmpty
        if seen.leads, !isAboutChild { return try await overview(seen, request) }
        return try await work.assignment(seen, request)
    }

    private func overview(_ seen: CourseworkAccess.Seen, _ request: ScreenRequest) async throws -> Screen {
        let (words, membership, one) = (request.words, try request.context.membership, seen.assignment)
        let text = WorkWords(words: words, timeZone: membership.timeZone, now: request.context.now)
        let reader = SubmissionsReader(access: access)
        let (rows, students, others, files) = try await request.context.school.read { sql in
            (
                try reader.rows(of: one, membership.organization.id, at: text.now, in: sql),
                try access.students(of: one, membership.organization.id, in: sql),
                try access.courses.courses(taughtBy: membership.personId, in: sql),
                try AssignmentFileRepository.files(of: one.id, in: sql)
            )
        }
        let list = SubmissionsList(assignment: one, rows: rows, request: request, text: text)
        var body: [Component] = []
        if one.publishedAt == nil {
            body.append(
                .banner(
                    PTBanner(
                        tone: .info, icon: .eye, title: words("coursework.draftBanner"),
                        action: PTButton(
                            title: words("coursework.publish"), role: .primary,
                            action: .perform(
                                request.call(
                                    PublishAssignment.self, ["assignmentId": one.id.text],
                                    fields: ["isPublished": "true"]))))))
        } else if let opensAt = one.opensAt, opensAt > request.context.now {
            body.append(
                .banner(
                    PTBanner(tone: .info, icon: .clock, title: words("coursework.opens", text.when(opensAt)))))
        }
        if one.publishedAt != nil { body += list.head }
        body += list.body
        let attached = try await AssignmentFiles.components(
            files, work.parts, text, request.context, edit: request)
        body.append(.disclosure(PTDisclosure(title: words("coursework.task"), body: work.task(one, nil, text))))
        if !attached.isEmpty {
            body.append(.section(PTSection(title: words("coursework.attachments"), body: attached)))
        }
        return Screen(
            title: one.title, subtitle: seen.course.name, back: Self.list(of: one.courseId),
            live: [CourseworkChanges.topic(one.courseId), CourseTopic.enrollmentCounts(of: one.courseId)],
            body: body
                + [.buttons(PTButtonGroup(buttons: actions(one, rows, students, request)))],
            sheets: [
                PTBottomSheet(
                    id: "attachments", title: words("coursework.attachments"),
                    body: [.form(AssignmentFiles.form(one, request))]),
                PTBottomSheet(
                    id: "copy", title: words("coursework.copy"), body: [.form(copyForm(one, seen, others, request))]
                ),
                PTBottomSheet(
                    id: "extend", title: words("coursework.extend"),
                    body: [.form(extendForm(one, students, request, text))]),
            ],
            more: PTMenuItem(
                title: words("coursework.edit"), icon: .edit, action: .open("\(Self.path(one.id))/edit")),
            listPath: Self.list(of: one.courseId))
    }

    private func actions(
        _ one: Assignment, _ rows: [SubmissionsReader.Row], _ students: [CourseworkAccess.Student],
        _ request: ScreenRequest
    ) -> [PTButton] {
        let words = request.words
        let ids = ["assignmentId": one.id.text]
        let handedIn = rows.count { !$0.submissions.isEmpty }
        let scored = rows.count { $0.mark?.points != nil }
        let delete = request.call(
            DeleteAssignment.self, ids,
            confirmation: PTConfirmation(
                title: words("coursework.delete.title", one.title),
                message: handedIn + scored == 0
                    ? words("coursework.delete.message") : words("coursework.delete.work", handedIn, scored),
                confirm: words("coursework.delete")), to: Self.list(of: one.courseId))
        var buttons = [
            PTButton(
                title: words("coursework.edit"), icon: .edit, role: .tonal,
                action: .open("\(Self.path(one.id))/edit")),
            PTButton(
                title: words("coursework.rubric"), icon: .grid, role: .tonal,
                action: .open(RubricScreens.path(one.id))),
            PTButton(
                title: words("coursework.attachments"), icon: .clip, role: .tonal, action: .present("attachments")),
        ]
        if one.dueAt != nil, !students.isEmpty {
            buttons.append(
                PTButton(
                    title: words("coursework.extend"), icon: .clock, role: .tonal, action: .present("extend")))
        }
        buttons.append(
            PTButton(title: words("coursework.copy"), icon: .copy, role: .tonal, action: .present("copy")))
        if one.publishedAt != nil, handedIn == 0 {
            buttons.append(
                PTButton(
                    title: words("coursework.hide"), icon: .lock, role: .tonal,
                    action: .perform(request.call(PublishAssignment.self, ids))))
        }
        buttons.append(PTButton(title: words("coursework.delete"), role: .quiet, action: .perform(delete)))
        return buttons
    }

    private func copyForm(
        _ one: Assignment, _ seen: CourseworkAccess.Seen, _ others: [Course], _ request: ScreenRequest
    ) -> PTForm {
        let words = request.words
        let courses = [seen.course] + others.filter { $0.id != seen.course.id }
        return request.form(
            CopyAssignment.self, ["assignmentId": one.id.text], id: "copy-form",
            fields: [
                PTField(
                    .select(courses.map { .init(value: $0.id.text, title: $0.name) }), name: "courseId",
                    label: words("coursework.copy.course"), value: seen.course.id.text, isRequired: true)
            ], submit: SubmitButton(title: words("coursework.copy")))
    }

    private func extendForm(
        _ one: Assignment, _ students: [CourseworkAccess.Student], _ request: ScreenRequest, _ text: WorkWords
    ) -> PTForm {
        let words = request.words
        let dueAt = one.dueAt ?? text.now
        return request.form(
            ExtendAssignment.self, ["assignmentId": one.id.text], id: "extend-form",
            fields: [
                PTField(
                    .select(students.map { .init(value: $0.id.text, title: $0.name) }), name: "studentId",
                    label: words("coursework.student"), isRequired: true),
                PTField(
                    .date, name: "dueDay", label: words("coursework.form.dueDay"),
                    value: "\(Day(max(dueAt, text.now), in: text.timeZone).adding(days: 1))",
                    hint: words("coursework.extendTip"), width: .half),
                PTField(
                    name: "dueTime", label: words("coursework.form.dueTime"),
                    value: "\(ClockTime(dueAt, in: text.timeZone))", maxLength: 5, width: .half),
            ], submit: SubmitButton(title: words("coursework.extend")), to: Self.path(one.id))
    }

    // MARK: - Form

    private func create(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, courseId) = (
            request.words, try request.context.membership, try request.id("courseId")
        )
        let (course, students) = try await request.context.school.read { sql in
            let course = try access.courses.course(courseId, ledBy: membership, in: sql)
            let ids = try access.roster.students(of: courseId, in: sql)
            return (course, try access.named(ids, membership.organization.id, in: sql))
        }
        let forms = AssignmentForms(request: request, timeZone: membership.timeZone)
        var form = request.form(
            AddAssignment.self, ["courseId": courseId.text], id: "assignment",
            fields: forms.fields(nil, students, chosen: []),
            submit: SubmitButton(title: words("coursework.form.saveDraft")))
        form.foldTitle = words("coursework.form.more")
        return Screen(
            title: words("coursework.add"), subtitle: course.name, back: Self.list(of: courseId),
            body: [.form(form)])
    }

    private func edit(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, id) = (
            request.words, try request.context.membership, try request.id("assignmentId")
        )
        let (one, course, students, chosen, scored) = try await request.context.school.read { sql in
            let (one, course) = try access.led(id, membership, in: sql)
            let ids = try access.roster.students(of: course.id, in: sql)
            return (
                one, course, try access.named(ids, membership.organization.id, in: sql),
                try AssignmentRepository.assignees(of: id, in: sql),
                try MarkRepository.marks(of: id, in: sql).values.count { $0.points != nil }
            )
        }
        let forms = AssignmentForms(request: request, timeZone: membership.timeZone)
        var fields = forms.fields(one, students, chosen: chosen)
        if scored > 0, let place = fields.firstIndex(where: { $0.name == "category" }) {
            fields.insert(
                PTField(
                    .toggle, name: "changesScores", label: words("coursework.form.changesScores", scored),
                    value: "false", hint: words("coursework.form.changesScoresTip")), at: place + 1)
        }
        fields.append(.hidden("version", String(one.version)))
        var form = request.form(
            EditAssignment.self, ["assignmentId": one.id.text], id: "assignment", fields: fields,
            submit: SubmitButton(title: words("coursework.form.save")), to: Self.path(one.id))
        form.foldTitle = words("coursework.form.more")
        let theirs = try await request.savedMeanwhile(
            "coursework.changed", ["coursework.changed"], of: one.id, "\(one.title)\n\n\(one.instructions)")
        return Screen(
            title: words("coursework.edit"), subtitle: "\(one.title) · \(course.name)", back: Self.path(one.id),
            body: theirs + [.form(form)])
    }
}
