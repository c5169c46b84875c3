import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import NotificationsInterface
import OrganizationTesting
import RemindersInterface
import ScreenKit
import Synchronization
import TestKit
import Testing

@testable import Reminders

/// Work that a test names, as other blocks do.
final class TestWork: DueWorkSource {
    private let works = Mutex<[UUID: (name: NamedWork, students: [UUID: DueWork])]>([:])

    func give(_ title: String, _ id: UUID, to students: [UUID], dueAt: Date, since: Date = .distantPast) {
        works.withLock { works in
            works[id] = (
                NamedWork(title: title, course: "Algebra", path: "/tasks/\(id.text)"),
                students.reduce(into: [:]) {
                    $0[$1] = DueWork(studentId: $1, workId: id, dueAt: dueAt, since: since)
                }
            )
        }
    }

    /// A student has handed in work, or no longer has it.
    func settle(_ id: UUID, of student: UUID) { works.withLock { $0[id]?.students[student] = nil } }
    func withdraw(_ id: UUID) { works.withLock { $0[id] = nil } }

    func open(_ workIds: Set<UUID>?, dueIn span: Range<Date>, at now: Date, in sql: any SQLReading) throws
        -> [DueWork]
    {
        works.withLock { works in
            works.values.flatMap(\.students.values).filter {
                span.contains($0.dueAt) && workIds?.contains($0.workId) ?? true
            }
        }
    }

    func open(for studentId: UUID, dueIn span: Range<Date>, at now: Date, in sql: any SQLReading) throws
        -> [DueWork]
    {
        try open(nil, dueIn: span, at: now, in: sql).filter { $0.studentId == studentId }
    }

    func named(
        _ workIds: Set<UUID>, for studentId: UUID, at now: Date, in sql: any SQLReading
    ) throws -> [UUID: NamedWork] {
        works.withLock { works in works.mapValues(\.name).filter { workIds.contains($0.key) } }
    }
}

/// The people of a test who do not want to be disturbed now.
final class TestQuiet: QuietTimes {
    private let people = Mutex<Set<UUID>>([])

    func set(_ personIds: UUID...) { people.withLock { $0 = Set(personIds) } }

    func quiet(
        among personIds: Set<UUID>, at instant: Date, in timeZone: TimeZone, _ sql: any SQLReading
    ) throws -> Set<UUID> {
        people.withLock { $0.intersection(personIds) }
    }
}

/// People who turned off a category of notifications.
final class TestMuted: MutedCategories {
    private let people = Mutex<[NotificationCategory: Set<UUID>]>([:])

    func set(_ category: NotificationCategory, _ personIds: UUID...) {
        people.withLock { $0[category] = Set(personIds) }
    }

    func muted(
        _ category: NotificationCategory, among personIds: Set<UUID>, _ sql: any SQLReading
    ) throws -> Set<UUID> {
        people.withLock { $0[category]?.intersection(personIds) ?? [] }
    }
}

/// The block in a school with two students.
struct ReminderFixture: SchoolFixture {
    let school: TestSchool
    let feature: Feature
    let work = TestWork()
    let quiet = TestQuiet()
    let muted = TestMuted()
    let ana: Caller
    let ben: Caller

    init(at instant: String? = nil) async throws {
        let (work, quiet, muted) = (work, quiet, muted)
        feature = try Self.feature(work, quiet, muted)
        let clock = FixedClock()
        if let instant { clock.set(try Date(instant, strategy: .iso8601)) }
        school = try await TestSchool([TestPeople.feature(), feature], clock: clock)
        (ana, ben) = (school.makeCaller(.student), school.makeCaller(.student))
    }

    /// The block, as after a restart of the server.
    static func feature(_ work: TestWork, _ quiet: TestQuiet, _ muted: TestMuted) throws -> Feature {
        try RemindersFeature.make(
            sources: [work], quiet: quiet, muted: muted,
            school: { id in
                Organization(
                    id: id, name: "School", avatarTint: .leaf, timeZone: "America/Toronto", createdAt: .distantPast)
            })
    }

    var now: Date { school.clock.now }
    func hours(_ count: Double) -> Date { now + count * 3600 }

    /// Gives work to Ana that is due some hours from now.
    @discardableResult
    func give(_ title: String = "Essay", in hours: Double, to callers: [Caller]? = nil, since: Date = .distantPast)
        -> UUID
    {
        let id = school.ids.id(at: now)
        work.give(title, id, to: (callers ?? [ana]).map(Self.id), dueAt: self.hours(hours), since: since)
        return id
    }

    /// Runs the jobs as the server does each minute.
    func sweep() async throws {
        let id = school.organization.id
        let restarted = try Self.feature(work, quiet, muted)
        await JobRunner(
            restarted.jobs, directory: school.environment.directory, schools: school.environment.schools,
            allSchools: { [id] }, hub: school.environment.hub, clock: school.clock, ids: school.ids
        ) { fault in
            Issue.record("the job \(fault.job) failed: \(fault.error)")
        }.runDue()
    }

    /// The texts of the reminders that a person got, oldest first.
    func texts(_ caller: Caller, in language: Language = .english) async throws -> [String] {
        let audience = Audience.person(Self.id(caller))
        let kind = try #require(feature.notifications.kinds.first)
        var texts: [String] = []
        for logged in try await school.changes() where logged.change.audience.contains(audience) {
            texts.append(try await kind.show(logged, school.context(of: caller, language: language)).text)
        }
        return texts
    }

    func settings(_ caller: Caller) async throws -> ReminderSettings {
        try await school.answer(ShowReminders.self, as: caller)
    }

    func choose(_ hours: [Int], isOn: Bool = true, as caller: Caller) async throws {
        try await school.execute(
            ChooseReminders.self, ["isOn": .bool(isOn), "hours": .list(hours.map { .text("\($0)") })], as: caller)
    }
}
