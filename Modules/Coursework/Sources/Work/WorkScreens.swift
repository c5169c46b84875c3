import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import ScreenKit

/// `AssignmentsView` and `SubmitAssignmentView`: the list of a student's assignments, and one assignment with the work.
struct WorkScreens: Sendable {
    /// The number of assignments that a long group shows at first. What is due today and this week is shown whole.
    private static let counts: [AssignedWork.Group: Int] = [.missed: 10, .later: 20, .done: 6]

    let access: CourseworkAccess
    let reader: StudentWorkReader
    let parts: SubmissionParts
    let markdown: any MarkdownReader

    var routes: [ScreenRoute] {
        [
            ScreenRoute(AssignmentScreens.home, access: .member(.viewCourses), tab: "/courses") {
                .screen(try await list($0))
            }
        ]
    }

    // MARK: - List

    private func list(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let learners = try await request.context.school.read { try access.learners(of: membership, in: $0) }
        let mayTeach = request.context.caller.may(.teachCourses)
        if mayTeach, learners.isEmpty || (request.query["student"] == nil && !membership.roles.contains(.student)) {
            return try await teacherList(request)
        }
        let (chosen, segments) = try request.chosenStudent(of: learners, label: words("coursework.whose"))
        guard let studentId = chosen else { return empty(words, "coursework.noneTip", []) }
        let (all, courses) = try await request.context.school.read { sql in
            let all = try reader.work(of: studentId, at: now, in: sql)
            return (all, try access.courses.courses(Set(all.map(\.assignment.courseId)), in: sql))
        }
        guard !all.isEmpty else { return empty(words, "coursework.noneTip", segments, studentId) }
        let text = WorkWords(words: words, timeZone: membership.timeZone, now: now)
        let query = studentId == membership.personId ? "" : "student=\(studentId.text)"
        let wanted = request.query["course"].flatMap(UUID.init(text:))
        let shown = all.filter { wanted == nil || $0.assignment.courseId == wanted }
        let byGroup = Dictionary(grouping: shown) { $0.group(on: request.context.today, in: membership.timeZone) }
        let shownWhole = request.query["show"].flatMap(AssignedWork.Group.init)
        func section(_ group: AssignedWork.Group) -> [Component] {
            var list = byGroup[group] ?? []
            guard !list.isEmpty else { return [] }
            let title = words("coursework.group.\(group.rawValue)")
            var more: PTButton?
            // What is over is shown from the latest back.
            if group == .done || group == .missed { list.reverse() }
            if let count = Self.counts[group], shownWhole != group, list.count > count {
                let address = Self.address([
                    query, wanted.map { "course=\($0.text)" } ?? "", "show=\(group.rawValue)",
                ])
                more = PTButton(title: words("coursework.showAllOf", title), role: .quiet, action: .open(address))
                list = Array(list.prefix(count))
            }
            return [
                .section(
                    PTSection(
                        title: title, detail: (byGroup[group] ?? []).count.shown(in: words.locale),
                        body: [
                            .list(
                                PTList(
                                    cells: list.map { cell($0, courses[$0.assignment.courseId], query, text) },
                                    label: title, more: more))
                        ]))
            ]
        }
        let sections = AssignedWork.Group.allCases.flatMap(section)
        var body: [Component] = segments
        body.append(summary(shown, request.context.today, text))
        body += filters(all, courses, wanted, query, words)
        body.append(.columns(PTColumns(sections, limit: 2)))
        if request.context.caller.may(.handIn) {
            body.append(
                .links(
                    PTLinks(links: [.init(title: words("coursework.ownFiles"), action: .open(FileScreens.path))])))
        }
        return Screen(
            title: words("coursework.title"), back: "/courses",
            live: [CourseworkChanges.topic(ofStudent: studentId)]
                + courses.keys.map { CourseworkChanges.topic($0) }.sorted(), body: body)
    }

