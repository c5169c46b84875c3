public import Domain
public import FeatureKit
public import Foundation

/// What a school teaches over a term: who teaches it, when, what it is worth, and how one comes in.
public struct Course: Identifiable, Codable, Sendable, Hashable {
    public let id: UUID
    public var name: String
    /// "Mathematics": free text, so that a school keeps its own list.
    public var subject: String
    /// "Grade 9", "Secondary 3".
    public var gradeLevel: String?
    /// What it is about, in a few sentences.
    public var details: String?
    /// The people who teach it, the first the one who answers for it.
    public var teacherIds: [UUID]
    public var termId: UUID?
    /// When it meets each week, in the order of the week.
    public var periods: [CoursePeriod]
    /// In hundredths: 100 is one credit.
    public var credits: Int
    /// How many students it takes at most (`maxEnrollment`); `nil` is any number.
    public var capacity: Int?
    public var admission: Admission
    /// The last day on which a student drops it without asking; `nil` is always.
    public var dropDay: Day?
    public var tint: Tint
    /// It is over or was given up: still read by those who were in it, no longer offered.
    public var isArchived: Bool
    public let createdAt: Date

    /// How one comes into a course.
    public enum Admission: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
        /// At once, while there is room.
        case open
        /// When a teacher or an administrator agrees.
        case approval
    }

    public init(
        id: UUID, name: String, subject: String, gradeLevel: String? = nil, details: String? = nil,
        teacherIds: [UUID], termId: UUID? = nil, periods: [CoursePeriod] = [], credits: Int = 100,
        capacity: Int? = nil, admission: Admission = .open, dropDay: Day? = nil, tint: Tint,
        isArchived: Bool = false, createdAt: Date
    ) {
        self.id = id
        self.name = name
        self.subject = subject
        self.gradeLevel = gradeLevel
        self.details = details
        self.teacherIds = teacherIds
        self.termId = termId
        self.periods = periods
        self.credits = credits
        self.capacity = capacity
        self.admission = admission
        self.dropDay = dropDay
        self.tint = tint
        self.isArchived = isArchived
        self.createdAt = createdAt
    }
}

/// One meeting of a course, the same every week.
public struct CoursePeriod: Codable, Sendable, Hashable, Comparable {
    /// As `Day.daysSinceMonday`: 0 is Monday.
    public let weekday: Int
    /// Minutes since midnight, in the school's time zone.
    public let start: Int
    /// Minutes since midnight, after `start`.
    public let end: Int
    /// Where it meets.
    public let room: String?

    public init(weekday: Int, start: Int, end: Int, room: String? = nil) {
        self.weekday = weekday
        self.start = start
        self.end = end
        self.room = room
    }

    /// `Tue 9:00–10:00`, with the room where there is one.
    public func shown(_ words: Words) -> String {
        func time(_ minutes: Int) -> String {
            words.time(Date(timeIntervalSince1970: Double(minutes) * 60), in: .gmt)
        }
        let when = "\(words.weekday(Self.day(ofWeekday: weekday))) \(time(start))–\(time(end))"
        return room.map { "\(when), \($0)" } ?? when
    }

    /// Some day of a week, for its name; 0 is Monday.
    public static func day(ofWeekday weekday: Int) -> Day {
        let first = Day(number: 0)
        return first.adding(days: weekday - first.daysSinceMonday)
    }

    public static func < (left: CoursePeriod, right: CoursePeriod) -> Bool {
        (left.weekday, left.start, left.end) < (right.weekday, right.start, right.end)
    }
}

/// A part of the school year in which courses run.
public struct Term: Identifiable, Codable, Sendable, Hashable {
    public let id: UUID
    public var name: String
    public var firstDay: Day
    /// The last day, still within.
    public var lastDay: Day

    public init(id: UUID, name: String, firstDay: Day, lastDay: Day) {
        self.id = id
        self.name = name
        self.firstDay = firstDay
        self.lastDay = lastDay
    }
}
