import CoursesInterface
import CourseworkModel
public import Domain
public import FeatureKit
public import Foundation
public import GradingInterface
import OrganizationInterface

/// The assignments as items of the gradebook. Teachers see scores at once; students see those of returned work.
public struct CourseworkGrades: GradedItemSource {
    private let clock: any WallClock

    /// Creates the source of grade items.
    /// - Parameter clock: the time, from which it follows which assignments students see.
    public init(clock: any WallClock) { self.clock = clock }

    public var linkNames: Set<String> { ["assignments"] }

    public func path(ofItem itemId: UUID, in sql: any SQLReading) throws -> String? {
        try AssignmentRepository.assignment(itemId, in: sql).map { AssignmentScreens.path($0.id) }
    }

    public func items(of courseId: UUID, in sql: any SQLReading) throws -> [GradedItem] {
        try items(of: [courseId], student: nil, in: sql)[courseId] ?? []
    }

    public func items(
        of courseIds: [UUID], for studentId: UUID, in sql: any SQLReading
    ) throws -> [UUID: [GradedItem]] {
        try items(of: courseIds, student: studentId, in: sql)
    }

    private func items(
        of courseIds: [UUID], student studentId: UUID?, in sql: any SQLReading
    ) throws -> [UUID: [GradedItem]] {
        let graded = try AssignmentRepository.assignments(of: courseIds, in: sql).filter {
            $0.publishedAt != nil && $0.maximum != nil
        }
        guard !graded.isEmpty else { return [:] }
        let scores = Dictionary(
            grouping: try MarkRepository.scores(of: courseIds, for: studentId, in: sql), by: \.mark.assignmentId)
        return graded.reduce(into: [:]) { all, one in
            guard let maximum = one.maximum else { return }
            var marks: [UUID: Hundredths] = [:]
            var returned: Set<UUID> = []
            for score in scores[one.id] ?? [] {
                marks[score.mark.studentId] = Self.final(score, of: one)
                if score.mark.returnedAt != nil { returned.insert(score.mark.studentId) }
            }
            all[one.courseId, default: []].append(
                GradedItem(
                    id: one.id, title: one.title, category: one.gradeCategory, maximum: maximum, dueDay: one.dueDay,
                    marks: marks, shownTo: returned, path: AssignmentScreens.path(one.id)))
        }
    }

    public func work(
        for studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: [GradedWork]] {
        let seen = try AssignmentRepository.assignments(
            of: courseIds, seenBy: studentId, at: clock.now, in: sql)
        guard !seen.isEmpty else { return [:] }
        let handedIn = try SubmissionRepository.times(of: studentId, in: sql)
        let returned = try MarkRepository.returned(to: studentId, in: sql)
        return Dictionary(grouping: seen, by: \.courseId).mapValues { all in
            all.compactMap { one in
                let isDone = handedIn[one.id] != nil || returned[one.id] != nil
                // Work on paper counts from the time when it was returned.
                guard one.takesSubmissions || isDone else { return nil }
                return GradedWork(category: one.gradeCategory, dueDay: one.dueDay, isDone: isDone)
            }
        }
    }

    public func handedIn(by studentId: UUID, in sql: any SQLReading) throws -> [Date] {
        try SubmissionRepository.times(of: studentId, in: sql).values.flatMap(\.self)
    }

    /// A score after the deduction for lateness.
    static func final(
        _ score: (mark: WorkMark, handedInAt: Date?, extendedTo: Date?), of one: Assignment
    ) -> Hundredths? {
        let times = WorkTimes(of: one, extendedTo: score.extendedTo)
        return score.mark.points.map { points in
            points.remaining(percent: score.handedInAt.map { times.remainingPercent(at: $0) } ?? 100)
        }
    }
}
