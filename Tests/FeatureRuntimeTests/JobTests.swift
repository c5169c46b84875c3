import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import Synchronization
import TestKit
import Testing

@Suite("Jobs")
struct JobTests {
    private final class Journal: Sendable {
        private let recorded = Mutex<[String]>([])
        var lines: [String] { recorded.withLock { $0 } }
        func add(_ line: String) { recorded.withLock { $0.append(line) } }
    }

    private func runner(
        _ jobs: [Job], _ fixture: TestEnvironment, _ schools: [UUID] = [], faults: Journal = Journal()
    ) -> JobRunner {
        JobRunner(
            jobs, directory: fixture.directory, schools: fixture.schools, allSchools: { schools }, hub: fixture.hub,
            clock: fixture.clock, ids: fixture.ids
        ) { faults.add("\($0.job) \($0.schoolId != nil) \(type(of: $0.error))") }
    }

    @Test("a job runs at the start and then once in each interval")
    func runsWhenDue() async throws {
        let fixture = try await TestEnvironment([])
        let journal = Journal()
        let runner = runner(
            [
                .server("often", every: 60) { _ in journal.add("often") },
                .server("daily", every: 86_400) { _ in journal.add("daily") },
            ], fixture)
        await runner.runDue()
        await runner.runDue()
        #expect(journal.lines == ["often", "daily"])
        fixture.clock.advance(by: 61)
        await runner.runDue()
        #expect(journal.lines == ["often", "daily", "often"])
    }

    @Test("a clock that is set back makes no job wait longer than its interval")
    func clockSetBack() async throws {
        let fixture = try await TestEnvironment([])
        let journal = Journal()
        let runner = runner([.server("often", every: 60) { _ in journal.add("often") }], fixture)
        await runner.runDue()
        fixture.clock.advance(by: -86_400)
        await runner.runDue()
        fixture.clock.advance(by: 59)
        await runner.runDue()
        #expect(journal.lines == ["often", "often"])
    }

    @Test("each school has its own run with its own database, at most two at a time")
    func runsInSchools() async throws {
        let fixture = try await TestEnvironment([])
        var ids: [UUID] = []
        for number in 0..<6 { ids.append(try await fixture.makeSchool("School \(number)").organization.id) }
        let journal = Journal()
        let inside = Mutex((now: 0, most: 0))
        let job = Job.school("each", every: 60) { context in
            inside.withLock {
                $0.now += 1; $0.most = max($0.most, $0.now)
            }
            try await context.commit(
                recording: { _ in [Change("test.done", topics: [], audience: [.school])] }, { _ in })
            journal.add(try #require(context.schoolId).uuidString)
            inside.withLock { $0.now -= 1 }
        }
        await runner([job], fixture, ids).runDue()
        #expect(Set(journal.lines) == Set(ids.map(\.uuidString)) && journal.lines.count == 6)
        #expect(inside.withLock { $0.most } <= JobRunner.width)
        let log = try await fixture.schools.school(ids[3]).read {
            try ChangeLog.changes(after: 0, limit: 9, in: $0)
        }
        #expect(log.map(\.change.kind) == ["test.done"] && log.first?.actorId == nil)
    }

    @Test("a job that fails is reported without a name, and the jobs of other schools still run")
    func survivesFailure() async throws {
        struct Broken: Error {}
        let fixture = try await TestEnvironment([])
        let school = try await fixture.makeSchool().organization.id
        let faults = Journal()
        let journal = Journal()
        let runner = runner(
            [
                .school("broken", every: 60) { _ in throw Broken() },
                .server("next", every: 60) { _ in journal.add("next") },
            ], fixture, [school, UUID()], faults: faults)
        await runner.runDue()
        #expect(faults.lines.sorted() == ["broken true Broken", "broken true DatabaseFault"])
        #expect(journal.lines == ["next"])
    }

    @Test("the jobs of a closed school pause without an error, and continue when it opens")
    func closedSchools() async throws {
        let fixture = try await TestEnvironment([])
        let ids = [
            try await fixture.makeSchool("Maple").organization.id,
            try await fixture.makeSchool("Oak").organization.id,
        ]
        let (faults, done) = (Journal(), Journal())
        let job = Job.school("each", every: 60) { context in
            try await context.commit(
                recording: { _ in [Change("test.done", topics: [], audience: [.school])] }, { _ in })
            done.add(try #require(context.schoolId).uuidString)
        }
        let runner = runner([job], fixture, ids, faults: faults)
        let files: any SchoolFiles = fixture.files
        try await files.setWritable(false, ids[0])
        await runner.runDue()
        #expect(done.lines == [ids[1].uuidString])
        try await files.setWritable(true, ids[0])
        fixture.clock.advance(by: 61)
        await runner.runDue()
        #expect(Set(done.lines) == Set(ids.map(\.uuidString)))
        #expect(faults.lines.isEmpty)
    }

    @Test("a canceled runner ends and starts no further jobs")
    func stops() async throws {
        let fixture = try await TestEnvironment([])
        let journal = Journal()
        let (begun, signal) = AsyncStream.makeStream(of: Void.self)
        let runner = runner(
            [
                .server("long", every: 1) { _ in
                    signal.finish()
                    try await Task.sleep(for: .seconds(3600))
                },
                .server("after", every: 1) { _ in journal.add("after") },
            ], fixture)
        let running = Task { await runner.run() }
        for await _ in begun {}
        running.cancel()
        await running.value
        #expect(journal.lines.isEmpty)
    }

    @Test(
        "a job that follows a kind of change runs at once for the school of the change, and once for many changes"
    )
    func follows() async throws {
        let fixture = try await TestEnvironment([])
        let school = try await fixture.makeSchool().organization.id
        let (done, signal) = AsyncStream.makeStream(of: UUID?.self)
        let runner = runner(
            [.school("told", every: 3600, after: ["thing.happened"]) { signal.yield($0.schoolId) }], fixture, [])
        let running = Task { await runner.run() }
        func publish(_ kind: String) {
            let change = Change(kind, topics: [], audience: [.school])
            fixture.hub.publish(
                [LoggedChange(seq: 1, at: fixture.clock.now, actorId: nil, change: change)], of: school)
        }
        // The runner begins to listen at some moment; other kinds of change never wake it.
        let publishing = Task {
            var published = 0
            while !Task.isCancelled {
                // Many at a time, because on a busy machine the next run may be late.
                for _ in 0..<100 {
                    publish("other.happened")
                    publish("thing.happened")
                }
                published += 100
                await Task.yield()
            }
            return published
        }
        // After a start it is due anyway.
        var ran = 0
        for await id in done {
            #expect(id == school)
            ran += 1
            if ran == 4 { break }
        }
        publishing.cancel()
        running.cancel()
        await running.value
        let published = await publishing.value
        signal.finish()
        for await _ in done { ran += 1 }
        #expect(published > ran * 10, "\(published) of them")
    }

    @Test("two blocks cannot declare the same job or kind of record")
    func refusesDoubles() throws {
        let catalog = try StringCatalog(json: Data(#"{"sourceLanguage":"en","version":"1.0","strings":{}}"#.utf8))
        func feature(_ id: String) -> Feature {
            var feature = Feature(id, catalog: catalog)
            feature.jobs = [.server("same", every: 1) { _ in }]
            feature.storage.records = [RecordKind("same", "x", personal: [], erasure: .withTime, tables: [])]
            return feature
        }
        #expect(throws: FeatureSet.Misfit.self) { try FeatureSet([feature("A"), feature("B")]) }
    }
}
