public import Domain
public import Foundation

/// A task of a course for its students, with a due time and what they hand in for it.
public struct Assignment: Codable, Sendable, Hashable, Identifiable {
    /// The ways of handing in work that an assignment can allow.
    public enum HandInKind: String, Codable, Sendable, Hashable, CaseIterable {
        case text
        /// Files of any kind, or of the kinds in `fileKinds`.
        case files
        /// A scanned document, as PDF.
        case scan
        /// A drawing, as PNG.
        case drawing
        case link
    }

    /// The kinds of files that an assignment can ask for.
    public enum FileKind: String, Codable, Sendable, Hashable, CaseIterable {
        case pdf, text, sheet, slides, image, sound, movie, archive
    }

    /// Whether an assignment accepts work after its due time.
    public enum LateWork: String, Codable, Sendable, Hashable, CaseIterable {
        /// Work is accepted without an end and counts as late.
        case always
        /// Work is accepted until `lateUntil` and counts as late.
        case until
        /// No work is accepted after the due time.
        case never
    }

    public let id: UUID
    public let courseId: UUID
    public var title: String
    /// The task of the assignment, as Markdown.
    public var instructions: String
    /// The maximum score of the assignment as decimal text, such as "20" or "12.5"; `nil` if it is not graded.
    public var points: String?
    /// The category of the course's gradebook to which the assignment belongs, such as `assignments`.
    public var category: String
    /// The day of the due time in the school's time zone; `nil` if the assignment has no due time.
    public var dueDay: Day?
    /// The beginning of the due minute; work that is handed in within this minute is on time. `nil` without a due time.
    public var dueAt: Date?
    /// The time from which students see the assignment once it is published; `nil` for at once.
    public var opensAt: Date?
    public var lateWork: LateWork
    /// The beginning of the last minute in which late work is accepted; only for `LateWork.until`.
    public var lateUntil: Date?
    /// The percentage of a score that is deducted for each day of lateness that has begun, from 0 to 100.
    public var latePenalty: Int
    /// The ways of handing in work that the assignment allows; empty for work that is not handed in here.
    public var kinds: Set<HandInKind>
    /// The kinds of files that the assignment takes; empty for all. Only with `HandInKind.files`.
    public var fileKinds: Set<FileKind>
    /// The number of times that a student may hand in work for the assignment; `nil` for no limit.
    public var attempts: Int?
    /// Whether the assignment is for all students of the course, and not for chosen ones.
    public var isForEveryone: Bool
    /// The time at which a teacher published the assignment; `nil` for a draft, which only teachers see.
    public var publishedAt: Date?
    public let createdAt: Date
    /// The number of changes of the assignment, from 1. A change must name the version that it replaces.
    public var version: Int

    public init(
        id: UUID, courseId: UUID, title: String, instructions: String = "", points: String? = nil,
        category: String = "assignments", dueDay: Day? = nil, dueAt: Date? = nil, opensAt: Date? = nil,
        lateWork: LateWork = .always, lateUntil: Date? = nil, latePenalty: Int = 0,
        kinds: Set<HandInKind> = [.text, .files], fileKinds: Set<FileKind> = [], attempts: Int? = 1,
        isForEveryone: Bool = true,
        publishedAt: Date? = nil, createdAt: Date, version: Int = 1
    ) {
        self.id = id
        self.courseId = courseId
        self.title = title
        self.instructions = instructions
        self.points = points
        self.category = category
        self.dueDay = dueDay
        self.dueAt = dueAt
        self.opensAt = opensAt
        self.lateWork = lateWork
        self.lateUntil = lateUntil
        self.latePenalty = latePenalty
        self.kinds = kinds
        self.fileKinds = fileKinds
        self.attempts = attempts
        self.isForEveryone = isForEveryone
        self.publishedAt = publishedAt
        self.createdAt = createdAt
        self.version = version
    }

    /// Whether students may see the assignment at an instant: it is published and open.
    public func isVisible(at instant: Date) -> Bool {
        publishedAt != nil && opensAt.map { $0 <= instant } ?? true
    }

    /// Whether the assignment takes files of any kind, scans or drawings.
    public var takesFiles: Bool { !kinds.isDisjoint(with: [.files, .scan, .drawing]) }

    /// Whether students hand in work here, and not on paper.
    public var takesSubmissions: Bool { !kinds.isEmpty }
}
