public import Domain
public import FeatureKit
public import Foundation
import Synchronization

/// What went wrong with a job, without anybody's name.
public struct JobFault: Sendable {
    public let job: String
    public let schoolId: UUID?
    public let error: any Error
}

/// Runs the jobs of all blocks when they are due.
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

    /// How many schools are worked on at a time; people's requests come first.
    public static let width = 2
    /// Seconds between two looks at what is due.
    public static let pause: TimeInterval = 60
    /// How long what happens in a school is gathered before a job follows it: a hundred messages in a second are five
    /// occasions, not a hundred, and nobody waits for what a job does.
    static let gathering = Duration.milliseconds(200)

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

    /// Runs what is due until the task is cancelled. A portion of work that has begun ends whole: its
    /// transaction is committed or was never there.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for job in jobs where !job.follows.isEmpty { group.addTask { await self.follow(job) } }
            await runByTheClock()
        }
    }

    /// Does a job for each school in which something happened that it follows. A change that is missed here is found
    /// when the job's turn comes.
    private func follow(_ job: Job) async {
        let gathered = Gathered()
        await withDiscardingTaskGroup { group in
            for await schoolId in hub.schools(withNewsOf: job.follows) where gathered.begin(schoolId) {
                group.addTask {
                    do {
                        try await Task.sleep(for: Self.gathering)
                    } catch {
                        return
                    }
                    // Before the work: what happens during it is an occasion of its own.
                    gathered.end(schoolId)
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

    /// Runs what is due now, one job after the other, and returns when all have ended.
    public func runDue() async {
        for job in jobs where !Task.isCancelled && isDue(job) {
            if job.isPerSchool { await runInEachSchool(job) } else { await run(job, of: nil) }
        }
    }

    /// The first look after a start finds everything due: nobody knows what a stopped server missed.
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
            // The server stops; the next start finds the job due.
        } catch DatabaseFault.closed {
            // A closed school rests; the job is due again when it opens.
        } catch DatabaseFault.damaged {
            // Told once, when its file was opened.
        } catch {
            report(JobFault(job: job.id, schoolId: schoolId, error: error))
        }
    }
}

/// The schools whose news is being gathered for a job.
private final class Gathered: Sendable {
    private let schools = Mutex<Set<UUID>>([])

    /// Whether this school's news begins an occasion.
    func begin(_ schoolId: UUID) -> Bool { schools.withLock { $0.insert(schoolId).inserted } }

    func end(_ schoolId: UUID) { schools.withLock { _ = $0.remove(schoolId) } }
}
