import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The components of a course's page for its modules and lessons.
struct LessonList {
    let course: Course
    let modules: [CourseModule]
    let lessons: [Lesson]
    let done: Set<UUID>
    let leads: Bool
    let learns: Bool
    let request: ScreenRequest

    var body: [Component] {
        let words = request.words
        var body: [Component] = []
        if learns { body += progress }
        for module in modules {
            let own = lessons.filter { $0.moduleId == module.id }
            // Modules without published lessons are shown only to those who lead the course.
            guard leads || !own.isEmpty else { continue }
            var parts: [Component] = []
            if !own.isEmpty {
                parts.append(
                    .list(PTList(cells: own.indices.map { cell(own[$0], at: $0, of: own) }, label: module.title)))
            }
            if leads {
                parts.append(
                    .links(
                        PTLinks(links: [
                            .init(
                                title: words("lessons.add"),
                                action: .open("\(CourseScreens.path(course.id))/modules/\(module.id.text)/new")),
                            .init(
                                title: words("modules.edit"),
                                action: .present("\(CourseScreens.path(course.id))/modules/\(module.id.text)")),
                        ])))
            }
            body.append(.section(PTSection(title: module.title, body: parts)))
        }
        if leads {
            body.append(
                .button(
                    PTButton(
                        title: words("modules.add"), icon: .plus, role: .tonal, action: .present("new-module"))))
        } else if lessons.isEmpty {
            body.append(.text(PTText(words("lessons.none"), role: .note)))
        }
        return body
    }

    /// The student's progress, and a button to the next lesson.
    private var progress: [Component] {
        let words = request.words
        let progress = LessonProgress(
            of: lessons.map { .init(id: $0.id, title: $0.title, minutes: $0.duration) }, done: done)
        guard progress.total > 0 else { return [] }
        let text = words("lessons.progress", progress.completed, progress.total)
        var parts: [Component] = [
            .ring(
                PTProgressRing(
                    // Lessons only: the course's percentage includes assignments and is shown elsewhere.
                    value: Double(progress.completed) / Double(progress.total),
                    text: "\(progress.completed)/\(progress.total)",
                    tint: course.tint, spoken: text)),
            .text(
                PTText(
                    [text, progress.minutesLeft.map { words("lessons.left", $0) }].compactMap(\.self)
                        .joined(separator: " · "))),
        ]
        if let next = lessons.first(where: { $0.id == progress.next?.id }) {
            parts.append(
                .button(
                    PTButton(
                        title: words(progress.completed == 0 ? "lessons.begin" : "lessons.continue"), icon: .play,
                        isWide: true, action: .open(LessonScreens.path(next)),
                        spoken: words(
                            progress.completed == 0 ? "lessons.beginWith" : "lessons.continueWith", next.title))))
        }
        return [.card(PTCard(label: words("lessons.howFar"), body: parts))]
    }

    private func cell(_ lesson: Lesson, at place: Int, of list: [Lesson]) -> PTListCell {
        let words = request.words
        var trailing: [PTListCell.Trailing] = []
        if !lesson.isPublished { trailing.append(.badge(PTTag(text: words("lessons.draft"), tone: .attention))) }
        if done.contains(lesson.id) {
            trailing.append(.badge(PTTag(text: words("lessons.isDone"), tone: .good, icon: .check)))
        }
        trailing.append(leads ? .menu : .chevron)
        return PTListCell(
            id: lesson.id.text, leading: .icon(.book, tint: course.tint), title: lesson.title,
            subtitle: lesson.duration.map { words("lessons.minutes", $0) }, trailing: trailing,
            action: .open(LessonScreens.path(lesson)), menu: leads ? menu(lesson, at: place, of: list) : [])
    }

    private func menu(_ lesson: Lesson, at place: Int, of list: [Lesson]) -> [PTMenuItem] {
        let words = request.words
        let ids = ["lessonId": lesson.id.text]
        func move(_ key: String, _ icon: PTIcon, before: UUID?) -> PTMenuItem {
            PTMenuItem(
                title: words(key), icon: icon,
                action: .perform(
                    request.call(MoveLesson.self, ids, fields: before.map { ["before": $0.text] } ?? [:])))
        }
        var items = [
            PTMenuItem(
                title: words("lessons.edit"), icon: .edit, action: .open("\(LessonScreens.path(lesson))/edit"))
        ]
        if place > 0 { items.append(move("lessons.moveUp", .arrowUp, before: list[place - 1].id)) }
        if place < list.count - 1 {
            items.append(
                move("lessons.moveDown", .arrowDown, before: place + 2 < list.count ? list[place + 2].id : nil))
        }
        return items
    }
}

/// `LessonView` and `CreateLessonView`: the pages of lessons, and the sheet of a module.
struct LessonScreens: Sendable {
    static func path(_ lesson: Lesson) -> String {
        LessonPath.path(of: lesson.id, in: lesson.courseId)
    }

