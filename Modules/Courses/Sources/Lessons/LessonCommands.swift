import CoursesInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// Lists the lessons of a course.
struct ListLessons: Query {
    static let contract = Contract(
        "courses.lessons", "/api/v1/courses/{courseId}/lessons", access: .member(.viewCourses),
        summary: "The lessons of a course in their order. Drafts only for those who lead it.")
    typealias Result = Page<Lesson>

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

/// Adds a module.
struct AddModule: Command {
    static let contract = Contract(
        "courses.addModule", "/api/v1/courses/{courseId}/modules", access: .member(.teachCourses), isCreation: true,
        summary: "Adds a module at the end of a course.")
    typealias Result = CourseModule

    let courseId: UUID
    let title: String

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        title = fields.text("title", max: 120)
    }
}

/// Renames a module.
struct RenameModule: Command {
    static let contract = Contract(
        "courses.renameModule", "/api/v1/courses/modules/{moduleId}", access: .member(.teachCourses),
        replay: .natural,
        summary: "Renames a module. Refused with 409 if a version is given and someone has changed it since.")
    typealias Result = CourseModule

    let moduleId: UUID
    let title: String
    /// The version of the module's name that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        moduleId = fields.id("moduleId")
        title = fields.text("title", max: 120)
        version = fields.contentVersion()
    }
}

/// Deletes a module.
struct DeleteModule: Command {
    static let contract = Contract(
        "courses.deleteModule", "/api/v1/courses/modules/{moduleId}/delete", access: .member(.teachCourses),
        summary: "Deletes a module with its lessons.")
    typealias Result = Done

    let moduleId: UUID

    init(_ fields: inout FieldReader) { moduleId = fields.id("moduleId") }
}

/// Moves a module.
struct MoveModule: Command {
    static let contract = Contract(
        "courses.moveModule", "/api/v1/courses/modules/{moduleId}/move", access: .member(.teachCourses),
        replay: .natural, summary: "Moves a module before another one of its course, or to the end.")
    typealias Result = Done

    let moduleId: UUID
    let before: UUID?

    init(_ fields: inout FieldReader) {
        moduleId = fields.id("moduleId")
        before = fields.optionalId("before")
    }
}

/// Adds a lesson.
struct AddLesson: Command {
    static let contract = Contract(
        "courses.addLesson", "/api/v1/courses/modules/{moduleId}/lessons", access: .member(.teachCourses),
        isCreation: true, bodyLimit: LessonFiles.bodyLimit,
        summary: "Adds a lesson at the end of a module, with optional files.")
    typealias Result = Lesson

    let moduleId: UUID
    let draft: LessonDraft
    let files: [UploadedFile]

    init(_ fields: inout FieldReader) {
        moduleId = fields.id("moduleId")
        draft = LessonDraft(&fields)
        files = fields.optionalFiles("files", max: LessonFiles.atOnce)
    }
}

/// Changes a lesson.
struct UpdateLesson: Command {
    static let contract = Contract(
        "courses.updateLesson", "/api/v1/courses/lessons/{lessonId}", access: .member(.teachCourses),
        bodyLimit: 1 << 20,
        summary: "Changes a lesson. Refused if it has changed since the given version.")
    typealias Result = Lesson

    let lessonId: UUID
    let version: Int
    let draft: LessonDraft

    init(_ fields: inout FieldReader) {
        lessonId = fields.id("lessonId")
        version = fields.integer("version", in: 0...1_000_000_000, default: 0)
        draft = LessonDraft(&fields)
    }
}

/// Deletes a lesson.
struct DeleteLesson: Command {
    static let contract = Contract(
        "courses.deleteLesson", "/api/v1/courses/lessons/{lessonId}/delete", access: .member(.teachCourses),
        summary: "Deletes a lesson.")
    typealias Result = Done

    let lessonId: UUID

    init(_ fields: inout FieldReader) { lessonId = fields.id("lessonId") }
}

/// Moves a lesson.
struct MoveLesson: Command {
    static let contract = Contract(
        "courses.moveLesson", "/api/v1/courses/lessons/{lessonId}/move", access: .member(.teachCourses),
        replay: .natural, summary: "Moves a lesson before another one of its module, or to the end.")
    typealias Result = Done

    let lessonId: UUID
    let before: UUID?

    init(_ fields: inout FieldReader) {
        lessonId = fields.id("lessonId")
        before = fields.optionalId("before")
    }
}

/// Marks a lesson as done.
struct CompleteLesson: Command {
    static let contract = Contract(
        "courses.completeLesson", "/api/v1/courses/lessons/{lessonId}/complete", access: .member(.learn),
        isOfflineCapable: true, replay: .natural,
        summary: "Marks a lesson as done by the caller, or as not done with done=false.")
    typealias Result = Done

    let lessonId: UUID
    let isDone: Bool

    init(_ fields: inout FieldReader) {
        lessonId = fields.id("lessonId")
        isDone = fields.flag("done")
    }
}

/// The fields of a lesson's form.
struct LessonDraft: Sendable, Hashable {
    /// The longest text, in characters: ten times a chapter of a book.
    static let longest = 200_000

