import ClassroomInterface
import Domain
import FeatureKit
import Foundation

/// Everything that the first screenful of a child's page shows, read in one transaction.
struct StudentPageData: Sendable {
    static let observationCount = 10
    static let workCount = 40
    static let doneCount = 3
    static let markCount = 20

    let student: Student
    let rooms: [ClassroomSummary]
    /// The marks of the last days, the latest first.
    let marks: [AttendanceMark]
    let habits: [(habit: Habit, streak: HabitStreak)]
    let open: [StudentWork]
    let done: [StudentWork.Kind: [StudentWork]]
    let observations: [Observation]
    let hasMoreObservations: Bool
    let contacts: [ParentContact]
    /// Spoken notes, for those who may write about the child.
    let voiceNotes: [VoiceNote]
    /// What may be chosen for a new observation.
    let tags: [Tag]
    /// The tags and people that are named in the observations.
    let names: RecordNames
    let classmates: [Student]

    init(
        _ id: UUID, _ membership: ActiveMembership, today: Day, language: Language,
        classrooms: any ClassroomService, students: any StudentService, taxonomy: (any Taxonomy)?,
        in sql: any SQLReading
    ) throws {
        student = try students.student(id, visibleTo: membership, in: sql)
        let ids = Set(try ClassroomRepository.classroomIds(ofStudent: id, in: sql))
        rooms = try classrooms.classrooms(visibleTo: membership, in: sql).filter { ids.contains($0.id) }
        marks = try AttendanceRepository.history(of: id, limit: Self.markCount, in: sql)
        habits = try Self.habits(of: id, today: today, in: sql)
        open = try WorkRepository.open(of: id, limit: Self.workCount, in: sql)
        done = try StudentWork.Kind.allCases.reduce(into: [:]) {
            $0[$1] = try WorkRepository.completed(of: id, $1, limit: Self.doneCount, in: sql)
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

    static func habits(
        of id: UUID, today: Day, in sql: any SQLReading
    ) throws -> [(habit: Habit, streak: HabitStreak)] {
        let habits = try HabitRepository.habits(of: [id], in: sql)
        guard !habits.isEmpty else { return [] }
        let first = today.adding(days: -HabitStreak.horizon)
        let done = try HabitRepository.doneDays(of: habits.map(\.id), since: first, in: sql)
        let absences = try AttendanceRepository.absences(of: id, since: first, in: sql)
        let schoolDays = try AttendanceRepository.schoolDays(of: id, since: first, in: sql)
        return habits.map { habit in
            (
                habit,
                HabitStreak(
                    habit, done: done[habit.id] ?? [], excused: absences, schoolDays: schoolDays,
                    since: max(first, done[habit.id]?.min() ?? today), today: today)
            )
        }
    }

    /// The other children of the child's classes, once each, in the order of a class list.
    static func classmates(
        of id: UUID, in rooms: [UUID], _ membership: ActiveMembership, _ sql: any SQLReading
    ) throws -> [Student] {
        var seen: Set<UUID> = [id]
        return try rooms.flatMap {
            try StudentRepository.students(of: $0, orgId: membership.organization.id, in: sql)
        }.filter { seen.insert($0.id).inserted }
    }
}

/// How the people and tags in observations are called.
struct RecordNames: Sendable {
    let people: [UUID: PersonName]
    let tags: [UUID: Tag]

    init(
        _ observations: [Observation], speakers: [UUID] = [], taxonomy: (any Taxonomy)?, language: Language,
        in sql: any SQLReading
    ) throws {
        let ids = Set(
            observations.flatMap { $0.taggedStudentIds + [$0.createdByGuideId, $0.primaryStudentId] } + speakers)
        people = try StudentRepository.names(ofPeople: Array(ids), in: sql)
        let used = Set(observations.flatMap(\.tagIds))
        tags = used.isEmpty ? [:] : try taxonomy?.tags(used, in: language, sql) ?? [:]
    }
}
