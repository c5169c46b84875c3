import ClassroomInterface
import CurriculumInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// The data of the first screenful of a child's page, read in one transaction.
struct StudentPageData: Sendable {
    static let observationCount = 10
    static let workCount = 8
    static let doneCount = 3
    static let habitCount = 20
    static let markCount = 20

    let student: Student
    let rooms: [ClassroomSummary]
    /// The attendance marks of the last days, latest first.
    let marks: [AttendanceMark]
    /// The habits that are shown with their streaks, without paused ones.
    let habits: [(habit: Habit, streak: HabitStreak)]
    let habitCount: Int
    /// The open lessons and tasks by kind: one more than is shown, if there are more.
    let open: [StudentWork.Kind: [StudentWork]]
    let done: [StudentWork.Kind: [StudentWork]]
    let observations: [Observation]
    let hasMoreObservations: Bool
    let contacts: [ParentContact]
    /// The child's voice notes; empty for readers who may not write about the child.
    let voiceNotes: [VoiceNote]
    /// The tags that can be chosen for a new observation.
    let tags: [Tag]
    /// The names of the tags and people in the observations.
    let names: RecordNames
    let classmates: [Student]

    init(
        _ id: UUID, _ membership: ActiveMembership, today: Day, language: Language, hasAllHabits: Bool,
        classrooms: any ClassroomService, students: any StudentService, taxonomy: (any Taxonomy)?,
        calendar: any SchoolCalendar, in sql: any SQLReading
    ) throws {
        student = try students.student(id, visibleTo: membership, in: sql)
        let ids = Set(try ClassroomRepository.classroomIds(ofStudent: id, in: sql))
        rooms = try classrooms.classrooms(visibleTo: membership, in: sql).filter { ids.contains($0.id) }
        marks = try AttendanceRepository.history(of: id, limit: Self.markCount, in: sql)
        let all = try HabitRepository.habits(of: [id], in: sql).filter { $0.pausedOn == nil }
        habitCount = all.count
        habits = try Self.streaks(
            of: hasAllHabits ? all : Array(all.prefix(Self.habitCount)), of: id, today: today, calendar: calendar,
            in: sql)
        open = try StudentWork.Kind.allCases.reduce(into: [:]) {
            $0[$1] = try WorkRepository.open(of: id, $1, limit: Self.workCount + 1, in: sql)
        }
        done = try StudentWork.Kind.allCases.reduce(into: [:]) {
            $0[$1] = try WorkRepository.completed(of: id, $1, limit: Self.doneCount + 1, in: sql)
        }
        let found = try ObservationRepository.observations(
            of: id, timeZone: membership.timeZone, limit: Self.observationCount + 1, in: sql)
        hasMoreObservations = found.count > Self.observationCount
        observations = Array(found.prefix(Self.observationCount))
        contacts = try ContactRepository.contacts(of: id, in: sql)
        voiceNotes =
            Permission.keepRecords.isGiven(to: membership.roles) ? try VoiceRepository.notes(of: id, in: sql) : []
        tags = try taxonomy?.tags(in: language, sql) ?? []
        names = try RecordNames(
            observations, speakers: voiceNotes.map(\.createdByGuideId), taxonomy: taxonomy, language: language,
            in: sql)
        classmates = try Self.classmates(of: id, in: rooms.map(\.id), membership, sql)
    }

    /// Returns the streaks of habits. Most streaks end within weeks, so only the others are read further back.
    static func streaks(
        of habits: [Habit], of id: UUID, today: Day, calendar: any SchoolCalendar, in sql: any SQLReading
    ) throws -> [(habit: Habit, streak: HabitStreak)] {
        let near = today.adding(days: -HabitStreak.nearHorizon)
        let far = today.adding(days: -HabitStreak.horizon)
        let calendar = try calendar.schoolDays(from: far, through: today, in: sql)
        let latest = try HabitRepository.doneDays(of: habits.map(\.id), since: near, in: sql)
        var streaks = try streaks(of: habits, latest, of: id, calendar, since: near, today: today, in: sql)
        let open = habits.filter { streaks[$0.id]?.isWhole == false }
        let earlier = try HabitRepository.doneDays(of: open.map(\.id), since: far, before: near, in: sql)
        let days = earlier.reduce(into: [:]) { $0[$1.key] = $1.value.union(latest[$1.key] ?? []) }
        let long = open.filter { days[$0.id] != nil }
        streaks.merge(try Self.streaks(of: long, days, of: id, calendar, since: far, today: today, in: sql)) { $1 }
        return habits.compactMap { habit in streaks[habit.id].map { (habit, $0) } }
    }

    private static func streaks(
        of habits: [Habit], _ done: [UUID: Set<Day>], of id: UUID, _ calendar: SchoolDays, since first: Day,
        today: Day,
        in sql: any SQLReading
    ) throws -> [UUID: HabitStreak] {
        guard !habits.isEmpty else { return [:] }
        let absences = try AttendanceRepository.absences(of: id, since: first, in: sql)
        let schoolDays = try AttendanceRepository.schoolDays(of: id, since: first, in: sql)
        let horizon = today.adding(days: -HabitStreak.horizon)
        // Without earlier attendance marks, the days before the first mark are unknown.
        let isKnown = try AttendanceRepository.isKnown(of: id, since: horizon, before: first, in: sql)
        let known = isKnown ? first : schoolDays.min()
        let paused = try HabitRepository.pausedDays(of: habits.map(\.id), since: first, in: sql)
        return habits.reduce(into: [:]) { streaks, habit in
            let days = done[habit.id] ?? []
            streaks[habit.id] = HabitStreak(
                habit, done: days, excused: absences.union(paused[habit.id] ?? []), schoolDays: schoolDays,
                knownSince: known,
                calendar: calendar, since: max(first, days.min() ?? today), today: today)
        }
    }

    /// Returns the other children of the child's classes, once each, in the order of a class list.
    static func classmates(
        of id: UUID, in rooms: [UUID], _ membership: ActiveMembership, _ sql: any SQLReading
    ) throws -> [Student] {
        var seen: Set<UUID> = [id]
        return try rooms.flatMap {
            try StudentRepository.students(of: $0, orgId: membership.organization.id, in: sql)
        }.filter { seen.insert($0.id).inserted }
    }
}

/// The names of the people and tags in observations.
struct RecordNames: Sendable {
    let people: [UUID: PersonName]
    let tags: [UUID: Tag]

    init(
        _ observations: [Observation], speakers: [UUID] = [], taxonomy: (any Taxonomy)?, language: Language,
        in sql: any SQLReading
    ) throws {
        let ids = Set(
            observations.flatMap { $0.taggedStudentIds + [$0.createdByGuideId, $0.primaryStudentId] } + speakers)
        people = try PeopleTable.names(Array(ids), in: sql)
        let used = Set(observations.flatMap(\.tagIds))
        tags = used.isEmpty ? [:] : try taxonomy?.tags(used, in: language, sql) ?? [:]
    }
}
