import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import Persistence
import RosterInterface
import RosterTesting
import ScreenKit
import TestKit
import Testing

@testable import Classroom
@testable import Organization
@testable import Roster

@Suite("Undoing an import") struct RosterUndoTests {
    let fixture: RosterFixture

    init() async throws { fixture = try await RosterFixture() }

    // MARK: - Actions

    private func importing(_ sample: RosterSample) async throws -> UUID {
        try #require(try await fixture.importing(sample.bundle).importId)
    }

    private func preview(_ id: UUID) async throws -> RosterUndo {
        try await fixture.school.environment.answer(PreviewUndo.self, ["importId": .id(id)], as: fixture.admin)
    }

    @discardableResult
    private func undo(_ id: UUID, as caller: Caller? = nil) async throws -> RosterUndo {
        try await fixture.school.execute("roster.undo", ["importId": .id(id)], as: caller ?? fixture.admin).result()
    }

    private func write(_ sql: SQL) async throws {
        try await fixture.school.database.write { _ = try $0.execute(sql) }
    }

    private func id(_ sourcedId: String) async throws -> UUID {
        try #require(try await fixture.people()[sourcedId]).id
    }

    // MARK: - Unchanged imports

    @Test(
        "an undo reverts exactly what the import did, and a second undo changes nothing",
        .requirement("BY-1.14.e"))
    func wholly() async throws {
        let before = try await fixture.sizes()
        let id = try await importing(RosterSample())
        let planned = try await preview(id)
        #expect(planned.stepCount == 15 + 2 + 6 + 2 + 6 + 9 + 6 && planned.keptCount == 0 && !planned.isApplied)
        #expect(try await fixture.people().count == 15, "looking changes nothing")
        let done = try await undo(id)
        #expect(done.isApplied && done.stepCount == planned.stepCount && done.keptCount == 0)
        #expect(done.steps.contains { $0.sentence == "Remove Olu Berg-de" })
        var after = try await fixture.sizes()
        #expect(after.removeValue(forKey: "log") == 2)
        #expect(after == before.filter { $0.key != "log" })
        #expect(try await fixture.memberCount() == 0)
        let again = try await undo(id)
        #expect(again.stepCount == 0 && again.keptCount == 0)
        let changes = try await fixture.school.changes()
        #expect(changes.map(\.change.kind) == ["roster.imported", "roster.undone"])
        #expect(changes.last?.change.payload["undone"] == "46")
    }

    @Test("after an undo the same bundle can be imported again")
    func anew() async throws {
        try await undo(try await importing(RosterSample()))
        let report = try await fixture.importing(RosterSample().bundle)
        #expect(report.counts.peopleCreated == 15 && report.counts.rolesGiven == 9)
        #expect(try await fixture.memberCount() == 9)
    }

    @Test("an undo restores former names, addresses and classrooms")
    func restores() async throws {
        try await fixture.importing(RosterSample().bundle)
        let (people, holdings) = (try await fixture.people(), try await fixture.holdings())
        var sample = RosterSample()
        sample.replace("Oluwaseun,Berg-de", with: "Oluwaseun,Bergström", in: "users.csv")
        sample.replace("guide-0@maple.example", with: "g0@maple.example", in: "users.csv")
        sample.replace(",M-0-0,", with: ",2026-014,", in: "users.csv")
        sample.replace("Casa 1", with: "Casa Ébène", in: "classes.csv")
        sample.append(RosterSample.enrollment("class-1", "student-0-0", "student"), to: "enrollments.csv")
        let done = try await undo(try await importing(sample))
        #expect(done.stepCount == 5)
        #expect(try await fixture.people() == people)
        #expect(try await fixture.holdings() == holdings)
    }

    // MARK: - Changes since the import

    /// A change to the student `student-0-0` after the import, and the reason in the report.
    enum Since: String, CaseIterable, Sendable {
        case attendance, notes, picture, renamed, elsewhere, role, account, invite, acted, family

        var sentence: String {
            switch self {
            case .attendance: "There are new records about"
            case .notes: "Notes about"
            case .picture: "or a photo were added"
            case .renamed: "was changed by hand since"
            case .elsewhere: "is in another classroom now"
            case .role: "has another role now"
            case .account: "has signed in since"
            case .family: "linked to another family since"
            case .invite, .acted: "There are new records about"
            }
        }
    }

