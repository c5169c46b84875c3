import Domain
import Foundation
import ScreenKit
import Synchronization
import TestKit
import Testing

@testable import FeatureKit
@testable import FeatureRuntime

/// Schools whose databases refuse to write while a test wants them to.
private final class FailingSchools: SchoolDatabases {
    private let schools: any SchoolDatabases
    private let failure = Mutex<DatabaseFault?>(nil)

    init(_ schools: any SchoolDatabases) { self.schools = schools }

    func fail(with fault: DatabaseFault?) { failure.withLock { $0 = fault } }

    func school(_ id: UUID) async throws -> any Database {
        let failure = failure.withLock { $0 }
        let database = try await schools.school(id)
        return failure.map { RefusingDatabase(database: database, fault: $0) } ?? database
    }

    func create(_ id: UUID) async throws -> any Database { try await schools.create(id) }
}

private struct RefusingDatabase: Database {
    let database: any Database
    let fault: DatabaseFault

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLReading) throws -> Value
    ) async throws -> Value {
        try await database.read(work)
    }

    func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLWriting) throws -> Value
    ) async throws -> Value {
        throw fault
    }
}

@Suite("Pending changes of the directory")
struct PendingChangesTests {
    private let school: TestSchool
    private let guide: Caller
    private let schools: FailingSchools
    private let pipeline: Pipeline
    private let reported = NumberRecorder()

    init() async throws {
        school = try await TestSchool([makeNotes(Calls())])
        guide = school.makeCaller(.guide)
        schools = FailingSchools(school.environment.schools)
        let (fixture, reported) = (school.environment, reported)
        pipeline = Pipeline(
            directory: fixture.directory, schools: schools, blobs: fixture.blobs, hub: fixture.hub,
            clock: fixture.clock,
            ids: fixture.ids, hasher: fixture.hasher, report: { _ in reported.append(1) })
    }