    let courses: SQLCourseService
    let markdown: any MarkdownReader
    let video: LessonVideo
    let files: LessonFiles

    var routes: [ScreenRoute] {
        let root = "\(CourseScreens.home)/{courseId}"
        return [
            ScreenRoute("\(root)/lessons/{lessonId}", access: .member(.viewCourses), tab: CourseScreens.home) {
                .screen(try await read($0))
            },
            ScreenRoute("\(root)/lessons/{lessonId}/edit", access: .member(.teachCourses), tab: CourseScreens.home)
            {
                .screen(try await edit($0))
            },
            ScreenRoute("\(root)/modules/{moduleId}/new", access: .member(.teachCourses), tab: CourseScreens.home) {
                .screen(try await create($0))
            },
            ScreenRoute("\(root)/modules/{moduleId}", access: .member(.teachCourses), tab: CourseScreens.home) {
                .screen(try await module($0))
            },
        ]
    }

    private func read(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let (courseId, lessonId) = (try request.id("courseId"), try request.id("lessonId"))
        let learns = membership.roles.contains(.student)
        let (course, all, done, position, attached) = try await request.context.school.read { sql in
            let course = try courses.course(courseId, enteredBy: membership, in: sql)
            let leads = course.isLed(by: membership)
            let lessons = try LessonRepository.lessons(of: [courseId], in: sql).filter { leads || $0.isPublished }
            let done = learns ? Set(try LessonRepository.completed(by: membership.personId, in: sql).keys) : []
            let position = try lessons.first { $0.id == lessonId }.map {
                try video.position($0, of: membership.personId, in: sql)
            }
            return (course, lessons, done, position, try LessonFileRepository.files(of: lessonId, in: sql))
        }
        guard let place = all.firstIndex(where: { $0.id == lessonId }) else { throw Problem.notFound }
        let lesson = all[place]
        let leads = course.isLed(by: membership)
        var body: [Component] = []
        if !lesson.isPublished {
            body.append(.banner(PTBanner(tone: .info, icon: .eye, title: words("lessons.preview"))))
        }
        let player = video.player(lesson, attached, position: position ?? 0, words)
        if let player { body.append(player) }
        var missing: [String] = []
        let text = markdown.read(lesson.content) { address in
            let picture = LessonFiles.picture(address, among: attached, of: lesson)
            let name = address.removingPercentEncoding ?? address
            if picture == nil, LessonFiles.isPictureName(name.lowercased()), !missing.contains(name) {
                missing.append(name)
            }
            return picture
        }
        // Readers see a gap. Those who lead the course see which pictures are missing.
        if leads, !missing.isEmpty {
            body.append(
                .banner(
                    PTBanner(
                        tone: .warning, icon: .alert, title: words("lessons.missing", missing.count),
                        message: words("lessons.missingTip", missing.joined(separator: ", ")))))
        }
        if !text.blocks.isEmpty {
            body.append(.richText(text))
        } else if player == nil {
            body.append(.text(PTText(words("lessons.empty"), role: .note)))
        }
        if let section = files.section(attached, of: lesson, leads: leads, request) { body.append(section) }
        let next = place + 1 < all.count ? all[place + 1] : nil
        if learns, !leads {
            let isDone = done.contains(lesson.id)
            body.append(
                .button(
                    PTButton(
                        title: words(isDone ? "lessons.reopen" : "lessons.markDone"), icon: isDone ? nil : .check,
                        role: isDone ? .quiet : .primary, size: .large, isWide: true,
                        action: .perform(
                            request.call(
                                CompleteLesson.self, ["lessonId": lesson.id.text],
                                fields: ["done": isDone ? "false" : "true"], haptics: .success())))))
        }
        if let next {
            body.append(
                .links(
                    PTLinks(links: [
                        .init(title: words("lessons.next", next.title), action: .open(Self.path(next)))
                    ])))
        }
        return Screen(
            title: lesson.title,
            subtitle: [course.name, lesson.duration.map { words("lessons.minutes", $0) }].compactMap(\.self)
                .joined(separator: " · "),
            back: CourseScreens.path(courseId), live: [CourseTopic.course(courseId)], body: body,
            more: leads
                ? PTMenuItem(title: words("lessons.edit"), icon: .edit, action: .open("\(Self.path(lesson))/edit"))
                : nil)
    }

    private func fields(_ lesson: Lesson?, _ words: Words) -> [PTField] {
        [
            PTField(
                name: "title", label: words("lessons.name"), value: lesson?.title ?? "", isRequired: true,
                maxLength: 160),
            PTField(
                .multiline, name: "content", label: words("lessons.content"), value: lesson?.content ?? "",
                hint: words("lessons.contentTip"), maxLength: LessonDraft.longest),
            PTField(
                name: "videoURL", label: words("lessons.video"), value: lesson?.videoURL ?? "",
                hint: words("lessons.videoTip"), maxLength: 2000),
            PTField(
                .number, name: "duration", label: words("lessons.duration"),
                value: lesson?.duration.map(String.init) ?? "", hint: words("lessons.durationTip")),
            PTField(
                .toggle, name: "published", label: words("lessons.published"),
                value: lesson?.isPublished == true ? "true" : "false", hint: words("lessons.publishedTip")),
        ]
    }

