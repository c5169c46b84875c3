import CoursesInterface
import CourseworkModel
import Domain
import FeatureKit
import Foundation
import GradingInterface

/// A time of day on the school's wall clock, in minutes since midnight.
enum WallTime {
    /// Reads a time such as `23:59` or `8:05`; `nil` for any other text.
    static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// Returns the instant at which the wall clock shows a time on a day.
    ///
    /// A time that a change of clocks skips is the first instant after the gap; of a time that occurs twice it is the
    /// first one.
    static func instant(_ minutes: Int, on day: Day, in timeZone: TimeZone) -> Date {
        let start = day.start(in: timeZone)
        guard self.minutes(of: start, in: timeZone) < minutes else { return start }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = DateComponents(hour: minutes / 60, minute: minutes % 60, second: 0)
        return calendar.nextDate(
            after: start, matching: parts, matchingPolicy: .nextTime, repeatedTimePolicy: .first) ?? start
    }

    /// The time of day at an instant.
    static func minutes(of instant: Date, in timeZone: TimeZone) -> Int {
        let seconds = Int(instant.timeIntervalSince1970.rounded(.down)) + timeZone.secondsFromGMT(for: instant)
        let ofDay = seconds % 86_400
        return (ofDay < 0 ? ofDay + 86_400 : ofDay) / 60
    }

    /// The time of day as a form shows it: `08:05`.
    static func text(of instant: Date, in timeZone: TimeZone) -> String {
        let all = minutes(of: instant, in: timeZone)
        let (hour, minute) = (all / 60, all % 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}

extension FieldReader {
    /// Reads a time of day such as `23:59`; `nil` if the field is absent.
    mutating func optionalTime(_ name: String) -> Int? {
        guard let text = optionalText(name, max: 5) else { return nil }
        let minutes = WallTime.minutes(text)
        refuse(name, "coursework.time", unless: minutes != nil)
        return minutes
    }

    /// Reads a number of points with a point or a comma; `nil` if the field is absent.
    mutating func optionalPoints(_ name: String, code: String, in range: ClosedRange<Hundredths>) -> Hundredths? {
        guard let text = optionalText(name, max: 12) else { return nil }
        let number = Hundredths(text.replacing(",", with: "."))
        refuse(name, code, unless: number.map(range.contains) ?? false)
        return number
    }
}

/// The fields of an assignment's form. Times are those of the school's wall clock.
struct AssignmentDraft: Sendable {
    static let endOfDay = 23 * 60 + 59
    static let longest = 20_000
    static let mostAttempts = 20
    static let points: ClosedRange<Hundredths> = Hundredths(count: 1)...10_000

    let title: String
    let instructions: String
    let points: Hundredths?
    let category: GradeCategory
    let dueDay: Day?
    let dueTime: Int
    let opensDay: Day?
    let opensTime: Int
    let lateWork: Assignment.LateWork
    let lateDay: Day?
    let lateTime: Int
    let latePenalty: Int
    let kinds: Set<Assignment.HandInKind>
    /// 0 for no limit.
    let attempts: Int
    /// The chosen students; empty for the whole course.
    let students: [UUID]

    init(_ fields: inout FieldReader) {
        title = fields.text("title", max: 120)
        instructions = fields.optionalText("instructions", max: Self.longest, multiline: true) ?? ""
        points = fields.optionalPoints("points", code: "coursework.points", in: Self.points)
        category = fields.optionalChoice("category") ?? .assignments
        dueDay = fields.optionalDay("dueDay")
        dueTime = fields.optionalTime("dueTime") ?? Self.endOfDay
        opensDay = fields.optionalDay("opensDay")
        opensTime = fields.optionalTime("opensTime") ?? 0
        lateWork = fields.optionalChoice("lateWork") ?? .always
        lateDay = fields.optionalDay("lateDay")
        lateTime = fields.optionalTime("lateTime") ?? Self.endOfDay
        latePenalty = fields.integer("latePenalty", in: 0...100, default: 0)
        let named = fields.texts("kinds", max: Assignment.HandInKind.allCases.count)
        kinds = Set(named.compactMap { Assignment.HandInKind(rawValue: $0) })
        fields.refuse("kinds", "coursework.kinds", unless: kinds.count == Set(named).count)
        attempts = fields.integer("attempts", in: 0...Self.mostAttempts, default: 1)
        students = fields.ids("students", max: 1000)
    }

    /// Writes the fields into an assignment. Throws a fault for times in the wrong order.
    func apply(to assignment: inout Assignment, in timeZone: TimeZone) throws {
        let dueAt = dueDay.map { WallTime.instant(dueTime, on: $0, in: timeZone) }
        let opensAt = opensDay.map { WallTime.instant(opensTime, on: $0, in: timeZone) }
        let lateUntil =
            lateWork == .until ? lateDay.map { WallTime.instant(lateTime, on: $0, in: timeZone) } : nil
        if let dueAt, let opensAt, opensAt > dueAt { throw Problem.invalid("opensDay", "coursework.opensLate") }
        if lateWork == .until, dueAt != nil {
            guard let lateUntil else { throw Problem.invalid("lateDay", "required") }
            guard let dueAt, lateUntil >= dueAt else { throw Problem.invalid("lateDay", "coursework.lateEarly") }
        }
        assignment.title = title
        assignment.instructions = instructions
        assignment.points = points.map { "\($0)" }
        assignment.category = category.rawValue
        assignment.dueDay = dueDay
        assignment.dueAt = dueAt
        assignment.opensAt = opensAt
        assignment.lateWork = lateWork
        assignment.lateUntil = dueAt == nil ? nil : lateUntil
        assignment.latePenalty = latePenalty
        assignment.kinds = kinds
        assignment.attempts = attempts == 0 ? nil : attempts
        assignment.isForEveryone = students.isEmpty
    }
}
