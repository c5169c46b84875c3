import Domain
public import Foundation

/// Work that a block does by itself, again and again.
public struct Job: Sendable {
    /// `records.expire`: unique, and safe to log.
    public let id: String
    /// Seconds from one beginning to the next.
    public let interval: TimeInterval
    /// Kinds of change after which it is done at once for their school, beside its turn.
    public let follows: Set<String>
    package let isPerSchool: Bool
    package let work: @Sendable (JobContext) async throws -> Void

    /// Work on the directory and whatever else belongs to no school.
    public static func server(
        _ id: String, every interval: TimeInterval, _ work: @escaping @Sendable (JobContext) async throws -> Void
    ) -> Job {
        Job(id: id, interval: interval, follows: [], isPerSchool: false, work: work)
    }

    /// Work that is done for each school on its own; one that fails does not keep the others from theirs.
    /// - Parameter follows: kinds of change after which it is also done at once; it may then run twice at a time.
    public static func school(
        _ id: String, every interval: TimeInterval, after follows: Set<String> = [],
        _ work: @escaping @Sendable (JobContext) async throws -> Void
    ) -> Job {
        Job(id: id, interval: interval, follows: follows, isPerSchool: true, work: work)
    }
}

/// What a job may use. Whatever it does must be safe to repeat: a server may stop at any point.
public struct JobContext: Sendable {
    public let now: Date
    public let ids: any IDGenerator
    public let directory: any Database
    /// The school that the job is done for.
    public let schoolId: UUID?
    /// That school's database, else the directory.
    public let database: any Database
    private let publish: @Sendable ([LoggedChange]) -> Void

    /// - Parameter publish: is given what was recorded, after the commit.
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

    /// Changes rows in one transaction; what is recorded goes into the school's log.
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