    private func empty(_ words: Words, _ tip: String, _ segments: [Component], _ studentId: UUID? = nil) -> Screen {
        Screen(
            title: words("coursework.title"), back: "/courses",
            live: studentId.map { [CourseworkChanges.topic(ofStudent: $0)] } ?? [],
            body: segments + [
                .empty(PTEmptyState(icon: .sparkle, title: words("coursework.none"), message: words(tip)))
            ])
    }

    private static func address(_ parts: [String]) -> String {
        let query = parts.filter { !$0.isEmpty }.joined(separator: "&")
        return query.isEmpty ? AssignmentScreens.home : "\(AssignmentScreens.home)?\(query)"
    }

    /// What is due today, and how much is handed in.
    private func summary(_ all: [AssignedWork], _ today: Day, _ text: WorkWords) -> Component {
        let words = text.words
        let dueToday = all.count { $0.group(on: today, in: text.timeZone) == .today }
        let (done, missed) = (all.count(where: \.isDone), all.count { $0.status == .missed })
        let spoken = words("coursework.summary", done, all.count, missed)
        return .greeting(
            PTGreeting(
                eyebrow: words.longDate(today), title: words("coursework.dueToday", dueToday), detail: spoken,
                split: PTSplitBar(
                    parts: [.init(count: done, tint: .leaf), .init(count: missed, tint: .clay)]
                        .filter { $0.count > 0 }, total: all.count, spoken: spoken)))
    }

    /// The chips that choose a course, if there are several.
    private func filters(
        _ all: [AssignedWork], _ courses: [UUID: Course], _ wanted: UUID?, _ query: String, _ words: Words
    ) -> [Component] {
        let counts = Dictionary(grouping: all.filter { !$0.isDone }, by: \.assignment.courseId).mapValues(\.count)
        guard courses.count > 1 else { return [] }
        let every = PTChips.Chip(
            title: words("coursework.allCourses", counts.values.reduce(0, +)), isSelected: wanted == nil,
            action: .open(Self.address([query])))
        let chips = courses.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map { course in
            PTChips.Chip(
                title: words("coursework.courseCount", course.name, counts[course.id] ?? 0),
                isSelected: wanted == course.id,
                action: .open(Self.address([query, "course=\(course.id.text)"])))
        }
        return [.chips(PTChips(label: words("coursework.course"), chips: [every] + chips))]
    }

    /// A row of a student's list.
    func cell(_ work: AssignedWork, _ course: Course?, _ query: String, _ text: WorkWords) -> PTListCell {
        let words = text.words
        return PTListCell(
            id: work.id.text,
            leading: course.map { .avatar(PTAvatar(initials: Initials.of($0.name), tint: $0.tint, id: $0.id)) },
            title: work.assignment.title,
            subtitle: [course?.name, work.times.dueAt.map(text.when) ?? words("coursework.noDue")]
                .compactMap(\.self).joined(separator: " · "),
            trailing: [.badge(text.tag(work)), .chevron],
            action: .open(AssignmentScreens.path(work.id) + (query.isEmpty ? "" : "?\(query)")))
    }

