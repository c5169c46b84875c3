import Domain
import Foundation
import Synchronization
import TestKit
import Testing

@testable import FeatureKit
@testable import FeatureRuntime

@Suite("The request pipeline")
struct PipelineTests {
    let calls = Calls()
    let school: TestSchool
    let guide: Caller

    init() async throws {
        school = try await TestSchool([makeNotes(calls)])
        guide = school.makeCaller(.guide)
    }

    func notes() async throws -> [String] { try await school.answer(ListNotes.self, as: guide).items }

    func problem(_ work: () async throws -> Void) async -> Problem? {
        do {
            try await work()
            return nil
        } catch {
            return error as? Problem
        }
    }

    @Test("a command runs in one transaction, and its result is the answer")
    func runs() async throws {
        let outcome = try await school.execute("notes.write", ["body": "first"], as: guide)
        #expect(outcome.status == 201)
        #expect(outcome.feedback == Feedback(.toast, "Written"))
        #expect(outcome.destination == "/notes")
        #expect(!outcome.isReplay)
        #expect(try outcome.result(WriteNote.Result.self).body == "first")
        #expect(try await notes() == ["first"])
        let changes = try await school.changes()
        #expect(changes.map(\.seq) == [1])
        #expect(changes.first?.change.kind == "notes.written")
        #expect(changes.first?.actorId == guide.membership?.personId)
        #expect(changes.first?.at == school.clock.now)
    }

    // MARK: - Idempotency

    @Test("a repeated request with the same key takes effect once and gets the same answer")
    func replays() async throws {
        let first = try await school.execute("notes.write", ["body": "once"], as: guide, key: "key-00001")
        for _ in 0..<3 {
            let again = try await school.execute("notes.write", ["body": "once"], as: guide, key: "key-00001")
            #expect(again.isReplay)
            #expect(again.body == first.body)
            #expect(again.status == 201)
            #expect(again.feedback == first.feedback)
            #expect(again.destination == first.destination)
        }
        #expect(calls["run"] == 1)
        #expect(try await school.changes().count == 1)
    }

    @Test("a request with the same key and another input, caller or command runs")
    func keyIsNotAll() async throws {
        try await school.execute("notes.write", ["body": "a"], as: guide, key: "key-00001")
        try await school.execute("notes.write", ["body": "b"], as: guide, key: "key-00001")
        try await school.execute("notes.write", ["body": "c"], as: school.makeCaller(.admin), key: "key-00001")
        try await school.execute("school.rename", ["name": "a"], as: guide, key: "key-00001")
        #expect(try await notes() == ["a", "b", "c"])
        // Fields of the transport do not make it another request.
        let replay = try await school.execute(
            "notes.write", ["_key": "x", "body": "a"], as: guide, key: "key-00001")
        #expect(replay.isReplay)
    }

