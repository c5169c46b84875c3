import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation

/// Stores the caller's position in a lesson's video.
struct StoreVideoPosition: Command {
    static let contract = Contract(
        "courses.keepVideoPosition", "/api/v1/courses/lessons/{lessonId}/video-position",
        access: .member(.viewCourses), replay: .natural,
        summary: """
            Stores the caller's position in a lesson's video, so that it resumes there; 0 is the beginning, and the \
            end counts as 0. Of one device's reports the latest counts, in whatever order they arrive.
            """)
    typealias Result = Done

    let lessonId: UUID
    let seconds: Int
    /// The time of the position by the device's clock, in milliseconds since 1970; 0 if unknown.
    let seenAt: Int
    /// The length of the video in seconds; 0 if unknown.
    let duration: Int

    init(_ fields: inout FieldReader) {
        lessonId = fields.id("lessonId")
        seconds = fields.integer("seconds", in: 0...LessonVideo.longest, default: 0)
        // The largest integer that JSON carries exactly in all programs (RFC 8259, section 6).
        seenAt = fields.integer("seenAt", in: 0...9_007_199_254_740_991, default: 0)
        duration = fields.integer("duration", in: 0...LessonVideo.longest, default: 0)
    }
}

/// A stored position in a video, as text: "83 1764061234567 0199..".
struct VideoPosition: Sendable, Hashable {
    let seconds: Int
    /// The time of the position by the device's clock, in milliseconds; 0 if unknown.
    var seenAt = 0
    var device: UUID?

    init(_ command: StoreVideoPosition, on device: UUID?) {
        // A video that was watched nearly to the end starts again.
        let isOver = command.duration > 0 && command.seconds >= command.duration - LessonVideo.ending
        seconds = isOver ? 0 : command.seconds
        seenAt = command.seenAt
        self.device = device
    }

    /// Reads a stored position. A text that cannot be read is the beginning.
    init(_ text: String) {
        let parts = text.split(separator: " ")
        seconds = parts.first.flatMap { Int($0) } ?? 0
        if parts.count == 3 { (seenAt, device) = (Int(parts[1]) ?? 0, UUID(text: String(parts[2]))) }
    }

    var text: String {
        guard let device, seenAt > 0 else { return String(seconds) }
        return "\(seconds) \(seenAt) \(device.text)"
    }

    /// Whether another report of the same device is later. Clocks of different devices are not compared.
    func isOlder(than other: VideoPosition) -> Bool {
        seenAt > 0 && device != nil && device == other.device && seenAt < other.seenAt
    }
}

/// The video of a lesson and each person's position in it.
struct LessonVideo: Sendable {
    /// The longest video in seconds: a day.
    static let longest = 86_400
    /// The seconds before the end at which a video counts as watched.
    static let ending = 5

    let courses: SQLCourseService
    /// Stores the positions; without it each video starts at the beginning.
    let preferences: (any PersonalPreferences)?

    /// The name of the preference that stores the position (WW-4.05).
    static func name(_ lessonId: UUID) -> String { "video_progress_\(lessonId.text)" }

    /// Checks the address of a video: `https` with a host and without credentials. Returns `nil` for any other.
    static func address(_ typed: String) -> String? {
        guard let parts = URLComponents(string: typed), parts.scheme?.lowercased() == "https", parts.user == nil,
            parts.password == nil, let host = parts.encodedHost, !host.isEmpty,
            let url = parts.url?.absoluteString, url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        // The scheme in lowercase, as in the page's content security policy.
        return "https" + url.dropFirst(5)
    }

    /// The player at the top of a lesson, with captions; `nil` without a video.
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
                    ? nil : StoreVideoPosition.contract.path(filling: ["lessonId": lesson.id.text]),
                tracks: LessonFiles.tracks(files, of: lesson, words)))
    }

    /// Returns a person's position in seconds; 0 if there is none or it cannot be read.
    func position(_ lesson: Lesson, of personId: UUID, in sql: any SQLReading) throws -> Int {
        try preferences?.value(Self.name(lesson.id), of: personId, in: sql).map { VideoPosition($0).seconds } ?? 0
    }

    /// Removes all positions in a lesson's video.
    func removePositions(of lessonId: UUID, in sql: any SQLWriting) throws {
        try preferences?.remove(Self.name(lessonId), in: sql)
    }

    /// Removes all positions if the lesson now shows another video, or none.
    func removeOutdatedPositions(of lesson: Lesson, before: LessonFilm?, in sql: any SQLWriting) throws {
        if try LessonFilm(of: lesson, in: sql) != before { try removePositions(of: lesson.id, in: sql) }
    }

    /// The command that stores positions. It records no change, because positions are private.
    var commands: [CommandRegistration] {
        [
            .handle(StoreVideoPosition.self) { command, context in
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
                let position = VideoPosition(command, on: context.caller.account?.deviceId)
                let known = try preferences?.value(name, of: personId, in: context.sql).map { VideoPosition($0) }
                if let known, position.isOlder(than: known) { return Done() }
                // A finished video is stored with its time, so that a late report does not move it from the beginning.
                let isRemoved = position.seconds == 0 && position.seenAt == 0
                try preferences?.set(
                    isRemoved ? nil : position.text, for: name, of: personId, in: context.sql)
                return Done()
            }
        ]
    }
}
