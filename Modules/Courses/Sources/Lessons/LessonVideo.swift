import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation

struct KeepVideoPosition: Command {
    static let contract = Contract(
        "courses.keepVideoPosition", "/api/v1/courses/lessons/{lessonId}/video-position",
        access: .member(.viewCourses), replay: .natural,
        summary: """
            Keeps for the caller where in a lesson's video to go on; 0 is its beginning, and so is its end. Of one \
            device's reports the one that was seen last counts, in whatever order they arrive.
            """)
    typealias Result = Done

    let lessonId: UUID
    let seconds: Int
    /// When the device saw it there, in milliseconds since 1970 by its own clock; 0 where it does not say.
    let seenAt: Int
    /// How long the video is, in seconds; 0 where the device does not say.
    let duration: Int

    init(_ fields: inout FieldReader) {
        lessonId = fields.id("lessonId")
        seconds = fields.integer("seconds", in: 0...LessonVideo.longest, default: 0)
        // The greatest whole number that JSON carries exactly in every program (RFC 8259, section 6).
        seenAt = fields.integer("seenAt", in: 0...9_007_199_254_740_991, default: 0)
        duration = fields.integer("duration", in: 0...LessonVideo.longest, default: 0)
    }
}

/// Where somebody is in a video, as it is remembered: "83 1764061234567 0199..".
struct KeptPosition: Sendable, Hashable {
    let seconds: Int
    /// When it was seen there, in milliseconds, by the clock of the device.
    var seenAt = 0
    var device: UUID?

    init(_ command: KeepVideoPosition, on device: UUID?) {
        // Whoever saw nearly all of it begins anew; nobody is beyond its end.
        let isOver = command.duration > 0 && command.seconds >= command.duration - LessonVideo.ending
        seconds = isOver ? 0 : command.seconds
        seenAt = command.seenAt
        self.device = device
    }

    /// What cannot be read counts as the beginning.
    init(_ text: String) {
        let parts = text.split(separator: " ")
        seconds = parts.first.flatMap { Int($0) } ?? 0
        if parts.count == 3 { (seenAt, device) = (Int(parts[1]) ?? 0, UUID(text: String(parts[2]))) }
    }

    var text: String {
        guard let device, seenAt > 0 else { return String(seconds) }
        return "\(seconds) \(seenAt) \(device.text)"
    }

    /// Whether another report of the same device was seen after this one. Clocks of two devices are not compared.
    func isOlder(than other: KeptPosition) -> Bool {
        seenAt > 0 && device != nil && device == other.device && seenAt < other.seenAt
    }
}

/// The video of a lesson, and how far each person is in it.
struct LessonVideo: Sendable {
    /// A day, in seconds.
    static let longest = 86_400
    /// How many seconds before its end a video counts as seen.
    static let ending = 5

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
        try preferences?.value(Self.name(lesson.id), of: personId, in: sql).map { KeptPosition($0).seconds } ?? 0
    }

    /// Forgets where everybody was: the lesson is gone, or shows another video.
    func forget(_ lessonId: UUID, in sql: any SQLWriting) throws {
        try preferences?.remove(Self.name(lessonId), in: sql)
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
                let (name, personId) = (Self.name(lesson.id), membership.personId)
                let position = KeptPosition(command, on: context.caller.account?.deviceId)
                let known = try preferences?.value(name, of: personId, in: context.sql).map { KeptPosition($0) }
                if let known, position.isOlder(than: known) { return Done() }
                // A finished video keeps when it was, so that a late report does not move it off its beginning.
                let isForgotten = position.seconds == 0 && position.seenAt == 0
                try preferences?.set(
                    isForgotten ? nil : position.text, for: name, of: personId, in: context.sql)
                return Done()
            }
        ]
    }
}
