public import Domain
public import FeatureKit
public import Foundation
import Synchronization

/// The failure of a job in one run. It names no person, so that it may be logged.
public struct JobFault: Sendable {
    public let job: String
    /// The school that the job ran for; `nil` for a job of the server.
    public let schoolId: UUID?
    public let error: any Error
}

/// Runs the jobs of all feature blocks when they are due.
public final class JobRunner: Sendable {
    private let jobs: [Job]
    private let directory: any Database
    private let schools: any SchoolDatabases
    private let allSchools: @Sendable () async throws -> [UUID]
    private let hub: ChangeHub
    private let clock: any WallClock
    private let ids: any IDGenerator
    private let report: @Sendable (JobFault) -> Void
    private let begun = Mutex<[String: Date]>([:])

    /// The number of schools that are processed at the same time. It is small, because requests have priority.
    public static let width = 2
    /// The number of seconds between two checks of which jobs are due.
    public static let pause: TimeInterval = 60
    /// The time for which changes of a school are collected before a job that follows them runs.
    ///
    /// Thus a hundred messages within a second cause at most five runs.
    static let collectingTime = Duration.milliseconds(200)

    public init(
        _ jobs: [Job], directory: any Database, schools: any SchoolDatabases,
        allSchools: @escaping @Sendable () async throws -> [UUID], hub: ChangeHub, clock: any WallClock,
        ids: any IDGenerator, report: @escaping @Sendable (JobFault) -> Void
    ) {
        self.jobs = jobs
        self.directory = directory
        self.schools = schools
        self.allSchools = allSchools
        self.hub = hub
        self.clock = clock
        self.ids = ids
        self.report = report
    }

    /// Runs jobs when they are due, until the task is canceled. A transaction that has begun is completed or rolled
    /// back.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for job in jobs where !job.follows.isEmpty { group.addTask { await self.follow(job) } }
            await runByTheClock()
        }
    }

    /// Runs a job for each school with changes that the job follows. A change that is missed here is processed at the
    /// job's next interval.
    private func follow(_ job: Job) async {
        let collecting = CollectingSchools()
        await withDiscardingTaskGroup { group in
            for await schoolId in hub.schools(withChangesOf: job.follows) where collecting.begin(schoolId) {
                group.addTask {
                    do {
                        try await Task.sleep(for: Self.collectingTime)
                    } catch {
                        return
                    }
                    // Before the run, so that changes during it cause another run.
                    collecting.end(schoolId)
                    await self.run(job, of: schoolId)
                }
            }
        }
    }

    private func runByTheClock() async {
        while !Task.isCancelled {
            await runDue()
            do {
                try await Task.sleep(for: .seconds(Self.pause))
            } catch {
                return
            }
        }
    }

    /// Runs the jobs that are due now, one after the other, and returns when all have ended.
    public func runDue() async {
        for job in jobs where !Task.isCancelled && isDue(job) {
            if job.isPerSchool { await runInEachSchool(job) } else { await run(job, of: nil) }
        }
    }

    /// Every job is due at the first check after a start, because the server may have missed some while it was
    /// stopped.
    private func isDue(_ job: Job) -> Bool {
        let now = clock.now
        return begun.withLock { begun in
            // A job that began after now is due: the clock was set back.
            if let last = begun[job.id], (0..<job.interval).contains(now.timeIntervalSince(last)) { return false }
            begun[job.id] = now
            return true
        }
    }

    private func runInEachSchool(_ job: Job) async {
        let all: [UUID]
        do {
            all = try await allSchools()
        } catch {
            report(JobFault(job: job.id, schoolId: nil, error: error))
            return
        }
        await withTaskGroup(of: Void.self) { group in
            for (index, id) in all.enumerated() where !Task.isCancelled {
                if index >= Self.width { await group.next() }
                group.addTask { await self.run(job, of: id) }
            }
        }
    }

    private func run(_ job: Job, of schoolId: UUID?) async {
        do {
            var database = directory
            if let schoolId { database = try await schools.school(schoolId) }
            try await job.work(
                JobContext(
                    now: clock.now, ids: ids, directory: directory, schoolId: schoolId, database: database,
                    publish: { [hub] logged in if let schoolId { hub.publish(logged, of: schoolId) } }))
        } catch is CancellationError {
            // The server stops. The job is due again at the next start.
        } catch DatabaseFault.closed {
            // Jobs do not run for closed schools. The job is due again when the school opens.
        } catch DatabaseFault.damaged {
            // Was reported when the file was opened.
        } catch {
            report(JobFault(job: job.id, schoolId: schoolId, error: error))
        }
    }
}

/// The schools whose changes are being collected for a job.
private final class CollectingSchools: Sendable {
    private let schools = Mutex<Set<UUID>>([])

    /// Starts collecting for a school; `false` if that has started already.
    func begin(_ schoolId: UUID) -> Bool { schools.withLock { $0.insert(schoolId).inserted } }

    func end(_ schoolId: UUID) { schools.withLock { _ = $0.remove(schoolId) } }
}