    @Test(
        "a student who was changed since the import stays with her places and a reason, and all others are removed",
        arguments: Since.allCases)
    func changedSince(_ since: Since) async throws {
        let importId = try await importing(RosterSample())
        let child = try await id("student-0-0")
        let orgId = fixture.school.organization.id
        switch since {
        case .attendance:
            try await write(
                """
                INSERT INTO attendance_marks (student_id, day, status, marked_by, marked_at)
                VALUES (\(child), '2026-11-20', 'present', \(child), 1)
                """)
        case .notes: try await write("UPDATE students SET notes = 'Likes the pink tower' WHERE id = \(child)")
        case .picture:
            let hash = BlobHash(of: [1])
            try await write("UPDATE students SET picture = \(hash) WHERE id = \(child)")
        case .renamed: try await write("UPDATE people SET given_name = 'Zoé' WHERE id = \(child)")
        case .elsewhere:
            let room = try #require(try await fixture.holdings().classrooms.first { $0.externalId == "class-1" }).id
            try await write("INSERT INTO classroom_students (classroom_id, student_id) VALUES (\(room), \(child))")
        case .role: try await fixture.memberships.give(.parent, to: [child], in: orgId)
        case .account: try await write("UPDATE people SET account_id = \(UUID()) WHERE id = \(child)")
        case .family:
            let guide = try await id("guide-0")
            try await fixture.school.database.write { sql in
                try SQLFamilyImport().link(
                    [FamilyLink(guardianId: guide, childId: child)], by: nil, at: fixture.school.clock.now, in: sql)
            }
        case .acted:
            let change = Change("quest.played", topics: [], audience: Audience.roles([.admin]))
            try await fixture.school.database.write { sql in
                _ = try ChangeLog.append([change], at: fixture.school.clock.now, actor: child, in: sql)
            }
        case .invite:
            try await fixture.school.environment.directory.write { sql in
                try sql.execute(
                    """
                    INSERT INTO invites (id, org_id, code, role, person_id, created_by, created_at)
                    VALUES (\(UUID()), \(orgId), 'A', 'student', \(child), \(child), 1)
                    """)
            }
        }
        let done = try await undo(importId)
        #expect(done.kept.contains { $0.contains(since.sentence) }, "\(done.kept)")
        let stay = since == .family ? ["guide-0", "student-0-0"] : ["student-0-0"]
        #expect(try await fixture.people().map(\.key).sorted() == stay)
        let holdings = try await fixture.holdings()
        #expect(holdings.students == [child])
        #expect(holdings.studentPlaces.contains { $0.personId == child }, "who stays keeps their place")
        #expect(holdings.classrooms.map(\.externalId).contains("class-0"), "a classroom with a student in it stays")
        #expect(done.kept.contains("Someone is still in the classroom Casa 0."))
        #expect(holdings.guidePlaces.isEmpty == (since != .family))
    }

    @Test("a person whose later records are gone is removed by the next undo")
    func rest() async throws {
        let importId = try await importing(RosterSample())
        let child = try await id("student-0-0")
        try await write("UPDATE students SET notes = 'x' WHERE id = \(child)")
        #expect(try await undo(importId).keptCount == 2)
        try await write("UPDATE students SET notes = NULL WHERE id = \(child)")
        let second = try await undo(importId)
        #expect(second.keptCount == 0)
        #expect(try await fixture.people().isEmpty)
        #expect(try await fixture.holdings().classrooms.isEmpty)
    }

    @Test("things removed by hand are skipped, and a renamed classroom stays")
    func gone() async throws {
        let importId = try await importing(RosterSample())
        let parent = try await id("parent-0-0")
        try await write("DELETE FROM people WHERE id = \(parent)")
        try await write("UPDATE classrooms SET name = 'Casa Noire' WHERE external_id = 'class-1'")
        let done = try await undo(importId)
        #expect(done.keptCount == 2)
        #expect(done.kept.contains("Casa Noire was changed by hand since then."))
        #expect(done.kept.contains { $0.hasSuffix("was already removed by hand.") })
        #expect(try await fixture.people().isEmpty)
        #expect(try await fixture.holdings().classrooms.map(\.name) == ["Casa Noire"])
    }