    @Test("thirty simultaneous equal requests run once")
    func concurrent() async throws {
        let bodies = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<30 {
                group.addTask {
                    try await school.execute("notes.write", ["body": "once"], as: guide, key: "key-00001").body
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(bodies.count == 1)
        #expect(calls["run"] == 1)
        #expect(try await school.changes().count == 1)
    }

    @Test("every request without a key runs")
    func noKey() async throws {
        for number in 0..<3 { try await school.execute("school.rename", ["name": .text("\(number)")], as: guide) }
        #expect(calls["run"] == 3)
    }

    @Test("a refusal is not stored, so that the request can be repeated")
    func failureIsNotStored() async throws {
        let failing: InputValue = ["body": "x", "fails": true]
        for _ in 0..<2 {
            let problem = await problem {
                try await school.execute("notes.write", failing, as: guide, key: "key-00001")
            }
            #expect(problem?.code == "notes.refused")
        }
        #expect(calls["run"] == 2)
        #expect(try await notes().isEmpty)
        #expect(try await school.changes().isEmpty)
    }

    @Test(
        "a key must consist of visible ASCII characters",
        arguments: ["short", "with space 1", "ключ-ключ", "new\nline12", String(repeating: "x", count: 101)])
    func badKeys(_ key: String) async {
        let problem = await problem { try await school.execute("notes.write", ["body": "x"], as: guide, key: key) }
        #expect(problem == Problem(400, "idempotencyKey"))
        #expect(calls["run"] == 0)
    }

    @Test("only commands without preparation run on the thread that reads their connection")
    func brief() throws {
        let isBrief = try Dictionary(
            uniqueKeysWithValues: makeNotes().endpoints.commands.map { ($0.contract.name, $0.isBrief) })
        #expect(isBrief == ["notes.write": true, "school.rename": false, "token.make": true])
    }

    @Test("an answer with secrets is not stored")
    func natural() async throws {
        let first = try await school.execute("token.make", as: .nobody, key: "key-00001")
        let second = try await school.execute("token.make", as: .nobody, key: "key-00001")
        #expect(calls["token"] == 2)
        #expect(first.body != second.body)
        let stored = try await school.environment.directory.read { try $0.rows("SELECT key FROM idempotency") }
        #expect(stored.isEmpty)
    }

    // MARK: - Permissions

    @Test("each role may do what the permission allows", .requirement("PT-1.18.a"), arguments: Role.allCases)
    func permissions(_ role: Role) async {
        let caller = school.makeCaller(role)
        let problem = await problem { try await school.execute("notes.write", ["body": "x"], as: caller) }
        #expect(problem == (Permission.writeNotes.roles.contains(role) ? nil : .notAllowed))
    }

    @Test("a caller who is not signed in, or in no school, gets the matching refusal")
    func access() async throws {
        let account = Caller(account: school.environment.makeAccount(), membership: nil)
        #expect(
            await problem { try await school.execute("notes.write", ["body": "x"], as: .nobody) } == .signInNeeded)
        #expect(await problem { try await school.execute("notes.write", ["body": "x"], as: account) } == .notFound)
        #expect(await problem { _ = try await school.answer(ListNotes.self, as: .nobody) } == .signInNeeded)
        #expect(await problem { _ = try await school.answer(ListNotes.self, as: account) } == .notFound)
        #expect(
            await problem { try await school.execute("school.rename", ["name": "x"], as: .nobody) } == .signInNeeded
        )
        #expect(await problem { try await school.execute("school.rename", ["name": "x"], as: account) } == nil)
        // Permissions are checked before the input, so that callers without them learn nothing about it.
        #expect(await problem { try await school.execute("notes.write", [:], as: .nobody) } == .signInNeeded)
    }

    @Test("the database of one school cannot reach another school", .requirement("PT-2M.05.a"))
    func tenantWall() async throws {
        let other = try await school.environment.makeSchool("Birch")
        let theirs = other.makeCaller(.guide)
        try await school.execute("notes.write", ["body": "ours"], as: guide)
        #expect(try await other.answer(ListNotes.self, as: theirs).items.isEmpty)
        try await other.execute("notes.write", ["body": "theirs"], as: theirs)
        #expect(try await notes() == ["ours"])
        #expect(try await other.changes().count == 1)
        // A membership in a school that does not exist finds nothing.
        let nowhere = Caller(
            account: guide.account,
            membership: ActiveMembership(
                organization: Organization(
                    id: UUID(), name: "Nowhere", avatarTint: .clay, timeZone: "UTC", createdAt: school.clock.now),
                personId: UUID(), roles: [.guide]))
        await #expect(throws: DatabaseFault.missing) { try await school.context(of: nowhere) }
    }

    @Test("an invalid input stops a command before its transaction")
    func invalid() async {
        let problem = await problem { try await school.execute("notes.write", ["bdy": "x"], as: guide) }
        #expect(problem?.status == 422)
        #expect(problem?.faults == [Fault("body", "required"), Fault("bdy", "unknown")])
        #expect(calls["run"] == 0)
    }

    // MARK: - The change log

