import CoursesInterface
import CourseworkModel
import Domain
import FeatureKit
import Foundation
import GradingInterface

extension FieldReader {
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
    static let longest = 20_000
    static let mostAttempts = 20
    static let points: ClosedRange<Hundredths> = Hundredths(count: 1)...10_000

    let title: String
    let instructions: String
    let points: Hundredths?
    let category: GradeCategory
    let dueDay: Day?
    let dueTime: ClockTime
    let opensDay: Day?
    let opensTime: ClockTime
    let lateWork: Assignment.LateWork
    let lateDay: Day?
    let lateTime: ClockTime
    let latePenalty: Int
    let kinds: Set<Assignment.HandInKind>
    /// Empty for all kinds.
    let fileKinds: Set<Assignment.FileKind>
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
        dueTime = fields.optionalClockTime("dueTime") ?? .lastMinute
        opensDay = fields.optionalDay("opensDay")
        opensTime = fields.optionalClockTime("opensTime") ?? .midnight
        lateWork = fields.optionalChoice("lateWork") ?? .always
        lateDay = fields.optionalDay("lateDay")
        lateTime = fields.optionalClockTime("lateTime") ?? .lastMinute
        latePenalty = fields.integer("latePenalty", in: 0...100, default: 0)
        let named = fields.texts("kinds", max: Assignment.HandInKind.allCases.count)
        kinds = Set(named.compactMap { Assignment.HandInKind(rawValue: $0) })
        fields.refuse("kinds", "coursework.kinds", unless: kinds.count == Set(named).count)
        let files = fields.texts("fileKinds", max: Assignment.FileKind.allCases.count)
        fileKinds = Set(files.compactMap { Assignment.FileKind(rawValue: $0) })
        fields.refuse(
            "fileKinds", "coursework.fileKinds",
            unless: fileKinds.count == Set(files).count && (files.isEmpty || kinds.contains(.files)))
        attempts = fields.integer("attempts", in: 0...Self.mostAttempts, default: 1)
        students = fields.ids("students", max: 1000)
    }

    /// Writes the fields into an assignment. Throws a fault for times in the wrong order.
    func apply(to assignment: inout Assignment, in timeZone: TimeZone) throws {
        let dueAt = dueDay.map { dueTime.instant(on: $0, in: timeZone) }
        let opensAt = opensDay.map { opensTime.instant(on: $0, in: timeZone) }
        let lateUntil =
            lateWork == .until ? lateDay.map { lateTime.instant(on: $0, in: timeZone) } : nil
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
        assignment.fileKinds = fileKinds
        assignment.attempts = attempts == 0 ? nil : attempts
        assignment.isForEveryone = students.isEmpty
    }
}
