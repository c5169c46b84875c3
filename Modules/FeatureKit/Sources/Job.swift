import Domain
public import Foundation

/// Background work that a feature block does by itself at intervals.
public struct Job: Sendable {
    /// The name of the job, unique and safe to log: `records.expire`.
    public let id: String
    /// The number of seconds from one start of the job to the next.
    public let interval: TimeInterval
    /// Kinds of change after which the job runs at once for their school, in addition to its intervals.
    public let follows: Set<String>
    package let isPerSchool: Bool
    package let work: @Sendable (JobContext) async throws -> Void

    /// Creates a job on the server's directory database, or on anything else that belongs to no school.
    public static func server(
        _ id: String, every interval: TimeInterval, _ work: @escaping @Sendable (JobContext) async throws -> Void
    ) -> Job {
        Job(id: id, interval: interval, follows: [], isPerSchool: false, work: work)
    }

    /// Creates a job that runs for each school separately; a failure in one school does not affect the others.
    /// - Parameter follows: kinds of change after which the job also runs at once. It may then run twice at the same
    ///   time.
    public static func school(
        _ id: String, every interval: TimeInterval, after follows: Set<String> = [],
        _ work: @escaping @Sendable (JobContext) async throws -> Void
    ) -> Job {
        Job(id: id, interval: interval, follows: follows, isPerSchool: true, work: work)
    }
}

/// The services and values that a job may use. A job must be safe to repeat, because a server may stop at any point.
public struct JobContext: Sendable {
    public let now: Date
    public let ids: any IDGenerator
    public let directory: any Database
    /// The school that the job runs for; `nil` for a job of the server.
    public let schoolId: UUID?
    /// The school's database; for a job of the server, its directory database of accounts and schools.
    public let database: any Database
    private let publish: @Sendable ([LoggedChange]) -> Void

    /// Creates the context of one run.
    /// - Parameter publish: receives the recorded changes after the commit.
    package init(
        now: Date, ids: any IDGenerator, directory: any Database, schoolId: UUID?, database: any Database,
        publish: @escaping @Sendable ([LoggedChange]) -> Void
    ) {
        self.now = now
        self.ids = ids
        self.directory = directory
        self.schoolId = schoolId
        self.database = database
        self.publish = publish
    }

    /// Runs one write transaction, and appends the changes to the school's log in it.
    /// - Parameter recording: returns the changes for what `work` returned; a job of the server records none.
    @discardableResult
    public func commit<Value: Sendable>(
        recording: @escaping @Sendable (Value) -> [Change] = { _ in [] },
        _ work: @escaping @Sendable (any SQLWriting) throws -> Value
    ) async throws -> Value {
        let (now, publish, isSchool) = (now, publish, schoolId != nil)
        return try await database.write { sql in
            let value = try work(sql)
            guard isSchool else { return value }
            let logged = try ChangeLog.append(recording(value), at: now, actor: nil, in: sql)
            if !logged.isEmpty { sql.afterCommit { publish(logged) } }
            return value
        }
    }
}