    @Test("the log has no gaps and is published in order, whatever fails in between")
    func log() async throws {
        let published = NumberRecorder()
        let stream = school.environment.hub.changes(of: school.organization.id)
        let reader = Task {
            for await change in stream {
                published.append(Int(change.seq))
                if change.seq == 40 { break }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let fails = number % 3 == 0
                    let problem = await problem {
                        try await school.execute(
                            "notes.write", ["body": .text("note \(number)"), "fails": .bool(fails)], as: guide)
                    }
                    #expect((problem != nil) == fails)
                }
            }
        }
        await reader.value
        #expect(published.all == Array(1...40))
        #expect(try await school.changes().map(\.seq) == Array(1...40))
        #expect(try await notes().count == 40)
    }

    @Test("the changes of a directory command are in the school's log")
    func directoryChanges() async throws {
        let stream = school.environment.hub.changes(of: school.organization.id)
        try await school.execute(RenameSchool.self, ["name": "Fir"], as: guide)
        var published = stream.makeAsyncIterator()
        #expect(await published.next()?.change.kind == "school.renamed")
        #expect(try await school.changes().map(\.change.kind) == ["school.renamed"])
        let rows = try await school.environment.directory.read { try $0.rows("SELECT name FROM names") }
        #expect(rows.count == 1)
    }

    @Test("work after the transaction runs once, and again after an interruption")
    func finish() async throws {
        try await school.execute("school.rename", ["name": "a"], as: guide, key: "key-00001")
        #expect(calls["prepare"] == 1)
        #expect(calls["finish"] == 1)
        calls.failNext("finish")
        await #expect(throws: Cut.self) {
            try await school.execute("school.rename", ["name": "b"], as: guide, key: "key-00002")
        }
        let repeated = try await school.execute("school.rename", ["name": "b"], as: guide, key: "key-00002")
        #expect(repeated.isReplay)
        #expect(calls["run"] == 2)
        #expect(calls["finish"] == 3)
    }

    // MARK: - Errors

    @Test(
        "failures of databases are answered as problems",
        arguments: [
            (DatabaseFault.cannotWrite("disk"), Problem(507, "cannotWrite", retryAfter: 30)),
            (.busy, Problem(503, "busy", retryAfter: 2)), (.closed, Problem(503, "busy", retryAfter: 2)),
            (.damaged, Problem(503, "schoolDamaged")), (.missing, .notFound),
        ])
    func translation(_ fault: DatabaseFault, _ expected: Problem) async {
        let problem = await problem { try await Pipeline.translatingFaults { throw fault } }
        #expect(problem == expected)
    }

    @Test(
        "an error of the program is not answered as a problem",
        arguments: [DatabaseFault.notUnique("x"), .other("y"), .constraint("z")])
    func untranslated(_ fault: DatabaseFault) async {
        await #expect(throws: fault) { try await Pipeline.translatingFaults { throw fault } }
    }

    @Test("stored answers and the log are found through an index")
    func plans() async throws {
        try await school.expectIndexed("SELECT status FROM idempotency WHERE key = \("k")")
        try await school.expectIndexed("SELECT * FROM change_log WHERE seq > \(5) ORDER BY seq LIMIT \(10)")
        try await school.expectIndexed("SELECT MAX(seq) FROM change_log", allowing: [])
    }

    @Test("equal inputs have the same canonical text, and different ones never do")
    func canonical() throws {
        let left: InputValue = ["a": "x", "b": ["c": 1, "d": nil]]
        let right: InputValue = ["b": ["d": nil, "c": 1], "a": "x", "_key": "ignored"]
        #expect(try left.canonical() == right.canonical())
        let different: [InputValue] = [
            ["a": "x", "b": "y"], ["a=1:x,b": "y"], ["a": "x,b=1:y"], ["a": ["x", "y"]], ["a": ["xy"]], ["a": 1],
            ["a": "1"],
            ["a": true], ["a": "true"], ["a": nil], ["a": [:]], ["a": []], ["a": [nil]],
        ]
        #expect(try Set(different.map { try $0.canonical() }).count == different.count)
    }
}