    private func create(_ request: ScreenRequest) async throws -> Screen {
        let (words, module) = (request.words, try await ledModule(request))
        return Screen(
            title: words("lessons.add"), subtitle: module.title, back: CourseScreens.path(module.courseId),
            body: [
                .form(
                    request.form(
                        AddLesson.self, ["moduleId": module.id.text], id: "lesson",
                        fields: fields(nil, words) + [files.field(words)],
                        submit: SubmitButton(title: words("courses.save"))))
            ])
    }

    private func edit(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let (courseId, lessonId) = (try request.id("courseId"), try request.id("lessonId"))
        let (lesson, attached) = try await request.context.school.read { sql in
            _ = try courses.course(courseId, ledBy: membership, in: sql)
            guard let lesson = try LessonRepository.lesson(lessonId, in: sql), lesson.courseId == courseId else {
                throw Problem.notFound
            }
            return (lesson, try LessonFileRepository.files(of: lessonId, in: sql))
        }
        let ids = ["lessonId": lesson.id.text]
        let remove = PTButton(
            title: words("lessons.delete"), role: .quiet,
            action: .perform(
                request.call(
                    DeleteLesson.self, ids,
                    confirmation: PTConfirmation(
                        title: words("lessons.delete.title", lesson.title),
                        message: words("lessons.delete.message"),
                        confirm: words("lessons.delete")))))
        let theirs = try await request.savedMeanwhile(
            "lessons.changed", ["courses.lessonSaved"], of: lesson.id, "\(lesson.title)\n\n\(lesson.content)")
        return Screen(
            title: words("lessons.edit"), subtitle: lesson.title, back: Self.path(lesson),
            body: theirs + [
                .form(
                    request.form(
                        UpdateLesson.self, ids, id: "lesson",
                        fields: fields(lesson, words) + [.hidden("version", String(lesson.version))],
                        submit: SubmitButton(title: words("courses.save"))))
            ] + [files.section(attached, of: lesson, leads: true, request)].compactMap(\.self)
                + [files.form(lesson, request), .button(remove)])
    }

    private func module(_ request: ScreenRequest) async throws -> Screen {
        let (words, module) = (request.words, try await ledModule(request))
        let all = try await request.context.school.read {
            try LessonRepository.modules(of: module.courseId, in: $0)
        }
        let (ids, back) = (["moduleId": module.id.text], CourseScreens.path(module.courseId))
        let place = all.firstIndex { $0.id == module.id } ?? 0
        func move(_ key: String, _ icon: PTIcon, before: UUID?) -> PTButton {
            PTButton(
                title: words(key), icon: icon, role: .neutral,
                action: .perform(
                    request.call(
                        MoveModule.self, ids, fields: before.map { ["before": $0.text] } ?? [:], to: back)))
        }
        var buttons: [PTButton] = []
        if place > 0 { buttons.append(move("lessons.moveUp", .arrowUp, before: all[place - 1].id)) }
        if place < all.count - 1 {
            buttons.append(
                move("lessons.moveDown", .arrowDown, before: place + 2 < all.count ? all[place + 2].id : nil))
        }
        let remove = PTButton(
            title: words("modules.delete"), role: .quiet,
            action: .perform(
                request.call(
                    DeleteModule.self, ids,
                    confirmation: PTConfirmation(
                        title: words("modules.delete.title", module.title),
                        message: words("modules.delete.message"),
                        confirm: words("modules.delete")), to: back)))
        return Screen(
            title: module.title, back: back,
            body: try await request.form(
                RenameModule.self, ids, id: "module", of: ContentVersion([module.title]),
                savedBy: ["courses.modulesChanged"], module.courseId,
                fields: [
                    PTField(
                        name: "title", label: words("modules.name"), value: module.title, isRequired: true,
                        maxLength: 120)
                ], submit: SubmitButton(title: words("courses.save")), to: back)
                + (buttons.isEmpty ? [] : [.buttons(PTButtonGroup(buttons: buttons))]) + [.button(remove)])
    }

    /// Returns the module of the address, in a course that the caller leads.
    private func ledModule(_ request: ScreenRequest) async throws -> CourseModule {
        let membership = try request.context.membership
        let (courseId, moduleId) = (try request.id("courseId"), try request.id("moduleId"))
        return try await request.context.school.read { sql in
            _ = try courses.course(courseId, ledBy: membership, in: sql)
            guard let module = try LessonRepository.module(moduleId, in: sql), module.courseId == courseId else {
                throw Problem.notFound
            }
            return module
        }
    }
}
