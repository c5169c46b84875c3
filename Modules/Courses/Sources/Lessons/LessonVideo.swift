import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation

struct KeepVideoPosition: Command {
    static let contract = Contract(
        "courses.keepVideoPosition", "/api/v1/courses/lessons/{lessonId}/video-position",
        access: .member(.viewCourses), replay: .natural,
        summary: "Keeps for the caller where in a lesson's video to go on; 0 is its beginning.")
    typealias Result = Done

    let lessonId: UUID
    let seconds: Int

    init(_ fields: inout FieldReader) {
        lessonId = fields.id("lessonId")
        seconds = fields.integer("seconds", in: 0...LessonVideo.longest, default: 0)
    }
}

/// The video of a lesson, and how far each person is in it.
struct LessonVideo: Sendable {
    /// A day, in seconds.
    static let longest = 86_400

    let courses: SQLCourseService
    /// `nil` where no block remembers anything for people: each video begins at its beginning.
    let preferences: (any PersonalPreferences)?

    /// Under which name the position is kept (WW-4.05).
    static func name(_ lessonId: UUID) -> String { "video_progress_\(lessonId.text)" }

    /// The address of a video, checked: `https` with a host and no name or password; `nil` for anything else.
    static func address(_ typed: String) -> String? {
        guard let parts = URLComponents(string: typed), parts.scheme?.lowercased() == "https", parts.user == nil,
            parts.password == nil, let host = parts.encodedHost, !host.isEmpty,
            let url = parts.url?.absoluteString, url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        // The scheme in small letters, as a page's policy has it.
        return "https" + url.dropFirst(5)
    }

    /// The player on top of a lesson, with the captions among its files; `nil` where it has no video.
    func player(_ lesson: Lesson, _ files: [LessonFile], position: Int, _ words: Words) -> Component? {
        guard let film = LessonFilm(of: lesson, files) else { return nil }
        let url =
            switch film {
            case .address(let url): url
            case .file(let file): LessonFiles.shown(file, of: lesson)
            }
        return .video(
            PTVideo(
                url: url, title: lesson.title, position: position,
                keeper: preferences == nil
                    ? nil : KeepVideoPosition.contract.path(filling: ["lessonId": lesson.id.text]),
                tracks: LessonFiles.tracks(files, of: lesson, words)))
    }

    /// Where somebody goes on, in seconds. What cannot be read counts as none.
    func position(_ lesson: Lesson, of personId: UUID, in sql: any SQLReading) throws -> Int {
        return try preferences?.value(Self.name(lesson.id), of: personId, in: sql).flatMap { Int($0) } ?? 0
    }

    /// Forgets where everybody was: the lesson is gone, or shows another video.
    func forget(_ lessonId: UUID, in sql: any SQLWriting) throws {
        try preferences?.forget(Self.name(lessonId), in: sql)
    }

    /// The same where another film than before stands on top of the lesson now, or none.
    func settle(_ lesson: Lesson, before: LessonFilm?, in sql: any SQLWriting) throws {
        if try LessonFilm(of: lesson, in: sql) != before { try forget(lesson.id, in: sql) }
    }

    /// Told to nobody: where somebody stopped is theirs alone.
    var commands: [CommandRegistration] {
        [
            .handle(KeepVideoPosition.self) { command, context in
                let membership = try context.membership
                guard let lesson = try LessonRepository.lesson(command.lessonId, in: context.sql) else {
                    throw Problem.notFound
                }
                let course = try courses.course(lesson.courseId, enteredBy: membership, in: context.sql)
                guard lesson.isPublished || course.isLed(by: membership) else {
                    throw Problem.notFound
                }
                guard try LessonFilm(of: lesson, in: context.sql) != nil else { return Done() }
                try preferences?.set(
                    command.seconds == 0 ? nil : String(command.seconds), for: Self.name(lesson.id),
                    of: membership.personId, in: context.sql)
                return Done()
            }
        ]
    }
}