    @Test("an undo of the first import keeps what the second one did")
    func laterImport() async throws {
        let first = try await importing(RosterSample(rooms: 1))
        let second = try await importing(RosterSample(rooms: 2))
        try await undo(first)
        #expect(try await fixture.holdings().classrooms.map(\.externalId) == ["class-1"])
        #expect(try await fixture.people().keys.filter { $0.hasPrefix("student-0") }.isEmpty)
        try await undo(second)
        #expect(try await fixture.people().isEmpty)
    }

    // MARK: - Roles

    @Test("an undo keeps roles that people had before the import")
    func heldBefore() async throws {
        try await fixture.importing(RosterSample().bundle)
        let (parent, orgId) = (try await id("parent-0-0"), fixture.school.organization.id)
        try await fixture.memberships.give(.admin, to: [parent], in: orgId)
        var sample = RosterSample()
        sample.append(RosterSample.role("parent-0-0", "administrator"), to: "roles.csv")
        let importId = try await importing(sample)
        try await undo(importId)
        #expect(try await fixture.roles(of: parent) == [.admin, .parent])
    }

    @Test("nobody can remove her own role by an undo")
    func oneself() async throws {
        try await fixture.importing(RosterSample().bundle)
        let parent = try await id("parent-0-0")
        var sample = RosterSample()
        sample.append(RosterSample.role("parent-0-0", "administrator"), to: "roles.csv")
        let importId = try await importing(sample)
        let caller = Caller(
            account: fixture.admin.account,
            membership: ActiveMembership(
                organization: fixture.school.organization, personId: parent, roles: [.admin]))
        let done = try await undo(importId, as: caller)
        #expect(done.stepCount == 0 && done.kept.count == 1)
        #expect(done.kept.allSatisfy { $0.contains("is you") })
        #expect(try await fixture.roles(of: parent) == [.admin, .parent])
        try await undo(importId)
        #expect(try await fixture.roles(of: parent) == [.parent])
    }

    @Test("an undo that was interrupted between the two databases is completed by the next one")
    func interrupted() async throws {
        let importId = try await importing(RosterSample())
        let outside = try await fixture.roster.directoryState(
            importId, in: fixture.school.database, directory: fixture.school.environment.directory,
            of: fixture.school.organization.id, actor: nil)
        let (roster, orgId, now) = (fixture.roster, fixture.school.organization.id, fixture.school.clock.now)
        // Only the school's transaction, as before a crash.
        try await fixture.school.database.write { sql in
            try roster.apply(
                roster.undoPlan(importId, outside, of: orgId, in: sql), to: importId, at: now, in: sql)
        }
        #expect(try await fixture.memberCount() == 9)
        try await undo(importId)
        #expect(try await fixture.memberCount() == 0)
    }

    // MARK: - Failures

