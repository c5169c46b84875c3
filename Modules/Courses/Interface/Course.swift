public import Domain
public import FeatureKit
public import Foundation

/// A course that a school teaches during a term.
public struct Course: Identifiable, Codable, Sendable, Hashable {
    public let id: UUID
    public var name: String
    /// The subject of the course as free text, such as "Mathematics".
    public var subject: String
    /// The grade level that the course is for, such as "Grade 9" or "Secondary 3".
    public var gradeLevel: String?
    /// A description of the course in a few sentences.
    public var details: String?
    /// The ids of the course's teachers. The first one is responsible for the course.
    public var teacherIds: [UUID]
    public var termId: UUID?
    /// The weekly meetings of the course, in the order of the week.
    public var periods: [CoursePeriod]
    /// The credits of the course in hundredths: 100 is one credit.
    public var credits: Int
    /// The largest number of students in the course (`maxEnrollment`); `nil` for no limit.
    public var capacity: Int?
    public var admission: Admission
    /// The last day on which a student can drop the course without asking; `nil` for no limit.
    public var dropDay: Day?
    public var tint: Tint
    /// Whether the course is over or was given up. Its former members can still read it; it is no longer offered.
    public var isArchived: Bool
    public let createdAt: Date

    /// The procedure by which students enroll in a course.
    public enum Admission: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
        /// Students are enrolled at once, while there are free places.
        case open
        /// Students are enrolled after a teacher or an administrator has approved.
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

/// A meeting of a course that takes place every week.
public struct CoursePeriod: Codable, Sendable, Hashable, Comparable {
    /// The day of the week as in `Day.daysSinceMonday`: 0 is Monday.
    public let weekday: Int
    /// The beginning of the lesson in minutes since midnight, in the school's time zone.
    public let start: Int
    /// The end of the lesson in minutes since midnight, later than `start`.
    public let end: Int
    /// The room where the course meets; `nil` if it is not known.
    public let room: String?

    public init(weekday: Int, start: Int, end: Int, room: String? = nil) {
        self.weekday = weekday
        self.start = start
        self.end = end
        self.room = room
    }

    /// Returns the meeting as text: `Tue 9:00–10:15`, with the room if there is one.
    public func shown(_ words: Words) -> String {
        func time(_ minutes: Int) -> String {
            words.time(Date(timeIntervalSince1970: Double(minutes) * 60), in: .gmt)
        }
        let when = "\(words.weekday(Self.day(ofWeekday: weekday))) \(time(start))–\(time(end))"
        return room.map { "\(when), \($0)" } ?? when
    }

    /// Returns some day with a given weekday (0 is Monday), so that the weekday's name can be formatted.
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
    /// The last day of the term, which still belongs to the term.
    public var lastDay: Day

    public init(id: UUID, name: String, firstDay: Day, lastDay: Day) {
        self.id = id
        self.name = name
        self.firstDay = firstDay
        self.lastDay = lastDay
    }
}