    /// The list for teachers: what is to mark, and what is due next, in all courses.
    private func teacherList(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let text = WorkWords(words: words, timeZone: membership.timeZone, now: request.context.now)
        let (courses, all, unmarked) = try await request.context.school.read { sql in
            let courses = try access.courses.courses(taughtBy: membership.personId, in: sql)
            let all = try AssignmentRepository.assignments(of: courses.map(\.id), in: sql)
            return (courses, all, try MarkRepository.unmarkedCounts(of: all.map(\.id), in: sql))
        }
        let named = Dictionary(courses.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let screens = AssignmentScreens(access: access, work: self)
        let next = all.filter {
            unmarked[$0.id] == nil && ($0.dueAt.map { $0 >= text.now } ?? ($0.publishedAt == nil))
        }
        let sections = [
            ("coursework.toMark", all.filter { unmarked[$0.id] != nil }), ("coursework.current", next),
        ].filter { !$0.1.isEmpty }
        var body: [Component] = sections.map { title, list in
            .section(
                PTSection(
                    title: words(title), detail: list.count.shown(in: words.locale),
                    body: [
                        .list(
                            PTList(
                                cells: list.map {
                                    screens.cell($0, unmarked[$0.id] ?? 0, course: named[$0.courseId], text)
                                }, columns: .two, label: words(title)))
                    ]))
        }
        if body.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .task, title: words("coursework.nothingToMark"),
                        message: words("coursework.nothingToMarkTip"))))
        }
        if !courses.isEmpty {
            body.append(
                .links(
                    PTLinks(
                        links: courses.map {
                            .init(title: $0.name, action: .open(AssignmentScreens.list(of: $0.id)))
                        })))
        }
        return Screen(
            title: words("coursework.title"), back: "/courses",
            live: [CourseTopic.list] + courses.map { CourseworkChanges.topic($0.id) }, body: body)
    }

    // MARK: - One assignment

    /// The times, points and instructions of an assignment.
    func task(_ one: Assignment, _ times: WorkTimes?, _ text: WorkWords) -> [Component] {
        let words = text.words
        let times = times ?? WorkTimes(of: one)
        let facts: [(String, String?)] = [
            ("coursework.fact.due", times.dueAt.map(text.when) ?? words("coursework.noDue")),
            ("coursework.fact.points", one.maximum?.shown(words) ?? words("coursework.notGraded")),
            ("coursework.fact.late", one.takesSubmissions ? text.lateRule(times, one) : nil),
            (
                "coursework.fact.kinds",
                one.takesSubmissions ? text.kinds(one) : words("coursework.onPaper")
            ),
            (
                "coursework.fact.attempts",
                one.takesSubmissions ? one.attempts.map { "\($0)" } ?? words("coursework.unlimited") : nil
            ),
        ]
        let instructions = markdown.read(one.instructions)
        return [
            .definitionList(
                PTDefinitionList(
                    items: facts.compactMap { key, value in
                        value.map { .init(term: words(key), value: $0) }
                    }))
        ] + (instructions.blocks.isEmpty ? [] : [.richText(instructions)])
    }

    func assignment(_ seen: CourseworkAccess.Seen, _ request: ScreenRequest) async throws -> Screen {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let one = seen.assignment
        let text = WorkWords(words: words, timeZone: membership.timeZone, now: now)
        let names = try await request.context.school.read { try access.learners(of: membership, in: $0) }
        let (chosen, segments) = try request.chosenStudent(
            of: names.filter { seen.learners.contains($0.id) }, label: words("coursework.whose"))
        guard let studentId = chosen else { throw Problem.notFound }
        let found = try await request.context.school.read { sql in
            (
                work: try reader.work(of: studentId, in: [one.courseId], at: now, sql).first { $0.id == one.id },
                submissions: try SubmissionRepository.submissions(of: one.id, by: studentId, in: sql),
                files: try SubmissionRepository.files(of: one.id, by: studentId, in: sql),
                draft: try SubmissionRepository.draft(of: one.id, by: studentId, in: sql),
                mark: try MarkRepository.mark(of: one.id, for: studentId, in: sql),
                rubric: try RubricRepository.rubric(of: one.id, in: sql),
                levels: try RubricRepository.levels(of: one.id, for: studentId, in: sql),
                use: try StorageRepository.use(by: studentId, in: sql),
                schoolUse: try StorageRepository.use(in: sql),
                instructions: try AssignmentFileRepository.files(of: one.id, in: sql),
                notes: try access.notes(
                    of: one, on: studentId, membership.organization.id, canEdit: false, in: sql),
                spoken: try SpokenCommentRepository.comment(of: one.id, for: studentId, in: sql)
            )
        }
        let (submissions, mark) = (found.submissions, found.mark)
        guard let work = found.work else { throw Problem.notFound }
        let isOwn = studentId == membership.personId && request.context.caller.may(.handIn)
        var body: [Component] = [
            .section(
                PTSection(
                    title: words("coursework.task"),
                    body: task(one, work.times, text)
                        + (try await AssignmentFiles.components(found.instructions, parts, text, request.context))
                        + (mark?.returnedAt == nil
                            ? RubricScreens.criteria(found.rubric, isGraded: one.maximum != nil, words) : [])))
        ]
        // A score is shown only once the work is returned.
        if let mark, mark.returnedAt != nil {
            let levels = RubricScreens.levels(found.rubric, found.levels, isGraded: one.maximum != nil, words)
            body.append(returned(work, mark, levels, found.spoken, text))
        }
        for submission in submissions.reversed() {
            body.append(
                try await receipt(
                    submission, submissions.count, found.files,
                    // Notes are shown only once the work is returned.
                    mark?.showsNotes(on: submission) == true ? found.notes : .none, one, work.times, text, request))
        }
        if isOwn, one.takesSubmissions {
            let banner = one.takesFiles ? text.storageBanner(person: found.use, school: found.schoolUse) : nil
            body += try handIn(work, submissions, found.draft, banner, text, request)
        } else if submissions.isEmpty, one.takesSubmissions {
            body.append(
                .section(
                    PTSection(
                        title: words("coursework.submission"),
                        body: [.text(PTText(words("coursework.nothingYet"), role: .note))])))
        }
        let list = AssignmentScreens.home + (isOwn ? "" : "?student=\(studentId.text)")
        return Screen(
            title: one.title, subtitle: seen.course.name, back: list,
            live: [CourseworkChanges.topic(one.courseId), CourseworkChanges.topic(ofStudent: studentId)],
            body: segments + [.columns(PTColumns(body, limit: 2))], listPath: list)
    }

    /// The score, the levels of the rubric and the comment of returned work.
    private func returned(
        _ work: AssignedWork, _ mark: WorkMark, _ levels: [Component], _ spoken: SpokenComment?, _ text: WorkWords
    ) -> Component {
        let words = text.words
        var body: [Component] = []
        if let score = text.score(work) {
            body.append(
                .greeting(
                    PTGreeting(
                        eyebrow: mark.returnedAt.map { words("coursework.returnedAt", text.when($0)) },
                        title: score,
                        detail: mark.points.flatMap { points in
                            "\(points)" == work.score ? nil : words("coursework.deductedFrom", points.shown(words))
                        })))
        }
        body += levels
        if let comment = mark.comment { body.append(.card(PTCard(body: [.text(PTText(comment))]))) }
        if let spoken { body.append(spoken.component(words)) }
        if body.isEmpty { body.append(.text(PTText(words("coursework.noComment"), role: .note))) }
        return .section(PTSection(title: words("coursework.status.returned"), body: body))
    }

    /// What was handed in, and when: the receipt.
    private func receipt(
        _ submission: Submission, _ count: Int, _ files: [WorkFile], _ notes: ShownNotes, _ one: Assignment,
        _ times: WorkTimes, _ text: WorkWords, _ request: ScreenRequest
    ) async throws -> Component {
        let words = text.words
        let lateness = text.lateness(of: submission.handedInAt, times)
        let items: [(String, String?)] = [
            (
                "coursework.handedIn",
                [text.when(submission.handedInAt), lateness].compactMap(\.self).joined(separator: ", ")
            ),
            ("coursework.files", text.files(submission.files)),
            ("coursework.receipt", String(submission.id.text.suffix(8)).uppercased()),
        ]
        return .section(
            PTSection(
                title: count > 1 ? words("coursework.attempt", submission.attempt) : words("coursework.submission"),
                body: [
                    .definitionList(
                        PTDefinitionList(
                            items: items.compactMap { key, value in
                                value.map { .init(term: words(key), value: $0) }
                            }))
                ] + (try await parts.components(of: submission, files, of: one, notes, text, request))))
    }

    /// The form with which a student saves and hands in work, or why work cannot be handed in.
    private func handIn(
        _ work: AssignedWork, _ submissions: [Submission], _ draft: SubmissionDraft, _ storage: Component?,
        _ text: WorkWords, _ request: ScreenRequest
    ) throws -> [Component] {
        let (words, one) = (text.words, work.assignment)
        guard work.isOpen else {
            guard !work.times.accepts(at: text.now), submissions.isEmpty else { return [] }
            return [
                .section(
                    PTSection(
                        title: words("coursework.myWork"),
                        body: [.text(PTText(words("coursework.closed"), role: .note))]))
            ]
        }
        let ids = ["assignmentId": one.id.text]
        var fields: [PTField] = []
        if one.kinds.contains(.text) {
            fields.append(
                PTField(
                    .multiline, name: "text", label: words("coursework.kind.text"), value: draft.text ?? "",
                    maxLength: WorkInput.longest))
        }
        if one.kinds.contains(.link) {
            fields.append(
                PTField(
                    name: "link", label: words("coursework.kind.link"), value: draft.link ?? "", maxLength: 2000))
        }
        if one.takesFiles {
            fields.append(
                PTField(
                    .file(accept: AcceptedFiles(of: one).mediaTypes), name: "files",
                    label: words("coursework.addFiles"), hint: text.filesTip(one),
                    isMultiple: true))
        }
        let isLate = !work.times.isOnTime(text.now)
        var form = request.form(
            HandInWork.self, ids, id: "work", fields: fields,
            submit: SubmitButton(
                title: words(submissions.isEmpty ? "coursework.handIn" : "coursework.handInAgain"), icon: .send),
            alternate: SubmitButton(
                title: words("coursework.saveDraft"),
                action: request.call(SaveWork.self, ids, to: AssignmentScreens.path(one.id)), role: .tonal),
            to: AssignmentScreens.path(one.id),
            confirmation: nil)
        if one.takesFiles { form.uploads = StartUpload.contract.path(filling: ids) }
        let tiles: [Component] = draft.files.map { file in
            .file(
                PTFileTile(
                    name: file.name, detail: text.size(file.size),
                    action: .external(SubmissionFiles.path(file, of: one.id)),
                    menu: [
                        PTMenuItem(
                            title: words("coursework.fileDelete"), icon: .trash, role: .destructive,
                            action: .perform(
                                request.call(
                                    DeleteWorkFile.self, ids.merging(["fileId": file.id.text]) { own, _ in own },
                                    confirmation: PTConfirmation(
                                        title: words("coursework.fileDelete.title", file.name),
                                        confirm: words("coursework.fileDelete")))))
                    ]))
        }
        let late: [Component] =
            isLate
            ? [
                .banner(
                    PTBanner(
                        tone: .warning, icon: .clock, title: words("coursework.lateBanner"),
                        message: text.lateRule(work.times, one)))
            ] : []
        let tools: [Component] =
            try CaptureTool.allCases.filter { one.kinds.contains($0.kind) }.map { tool in
                .disclosure(
                    PTDisclosure(
                        title: words(tool.titleKey), body: [.island(try tool.island(words, target: "files"))]))
            }
        let body = late + [storage].compactMap(\.self) + tiles + [.form(form)] + tools
        let title = words(submissions.isEmpty ? "coursework.myWork" : "coursework.anotherAttempt")
        // After a submission another attempt is folded away until it is begun.
        guard submissions.isEmpty || !draft.isEmpty || request.refused != nil else {
            return [
                .section(
                    PTSection(
                        title: title,
                        body: [.disclosure(PTDisclosure(title: words("coursework.handInAgain"), body: body))]))
            ]
        }
        return [
            .section(
                PTSection(
                    title: title, detail: draft.isEmpty ? nil : words("coursework.status.draft"), body: body))
        ]
    }
}