    @Test("an import or undo that fails in the middle changes nothing")
    func failing() async throws {
        let importId = try await importing(RosterSample())
        let (people, holdings, sizes) = (
            try await fixture.people(), try await fixture.holdings(), try await fixture.sizes()
        )
        let (broken, orgId) = (fixture.roster(over: FailingPeople()), fixture.school.organization.id)
        let (database, directory) = (fixture.school.database, fixture.school.environment.directory)
        let words = try fixture.school.environment.words(.english)
        await #expect(throws: FailingPeople.Stopped.self) {
            try await broken.undo(
                importId, in: database, directory: directory, of: orgId, by: nil, dryRun: false, words: words)
        }
        await #expect(throws: FailingPeople.Stopped.self) {
            try await broken.run(
                RosterSample(rooms: 3).bundle, into: database, of: orgId, in: .gmt, by: nil, dryRun: false,
                isConfirmed: false, words: words)
        }
        #expect(try await fixture.people() == people)
        #expect(try await fixture.holdings() == holdings)
        #expect(try await fixture.sizes() == sizes)
        #expect(try await preview(importId).stepCount == 46)
    }

    // MARK: - Permissions and retention

    @Test("only people who may import can undo, and an unknown import is not found")
    func permission() async throws {
        let importId = try await importing(RosterSample())
        for role in [Role.guide, .parent, .student, .warden] {
            let caller = fixture.school.makeCaller(role)
            #expect(try await problem { _ = try await undo(importId, as: caller) } == .notAllowed)
        }
        #expect(try await problem { _ = try await undo(UUID()) } == .notFound)
        #expect(try await fixture.people().count == 15)
    }

    @Test("import records are deleted after their retention time, and a person's rows with the person")
    func records() async throws {
        let importId = try await importing(RosterSample())
        let child = try await id("student-0-0")
        let kind = try #require(RosterRecordStore.kinds.first { $0.id == "roster.imports" })
        let subject = RecordSubject(
            schoolId: fixture.school.organization.id, personId: child, accountId: nil, placeholder: "")
        let (database, now) = (fixture.school.database, fixture.school.clock.now)
        let about = try await database.read { sql in
            try kind.tables.flatMap { try $0.about.map { try sql.rows($0(subject)) } ?? [] }.count
        }
        #expect(about == 4, "created, made a student, enrolled, linked to a parent")
        try await database.write { sql in
            for table in kind.tables { _ = try table.erase.map { try sql.execute($0(subject)) } }
        }
        // The child's rows are gone, so her classroom has a student whom no import added, and her parent stays.
        #expect(try await preview(importId).stepCount == 46 - 4 - 1 - 2)
        for limit in [now - 1, now + 1] {
            try await database.write { sql in
                for expiry in kind.tables.compactMap(\.expiry) where try sql.exists(expiry.isDue(limit)) {
                    #expect(limit > now)
                    try sql.execute(expiry.delete(limit))
                }
            }
        }
        #expect(try await problem { _ = try await undo(importId) } == .notFound)
        #expect(try await database.read { try $0.rows("SELECT * FROM roster_import_rows").isEmpty })
    }

    @Test(
        "the records about thousands of people are found in a few statements, with the first kind for each")
    func asksAtOnce() async throws {
        final class Counting: SQLReading {
            let sql: any SQLReading
            private(set) var count = 0
            init(_ sql: any SQLReading) { self.sql = sql }
            func rows(_ statement: SQL) throws -> [SQLRow] {
                count += 1
                return try sql.rows(statement)
            }
        }
        func kind(_ table: String, of column: SQL, subjects: SQL? = nil) -> RecordKind {
            RecordKind(
                table, table, personal: [], erasure: .withPerson,
                tables: [
                    RecordTable(
                        table,
                        about: { "SELECT 1 FROM \(SQL(stringLiteral: table)) WHERE \(column) = \($0.personId)" },
                        subjects: subjects)
                ])
        }
        let trace = RecordTrace(
            [
                kind("students", of: "id"),
                kind("change_log", of: "actor_id", subjects: "SELECT DISTINCT actor_id FROM change_log"),
                kind("classroom_students", of: "student_id"),
            ], without: ["students"])
        _ = try await importing(RosterSample())
        let (pupil, guide) = (try await id("student-0-0"), try await id("guide-0"))
        let log = [Change("quest.played", topics: [], audience: Audience.roles([.admin]))]
        let other = try await id("student-0-1")
        try await fixture.school.database.write { sql in
            for actor in [guide, other, UUID()] {
                _ = try ChangeLog.append(log, at: fixture.school.clock.now, actor: actor, in: sql)
            }
        }
        let asked = (0..<5_000).map { _ in UUID() } + [pupil, guide, other]
        let orgId = fixture.school.organization.id
        let (found, count) = try await fixture.school.database.read { sql in
            let counting = Counting(sql)
            return (try trace.found(asked, of: orgId, .school, in: counting), counting.count)
        }
        #expect(found == [pupil: "classroom_students", guide: "change_log", other: "change_log"])
        #expect(count <= 1 + asked.count / SQL.valueLimit + 1)
    }

    // MARK: - Command line and pages

    @Test("the command line undoes the latest import, first as a dry run")
    func commandLine() async throws {
        _ = try await importing(RosterSample(rooms: 1))
        fixture.school.clock.advance(by: 60)
        _ = try await importing(RosterSample(rooms: 2))
        let (roster, school): (any RosterImporting, TestSchool) = (fixture.roster, fixture.school)
        let words = try school.environment.words(.english)
        func undo(dryRun: Bool) async throws -> [String] {
            try await roster.undo(
                nil, in: school.database, directory: school.environment.directory, of: school.organization.id,
                by: nil,
                dryRun: dryRun, words: words
            ).lines(words)
        }
        #expect(try await undo(dryRun: true).last == "Nothing has been changed yet.")
        #expect(try await fixture.people().count == 15)
        #expect(try await undo(dryRun: false).last == "Import undone.")
        #expect(try await fixture.people().count == 8)
        #expect(try await undo(dryRun: false).last == "Import undone.")
        #expect(try await fixture.people().isEmpty)
        #expect(try await problem { _ = try await undo(dryRun: false) }?.code == "roster.noImport")
        let past = try await roster.pastImports(in: school.database, of: school.organization.id)
        #expect(past.count == 2 && past.allSatisfy { $0.standing == 0 && $0.undoneAt != nil })
    }

    private func outline(_ path: String, _ route: String, _ language: Language) async throws -> String {
        let screen = try #require(
            fixture.school.environment.features.flatMap(\.pages.screens).first { $0.path == route })
        let context = try await fixture.school.context(of: fixture.admin, language: language)
        let answer = try await screen.make(
            ScreenRequest(
                context: context, path: path,
                parameters: ["importId": path.split(separator: "/").last.map(String.init) ?? ""], query: [:]))
        guard case .screen(let made) = answer else { return "" }
        return Outline(made).description
    }

    @Test("the pages list imports, what each did, and what an undo would do", arguments: Language.allCases)
    func pages(_ language: Language) async throws {
        let words = try fixture.school.environment.words(language)
        let empty = try await outline("/settings/imports", "/settings/imports", language)
        #expect(empty.contains(words("roster.past.empty")))
        let importId = try await importing(RosterSample())
        let child = try await id("student-0-0")
        try await write("UPDATE students SET notes = 'x' WHERE id = \(child)")
        let list = try await outline("/settings/imports", "/settings/imports", language)
        #expect(list.contains(words("roster.counted.personCreated", 15)))
        #expect(list.contains(words("roster.undo.look")) && !list.contains(words("roster.past.undone")))
        let path = "/settings/imports/\(importId.text)"
        let page = try await outline(path, "/settings/imports/{importId}", language)
        #expect(page.contains("/api/v1/roster/imports/\(importId.text)/undo"))
        #expect(page.contains(words("roster.undo.kept", 2)))
        try await undo(importId)
        let after = try await outline(path, "/settings/imports/{importId}", language)
        #expect(!after.contains("/api/v1/roster/imports/\(importId.text)/undo"))
        let undone = try await outline("/settings/imports", "/settings/imports", language)
        #expect(undone.contains(words("roster.past.undone")))
        for text in [empty, list, page, after, undone] { #expect(!text.contains("«roster"), "\(text)") }
    }

    @Test("every reason and step has its text in both languages", arguments: Language.allCases)
    func words(_ language: Language) throws {
        let words = try fixture.school.environment.words(language)
        for reason in UndoPlan.Reason.allCases { #expect(words.has("roster.kept.\(reason.rawValue)"), "\(reason)") }
        for kind in RosterChange.Kind.allCases {
            #expect(words.has("roster.undo.\(kind.rawValue)") && words.has("roster.counted.\(kind.rawValue)"))
        }
    }

    // MARK: - Concurrent changes

    @Test("an import shows its plan again if the school has changed since the preview")
    func outdated() async throws {
        let seen = try await fixture.preview(RosterSample(rooms: 1).bundle)
        let upload = try #require(seen.uploadId)
        try await fixture.importing(RosterSample(rooms: 1).bundle, as: fixture.school.makeCaller(.admin))
        var other = RosterSample(rooms: 1)
        other.replace("Casa 0", with: "Casa Rose", in: "classes.csv")
        try await fixture.importing(other.bundle, as: fixture.school.makeCaller(.admin))
        let before = try await fixture.sizes()
        func importing(_ plan: String?) async throws -> RosterReport {
            try await fixture.school.execute(
                "roster.import", ["uploadId": .id(upload), "plan": .text(plan ?? "")], as: fixture.admin
            ).result()
        }
        let refused = try await importing(seen.plan)
        #expect(refused.isOutdated && !refused.isApplied && refused.importId == nil)
        #expect(refused.changes.map(\.kind) == [.classroomRenamed])
        #expect(try await fixture.sizes() == before)
        let done = try await importing(refused.plan)
        #expect(done.isApplied && done.changeCount == 1)
    }
}