    let title: String
    let content: String
    let videoURL: String?
    let duration: Int?
    let isPublished: Bool

    init(_ fields: inout FieldReader) {
        title = fields.text("title", max: 160)
        content = fields.optionalText("content", max: Self.longest, multiline: true) ?? ""
        let video = fields.optionalText("videoURL", max: 2000)
        videoURL = video.flatMap(LessonVideo.address)
        fields.refuse("videoURL", "lessons.video", unless: video == nil || videoURL != nil)
        let minutes = fields.integer("duration", in: 0...1440, default: 0)
        duration = minutes == 0 ? nil : minutes
        isPublished = fields.flag("published")
    }
}

extension Permission {
    /// Working through the lessons of one's own courses.
    static let learn = Permission("courses.learn", [.student])
}

/// The endpoints of modules and lessons.
struct LessonHandlers: Sendable {
    /// The most modules, and the most lessons, of a course.
    static let most = 1000

    let courses: SQLCourseService
    let video: LessonVideo
    let files: LessonFiles

    var queries: [QueryRegistration] {
        [
            .handle(ListLessons.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let course = try courses.course(query.courseId, enteredBy: membership, in: sql)
                    let leads = course.isLed(by: membership)
                    return Page(
                        items: try LessonRepository.lessons(of: [course.id], in: sql).filter {
                            leads || $0.isPublished
                        }, next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] { modules + lessons }

    private var modules: [CommandRegistration] {
        [
            .handle(AddModule.self) { command, context in
                let course = try courses.course(command.courseId, ledBy: context.membership, in: context.sql)
                let all = try LessonRepository.modules(of: course.id, in: context.sql)
                guard all.count < Self.most else { throw Problem(409, "courses.full", [.number(Self.most)]) }
                let module = CourseModule(
                    id: context.newId(), courseId: course.id, title: command.title,
                    position: (all.last?.position ?? 0) + 1)
                try LessonRepository.save(module, in: context.sql)
                record("courses.modulesChanged", module.courseId, nil, &context)
                return module
            },
            .handle(RenameModule.self) { command, context in
                var module = try module(command.moduleId, context)
                try ContentVersion([module.title]).check(command.version)
                guard module.title != command.title else { return module }
                module.title = command.title
                try LessonRepository.save(module, in: context.sql)
                record("courses.modulesChanged", module.courseId, nil, &context)
                return module
            },
            .handle(DeleteModule.self) { command, context in
                let module = try module(command.moduleId, context)
                for lesson in try LessonRepository.lessons(of: [module.courseId], in: context.sql)
                where lesson.moduleId == module.id {
                    try video.removePositions(of: lesson.id, in: context.sql)
                    record("courses.lessonDeleted", module.courseId, lesson.id, &context)
                }
                try LessonRepository.deleteModule(module.id, in: context.sql)
                record("courses.modulesChanged", module.courseId, nil, &context)
                context.destination = CourseScreens.path(module.courseId)
                return Done()
            },
            .handle(MoveModule.self) { command, context in
                let module = try module(command.moduleId, context)
                let all = try LessonRepository.modules(of: module.courseId, in: context.sql)
                for (place, var one) in try Self.moved(module, before: command.before, in: all).enumerated()
                where one.position != place + 1 {
                    one.position = place + 1
                    try LessonRepository.save(one, in: context.sql)
                }
                record("courses.modulesChanged", module.courseId, nil, &context)
                return Done()
            },
        ]
    }

    private var lessons: [CommandRegistration] {
        [
            .handle(
                AddLesson.self,
                prepare: { command, context in
                    let membership = try context.membership
                    _ = try await context.school.read { try ledModule(command.moduleId, membership, in: $0) }
                    return try await files.store(command.files, context)
                }
            ) { command, stored, context in
                let module = try module(command.moduleId, context)
                let all = try LessonRepository.lessons(of: [module.courseId], in: context.sql)
                guard all.count < Self.most else { throw Problem(409, "courses.full", [.number(Self.most)]) }
                var lesson = Lesson(
                    id: context.newId(), courseId: module.courseId, moduleId: module.id, title: "", content: "",
                    isPublished: false,
                    position: (all.last { $0.moduleId == module.id }?.position ?? 0) + 1, version: 1)
                Self.apply(command.draft, to: &lesson)
                try LessonRepository.save(lesson, in: context.sql)
                _ = try files.add(stored, to: lesson, &context)
                record("courses.lessonSaved", module.courseId, lesson.id, &context)
                context.feedback = Feedback(.burst, context.words("lessons.said.saved", lesson.title))
                context.destination = LessonScreens.path(lesson)
                return lesson
            },
            .handle(UpdateLesson.self) { command, context in
                var lesson = try lesson(command.lessonId, context)
                guard lesson.version == command.version else { throw Problem(409, "lessons.changed") }
                let film = try LessonFilm(of: lesson, in: context.sql)
                Self.apply(command.draft, to: &lesson)
                try video.removeOutdatedPositions(of: lesson, before: film, in: context.sql)
                lesson.version += 1
                try LessonRepository.save(lesson, in: context.sql)
                record("courses.lessonSaved", lesson.courseId, lesson.id, &context)
                context.feedback = Feedback(.toast, context.words("lessons.said.saved", lesson.title))
                context.destination = LessonScreens.path(lesson)
                return lesson
            },
            .handle(DeleteLesson.self) { command, context in
                let lesson = try lesson(command.lessonId, context)
                try LessonRepository.deleteLesson(lesson.id, in: context.sql)
                try video.removePositions(of: lesson.id, in: context.sql)
                record("courses.lessonDeleted", lesson.courseId, lesson.id, &context)
                context.feedback = Feedback(.toast, context.words("lessons.said.deleted", lesson.title))
                context.destination = CourseScreens.path(lesson.courseId)
                return Done()
            },
            .handle(MoveLesson.self) { command, context in
                let lesson = try lesson(command.lessonId, context)
                let all = try LessonRepository.lessons(of: [lesson.courseId], in: context.sql).filter {
                    $0.moduleId == lesson.moduleId
                }
                for (place, var one) in try Self.moved(lesson, before: command.before, in: all).enumerated()
                where one.position != place + 1 {
                    one.position = place + 1
                    try LessonRepository.save(one, in: context.sql)
                }
                record("courses.lessonSaved", lesson.courseId, lesson.id, &context)
                return Done()
            },
            .handle(CompleteLesson.self) { command, context in
                let membership = try context.membership
                guard let lesson = try LessonRepository.lesson(command.lessonId, in: context.sql),
                    lesson.isPublished,
                    try courses.roster?.courseIds(ofStudent: membership.personId, in: context.sql)
                        .contains(lesson.courseId) == true
                else { throw Problem.notFound }
                guard try CourseRepository.course(lesson.courseId, in: context.sql)?.isArchived == false else {
                    throw Problem(409, "courses.isArchived")
                }
                let completion = LessonCompletion(
                    lessonId: lesson.id, studentId: membership.personId, completedAt: context.now)
                let hasChanged =
                    command.isDone
                    ? try LessonRepository.complete(completion, in: context.sql)
                    : try LessonRepository.reopen(lesson.id, of: membership.personId, in: context.sql)
                guard hasChanged else { return Done() }
                let parents = try courses.families.parents(ofStudent: membership.personId, in: context.sql)
                let family = ([membership.personId] + parents).map(Audience.person)
                context.record(
                    Change(
                        command.isDone ? "courses.lessonDone" : "courses.lessonReopened",
                        topics: [
                            CourseTopic.course(lesson.courseId), CourseTopic.lessons(of: membership.personId),
                        ],
                        audience: family + Audience.roles([.superAdmin, .admin]) + [.teachers(of: lesson.courseId)],
                        payload: [
                            "course": lesson.courseId.text, "lesson": lesson.id.text,
                            "student": membership.personId.text,
                        ]))
                if command.isDone { context.feedback = Feedback(.burst, context.words("lessons.said.done")) }
                return Done()
            },
        ]
    }

    // MARK: - Helpers

    /// Returns a module of a course that the caller leads.
    private func module(_ id: UUID, _ context: CommandContext) throws -> CourseModule {
        try ledModule(id, context.membership, in: context.sql)
    }

    private func ledModule(_ id: UUID, _ membership: ActiveMembership, in sql: any SQLReading) throws
        -> CourseModule
    {
        guard let module = try LessonRepository.module(id, in: sql) else { throw Problem.notFound }
        _ = try courses.course(module.courseId, ledBy: membership, in: sql)
        return module
    }

    /// Returns a lesson of a course that the caller leads.
    private func lesson(_ id: UUID, _ context: CommandContext) throws -> Lesson {
        guard let lesson = try LessonRepository.lesson(id, in: context.sql) else { throw Problem.notFound }
        _ = try courses.course(lesson.courseId, ledBy: context.membership, in: context.sql)
        return lesson
    }

    /// Returns the list with one item moved before another or to the end. Throws `Problem.notFound` for an unknown
    /// target.
    private static func moved<Thing: Identifiable>(
        _ thing: Thing, before: UUID?, in all: [Thing]
    ) throws -> [Thing] where Thing.ID == UUID {
        var rest = all.filter { $0.id != thing.id }
        let place = before.map { before in rest.firstIndex { $0.id == before } } ?? rest.endIndex
        guard before != thing.id, let place else { throw Problem.notFound }
        rest.insert(thing, at: place)
        return rest
    }

    private static func apply(_ draft: LessonDraft, to lesson: inout Lesson) {
        lesson.title = draft.title
        lesson.content = draft.content
        lesson.videoURL = draft.videoURL
        lesson.duration = draft.duration
        lesson.isPublished = draft.isPublished
    }

    private func record(_ kind: String, _ courseId: UUID, _ lessonId: UUID?, _ context: inout CommandContext) {
        context.record(
            Change(
                kind, topics: [CourseTopic.course(courseId)],
                audience: [.course(courseId)] + Audience.roles([.superAdmin, .admin]),
                payload: ["course": courseId.text].merging(lessonId.map { ["lesson": $0.text] } ?? [:]) { $1 }))
    }
}