    private func rename(_ name: String) async throws -> Pipeline.Outcome {
        let command = try #require(
            school.environment.features.flatMap(\.endpoints.commands).first { $0.contract.name == "school.rename" })
        // The request can read the school; only the write after the directory's commit fails.
        let context = try await school.environment.context(of: guide)
        return try await pipeline.execute(command, ["name": .text(name)], isForm: false, key: nil, in: context)
    }

    private func waiting() async throws -> Int {
        try await school.environment.directory.read { try $0.rows("SELECT id FROM pending_changes").count }
    }

    private func runJob() async {
        let runner = JobRunner(
            [pipeline.pendingChangesJob], directory: school.environment.directory, schools: schools,
            allSchools: { [] },
            hub: school.environment.hub, clock: school.environment.clock, ids: school.environment.ids,
            report: { _ in })
        await runner.runDue()
    }

    @Test(
        "a command succeeds although its entry cannot be written into the school's log, and the job writes the entry once"
    )
    func survivesTheGap() async throws {
        let done = school.clock.now
        schools.fail(with: .cannotWrite("the disk is full"))
        #expect(try await rename("Fir").status == 200)
        #expect(reported.all == [1], "the failure is reported")
        #expect(try await school.changes().isEmpty)
        #expect(try await waiting() == 1)
        school.clock.advance(by: 90)
        await runJob()
        #expect(try await waiting() == 1, "what fails again waits on")
        schools.fail(with: nil)
        school.clock.advance(by: 90)
        for _ in 0..<3 {
            await runJob()
            school.clock.advance(by: 90)
        }
        let changes = try await school.changes()
        #expect(changes.map(\.change.kind) == ["school.renamed"])
        #expect(changes.first?.actorId == guide.membership?.personId)
        #expect(changes.first?.at == done, "the entry has the time of the command")
        #expect(try await waiting() == 0)
        #expect(try await ChangeLog.verify(school.database).isIntact)
    }

    @Test("an entry that the school already has is not appended again")
    func carriesOnce() async throws {
        schools.fail(with: .busy)
        _ = try await rename("Fir")
        let rows = try await school.environment.directory.read { try $0.rows("SELECT * FROM pending_changes") }
        let row = try #require(rows.first)
        schools.fail(with: nil)
        await runJob()
        // As after a crash between the commits of the school and of the directory.
        let (id, changes): (UUID, String) = (try row.get("id"), try row.get("changes"))
        let schoolId = school.organization.id
        func putBack() async throws {
            try await school.environment.directory.write { sql in
                try sql.execute(
                    """
                    INSERT INTO pending_changes (seq, id, school_id, at, actor_id, changes)
                    VALUES (1, \(id), \(schoolId), \(Date(timeIntervalSince1970: 0)), NULL, \(changes))
                    """)
            }
        }
        try await putBack()
        // A week later, while another command copies its own entry.
        school.clock.advance(by: 7 * PendingChanges.memory)
        _ = try await rename("Oak")
        #expect(try await school.changes().count == 2)
        #expect(try await waiting() == 0)
        await runJob()
        #expect(try await school.changes().count == 2)
    }

    @Test("waiting entries are logged before those of later commands, in the order of the directory's commits")
    func keepsTheOrder() async throws {
        schools.fail(with: .busy)
        for name in ["a", "b", "c"] {
            school.clock.advance(by: 1)
            _ = try await rename(name)
        }
        schools.fail(with: nil)
        school.clock.advance(by: 1)
        _ = try await rename("d")
        let changes = try await school.changes()
        #expect(changes.count == 4)
        #expect(changes.map(\.at) == changes.map(\.at).sorted())
        #expect(try await waiting() == 0)
    }

    @Test("thirty simultaneous commands leave thirty entries, and none waits")
    func atOnce() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<30 { group.addTask { _ = try await rename("\(number)") } }
            try await group.waitForAll()
        }
        #expect(try await school.changes().count == 30)
        #expect(try await waiting() == 0)
    }

    @Test("entries of a deleted school are dropped")
    func dropsTheDeleted() async throws {
        schools.fail(with: .busy)
        _ = try await rename("Fir")
        schools.fail(with: .missing)
        await runJob()
        #expect(try await waiting() == 0)
    }
}

@Suite("Idempotency after an erasure")
struct ForgottenAnswerTests {
    @Test("a repeated request after an erasure has no second effect, and its answer says that it was done")
    func replays() async throws {
        let calls = Calls()
        let school = try await TestSchool([makeNotes(calls)])
        let guide = school.makeCaller(.guide)
        try await school.execute("notes.write", ["body": "Zephyrine"], as: guide, key: "key-00001")
        try await school.execute("school.rename", ["name": "Zephyrine"], as: guide, key: "key-00002")
        let subject = RecordSubject(
            schoolId: school.organization.id, personId: UUID(), accountId: nil, placeholder: "x")
        for kind in KernelRecordStore.kinds {
            let database = kind.store == .school ? school.database : school.environment.directory
            for statement in kind.tables.compactMap({ $0.erase?(subject) }) {
                try await database.write { _ = try $0.execute(statement) }
            }
        }
        let stored = try await school.database.read { sql in
            try sql.rows("SELECT body, feedback, destination FROM idempotency").flatMap(\.values)
        }
        #expect(stored == [.text(""), .null, .null])
        let again = try await school.execute("notes.write", ["body": "Zephyrine"], as: guide, key: "key-00001")
        #expect(again.isReplay && again.status == 201)
        #expect(again.body == Data(#"{"done":true}"#.utf8))
        #expect(try JSON.decode(Done.self, from: again.body) == Done())
        let renamed = try await school.execute("school.rename", ["name": "Zephyrine"], as: guide, key: "key-00002")
        #expect(renamed.isReplay && renamed.status == 200)
        #expect(calls["run"] == 2)
    }
}
