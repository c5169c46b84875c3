public import ClassroomInterface
public import Domain
public import FeatureKit
public import Foundation

/// Reads a child's observations, lessons, tasks, habits and absences of past days from the school's database, for
/// reports of other feature blocks.
public struct SQLChildHistory: ChildHistory {
    /// The most records of a child that are read for a period. No class writes as many about a child in a month.
    private static let limit = 500
    private static let openLimit = 20

    public init() {}

    public func period(
        of studentId: UUID, from first: Day, through last: Day, timeZone: TimeZone, in sql: any SQLReading
    ) throws -> ChildPeriod {
        var filter = ObservationFilter()
        filter.from = first
        filter.to = last
        filter.order = .oldest
        let observations = try ObservationRepository.observations(
            of: studentId, filter, timeZone: timeZone, limit: Self.limit, in: sql)
        let habits = try HabitRepository.habits(of: [studentId], in: sql)
        let days = try HabitRepository.doneDays(of: habits.map(\.id), since: first, in: sql)
        let completed = try WorkRepository.completed(
            of: studentId, from: first.start(in: timeZone), before: last.adding(days: 1).start(in: timeZone),
            limit: Self.limit, in: sql)
        return ChildPeriod(
            observations: observations.map { RecordedObservation($0, timeZone) },
            completed: completed.map { RecordedWork($0, timeZone) },
            open: try StudentWork.Kind.allCases.flatMap {
                try WorkRepository.open(of: studentId, $0, limit: Self.openLimit, in: sql)
            }.map { RecordedWork($0, timeZone) },
            habits: habits.map { habit in
                RecordedHabit(
                    id: habit.id, name: habit.name,
                    doneOn: days[habit.id, default: []].filter { $0 <= last }.sorted(),
                    madeOn: Day(habit.createdAt, in: timeZone))
            },
            absentOn: try AttendanceRepository.absences(of: studentId, since: first, in: sql)
                .filter { $0 <= last }.sorted())
    }

    public func observation(
        _ id: UUID, timeZone: TimeZone, in sql: any SQLReading
    ) throws -> RecordedObservation? {
        try ObservationRepository.observation(id, in: sql).map { RecordedObservation($0, timeZone) }
    }

    public func photos(ofObservation id: UUID, in sql: any SQLReading) throws -> [RecordedPhoto] {
        guard let observation = try ObservationRepository.observation(id, in: sql) else { return [] }
        func path(_ hash: BlobHash) -> String {
            PhotoDownload.path(hash, id, ofStudent: observation.primaryStudentId)
        }
        return try PhotoRepository.photos(of: [id], in: sql)[id, default: []].map {
            RecordedPhoto($0, path: path($0.hash), thumbnailPath: path($0.thumbnail))
        }
    }
}

extension RecordedObservation {
    init(_ observation: Observation, _ timeZone: TimeZone) {
        self.init(
            id: observation.id, studentId: observation.primaryStudentId,
            taggedStudentIds: observation.taggedStudentIds, day: Day(observation.createdAt, in: timeZone),
            content: observation.content, subjectTag: observation.subjectTag, materialTag: observation.materialTag,
            followUpOn: observation.followedUpAt == nil ? observation.followUpOn : nil)
    }
}

extension RecordedWork {
    init(_ work: StudentWork, _ timeZone: TimeZone) {
        self.init(
            id: work.id, isLesson: work.kind == .lesson, title: work.title, scheduledFor: work.scheduledFor,
            completedOn: work.completedAt.map { Day($0, in: timeZone) })
    }
}
