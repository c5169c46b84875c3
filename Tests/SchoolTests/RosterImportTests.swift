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

@Suite("Importing a bundle") struct RosterImportTests {
    @Test("a dry run reports the changes and changes nothing", .requirement("BY-1.14.b"))
    func dryRun() async throws {
        let fixture = try await RosterFixture()
        let before = try await fixture.sizes()
        let report = try await fixture.preview(RosterSample().bundle)
        #expect(report.faultCount == 0)
        #expect(!report.isApplied)
        #expect(report.counts.peopleCreated == 15)
        #expect(report.counts.classroomsCreated == 2)
        #expect(report.counts.studentsAdded == 6)
        #expect(report.counts.guidesAssigned == 2)
        #expect(report.counts.studentsEnrolled == 6)
        #expect(report.counts.rolesGiven == 1 + 2 + 6)
        #expect(report.counts.guardiansLinked == 6 && report.changeCount == 15 + 2 + 6 + 2 + 6 + 9 + 6)
        #expect(report.changes.first?.sentence == "Add Olu Berg-de")
        #expect(report.changes.first?.place == "users.csv:2")
        #expect(try await fixture.sizes() == before)
        #expect(try await fixture.memberCount() == 0)
    }

    @Test(
        "an import creates people, classrooms, students, places and roles, with one log entry",
        .requirement("BY-1.14.a", "BY-1.19.a"))
    func imports() async throws {
        let fixture = try await RosterFixture()
        let report = try await fixture.importing(RosterSample().bundle)
        #expect(report.isApplied)
        let people = try await fixture.people()
        let holdings = try await fixture.holdings()
        #expect(people.count == 15)
        let child = try #require(people["student-0-0"])
        let guide = try #require(people["guide-0"])
        let room = try #require(holdings.classrooms.first { $0.externalId == "class-0" })
        #expect(room.name == "Casa 0")
        #expect(holdings.students.count == 6)
        #expect(holdings.students.contains(child.id))
        #expect(holdings.studentPlaces.contains(ClassroomPlace(classroomId: room.id, personId: child.id)))
        #expect(
            holdings.guidePlaces
                == Set(
                    holdings.classrooms.compactMap { room in
                        people["guide-\(room.name.suffix(1))"].map {
                            ClassroomPlace(classroomId: room.id, personId: $0.id)
                        }
                    }))
        #expect(try await fixture.roles(of: guide.id) == [.guide])
        #expect(try await fixture.roles(of: people["admin-1"]!.id) == [.admin])
        #expect(try await fixture.roles(of: people["parent-0-0"]!.id) == [.parent])
        #expect(try await fixture.roles(of: child.id) == [])
        let changes = try await fixture.school.changes()
        #expect(changes.map(\.change.kind) == ["roster.imported"])
        #expect(changes.first?.change.reshapesAudience == true)
        #expect(changes.first?.change.payload["peopleCreated"] == "15")
        #expect(changes.first?.change.topics.contains("classroom:\(room.id.text)") == true)
    }

    // MARK: - Families

    @Test(
        "guardians and children are linked, whichever of them names the other",
        .requirement("WW-0.07.d"))
    func families() async throws {
        let fixture = try await RosterFixture()
        var sample = RosterSample(rooms: 1, studentsPerRoom: 3)
        // The first child names her parent, the second parent names his child, and one parent has two children.
        sample.replace(",,student-0-0,,", with: ",,,,", in: "users.csv")
        sample.replace(",parent-0-1,", with: ",,", in: "users.csv")
        sample.replace(",,student-0-1,,", with: ",,\"student-0-1,student-0-2\",,", in: "users.csv")
        let report = try await fixture.importing(sample.bundle)
        #expect(report.counts.guardiansLinked == 4)
        let links: Set = [
            "parent-0-0 student-0-0", "parent-0-1 student-0-1", "parent-0-1 student-0-2", "parent-0-2 student-0-2",
        ]
        #expect(try await fixture.families() == links)
        let again = try await fixture.importing(sample.bundle)
        #expect(again.changeCount == 0)
        sample.replace(",,\"student-0-1,student-0-2\",,", with: ",,student-0-1,,", in: "users.csv")
        let later = try await fixture.importing(sample.bundle)
        #expect(later.stays.map(\.code) == ["guardianNotInFile"])
        #expect(try await fixture.families() == links, "a link that is no longer named stays")
        let undone: RosterUndo = try await fixture.school.execute(
            "roster.undo", ["importId": .id(try #require(report.importId))], as: fixture.admin
        ).result()
        #expect(undone.keptCount == 0)
        #expect(try await fixture.sizes()["guardians"] == 0)
    }

    @Test("an agent who is a student, or is named by no student, is noted and not linked")
    func unclearAgents() async throws {
        let fixture = try await RosterFixture()
        var sample = RosterSample(rooms: 1, studentsPerRoom: 2)
        sample.replace(",parent-0-0,", with: ",student-0-1,", in: "users.csv")
        sample.replace(
            "admin-1,,,true,admin-1,,Oluwaseun,Berg-de,,,head@maple.example,,,,",
            with: "admin-1,,,true,admin-1,,Oluwaseun,Berg-de,,,head@maple.example,,,guide-0,", in: "users.csv")
        let report = try await fixture.importing(sample.bundle)
        let unclear = report.notices.filter { $0.code == "unclearAgent" }
        #expect(unclear.count == 1 && unclear.first?.place == "users.csv:2 agentSourcedIds")
        #expect(unclear.first?.sentence.contains("(2 times)") == true)
        #expect(try await fixture.families() == ["parent-0-0 student-0-0", "parent-0-1 student-0-1"])
    }

    @Test("a student with an adult's address is imported without it, and siblings may share a parent")
    func addresses() async throws {
        let fixture = try await RosterFixture()
        var sample = RosterSample(rooms: 1, studentsPerRoom: 1)
        for (id, email) in [("child-a", "PARENT-0-0@home.example"), ("child-b", "")] {
            sample.append(RosterSample.user(id, id, "Li", email: email, agents: "parent-0-0"), to: "users.csv")
            sample.append(RosterSample.role(id, "student"), to: "roles.csv")
        }
        let report = try await fixture.importing(sample.bundle)
        #expect(report.notices.filter { $0.code == "addressOfAdult" }.map(\.place) == ["users.csv:6 email"])
        let people = try await fixture.people()
        #expect(people["child-a"]?.email == nil && people["parent-0-0"]?.email == "parent-0-0@home.example")
        #expect(
            try await fixture.families() == [
                "parent-0-0 student-0-0", "parent-0-0 child-a", "parent-0-0 child-b",
            ])
    }

    @Test("two adults with the same address in different case are a fault")
    func sameAddress() async throws {
        let fixture = try await RosterFixture()
        var sample = RosterSample(rooms: 1, studentsPerRoom: 1)
        sample.replace("guide-0@maple.example", with: "HEAD@maple.example", in: "users.csv")
        let report = try await fixture.preview(sample.bundle)
        #expect(report.faults.map { "\($0.code) \($0.place)" } == ["sameAddress users.csv:3 email"])
        // A person of the school without an external id has the address.
        try await fixture.school.database.write { sql in
            let person = Person(
                id: UUID(), orgId: fixture.school.organization.id, name: PersonName(given: "Ada", family: "Roy"),
                email: "HEAD@maple.example", avatarTint: .sky, createdAt: fixture.school.clock.now)
            try SQLPeopleService().insert([ImportedPerson(person: person, externalId: nil)], in: sql)
        }
        let imported = try await fixture.importing(RosterSample(rooms: 1, studentsPerRoom: 1).bundle)
        #expect(imported.notices.filter { $0.code == "sameEmail" }.map(\.place) == ["users.csv:2 email"])
        #expect(try await fixture.people()["admin-1"]?.email == nil)
    }

    // MARK: - Files of changes

    @Test("a file of changes refers to the school's rows, changes them, and reports nobody as missing")
    func deltas() async throws {
        let fixture = try await RosterFixture()
        try await fixture.importing(RosterSample().bundle)
        var sample = RosterSample()
        for file in ["users", "roles", "enrollments", "classes"] {
            sample.replace("file.\(file),bulk", with: "file.\(file),delta", in: "manifest.csv")
        }
        func rows(_ file: String, _ rows: String...) {
            let header = sample.files[file]?.split(whereSeparator: \.isNewline).first ?? ""
            sample.files[file] = ([String(header)] + rows).joined(separator: "\n") + "\n"
        }
        rows(
            "users.csv", RosterSample.user("guide-0", "Chloé", "Roy", email: "guide-0@maple.example"),
            RosterSample.user("new-1", "New", "Child", agents: "parent-1-1"))
        rows("roles.csv", RosterSample.role("new-1", "student"))
        rows("classes.csv")
        rows(
            "enrollments.csv", RosterSample.enrollment("class-1", "new-1", "student"),
            RosterSample.enrollment("class-1", "student-0-0", "student"))
        let report = try await fixture.importing(sample.bundle)
        #expect(report.faults.isEmpty && report.stayCount == 0)
        #expect(report.counts.peopleCreated == 1 && report.counts.peopleUpdated == 1)
        #expect(report.counts.studentsEnrolled == 2 && report.counts.guardiansLinked == 1)
        rows("enrollments.csv", RosterSample.enrollment("class-9", "stranger", "student"))
        let refused = try await fixture.preview(sample.bundle)
        #expect(
            refused.faults.map { "\($0.code) \($0.place)" } == [
                "unknownReference enrollments.csv:2 userSourcedId",
                "unknownReference enrollments.csv:2 classSourcedId",
            ])
    }

    @Test("a stored bundle has no password, and the report says so")
    func noPasswords() async throws {
        let fixture = try await RosterFixture()
        var sample = RosterSample()
        sample.replace(",parent-0-0,00,,", with: ",parent-0-0,00,hunter2,", in: "users.csv")
        let report = try await fixture.preview(sample.bundle)
        #expect(report.notices.contains { $0.code == "sensitive" && $0.column == "password" })
        let stored = try await fixture.school.database.read { sql in
            try sql.rows("SELECT bytes FROM roster_uploads").map { try $0.get("bytes", as: [UInt8].self) }
        }
        #expect(!stored.isEmpty && !stored.contains { String(decoding: $0, as: UTF8.self).contains("hunter2") })
        let page = try await outline(fixture, ["upload": try #require(report.uploadId).text])
        #expect(page.contains("neither read nor stored"))
    }

    @Test("importing a bundle again changes nothing")
    func twice() async throws {
        let fixture = try await RosterFixture()
        try await fixture.importing(RosterSample().bundle)
        let (people, sizes, members) = (
            try await fixture.people(), try await fixture.sizes(), try await fixture.memberCount()
        )
        let report = try await fixture.importing(RosterSample().bundle)
        #expect(report.changeCount == 0)
        #expect(report.counts.peopleUnchanged == 15)
        #expect(report.counts.classroomsUnchanged == 2)
        #expect(try await fixture.people() == people)
        #expect(try await fixture.sizes() == sizes)
        #expect(try await fixture.memberCount() == members)
    }

    @Test(
        "changed names and classrooms are updated by their ids, and blank fields change nothing",
        .requirement("WW-0.02.c"))
    func updates() async throws {
        let fixture = try await RosterFixture()
        try await fixture.importing(RosterSample().bundle)
        let before = try await fixture.people()
        var sample = RosterSample()
        sample.replace("Oluwaseun,Berg-de", with: "Oluwaseun,Bergström", in: "users.csv")
        sample.replace("head@maple.example", with: "", in: "users.csv")
        sample.replace(",Olu,", with: ",,", in: "users.csv")
        sample.replace("Casa 1", with: "Casa Ébène", in: "classes.csv")
        sample.append(RosterSample.enrollment("class-1", "student-0-0", "student"), to: "enrollments.csv")
        let report = try await fixture.importing(sample.bundle)
        #expect(report.counts.peopleUpdated == 1)
        #expect(report.counts.classroomsRenamed == 1)
        #expect(report.counts.studentsEnrolled == 1)
        #expect(report.changeCount == 3)
        let head = try #require(try await fixture.people()["admin-1"])
        #expect(head.id == before["admin-1"]?.id)
        #expect(head.name == PersonName(given: "Oluwaseun", family: "Bergström", preferred: "Olu"))
        #expect(head.email == "head@maple.example")
        #expect(try await fixture.holdings().classrooms.map(\.name).sorted() == ["Casa 0", "Casa Ébène"])
    }

    @Test("names in many scripts are stored unchanged, sorted and found")
    func scripts() async throws {
        let fixture = try await RosterFixture()
        try await fixture.importing(RosterSample(rooms: 1, studentsPerRoom: 13).bundle)
        let people = try await fixture.people()
        #expect(people["student-0-0"]?.name == PersonName(given: "يوسف", family: "الخطيب"))
        #expect(people["student-0-1"]?.name == PersonName(given: "小雨", family: "王"))
        let orgId = fixture.school.organization.id
        for (wanted, found) in [
            ("zolc", "Łukasz Żółć"), ("王", "小雨 王"), ("παπαδοπουλοσ", "Δάφνη Παπαδόπουλος"),
            ("Иван", "Мария Иванова"), ("נוע", "נועה כהן"), ("الخط", "يوسف الخطيب"), ("nguyen", "Đức Nguyễn"),
            ("duc", "Đức Nguyễn"), ("o'ne", "Sinéad O'Neill"),
        ] {
            let names = try await fixture.school.database.read { sql in
                try StudentRepository.students(
                    matching: [NameFolding.fold(wanted)], ofGuide: nil, limit: 5, orgId: orgId, in: sql
                ).map(\.displayName)
            }
            #expect(names == [found], "\(wanted)")
        }
        let list = try await fixture.school.database.read { sql in
            try StudentRepository.students(after: "", limit: 50, orgId: orgId, in: sql)
        }
        let keys = list.map { PersonName(given: $0.firstName, family: $0.lastName).sortKey }
        #expect(keys.count == 13)
        #expect(keys == keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    }

    @Test("a formula in a name is plain text")
    func formula() async throws {
        let fixture = try await RosterFixture()
        var sample = RosterSample()
        sample.replace("Oluwaseun", with: "\"=HYPERLINK(\"\"http://x\"\",\"\"a\"\")\"", in: "users.csv")
        try await fixture.importing(sample.bundle)
        #expect(try await fixture.people()["admin-1"]?.name.given == "=HYPERLINK(\"http://x\",\"a\")")
    }

    @Test("a bundle with faults changes nothing, and the response has every fault in the person's language")
    func refuses() async throws {
        let fixture = try await RosterFixture()
        var sample = RosterSample()
        sample.replace("true,guide-0", with: "oui,guide-0", in: "users.csv")
        sample.replace("primary,teacher", with: "primary,wizard", in: "roles.csv")
        let before = try await fixture.sizes()
        let problem = await #expect(throws: Problem.self) { try await fixture.importing(sample.bundle) }
        #expect(problem?.status == 422)
        #expect(problem?.faults.map(\.field) == ["users.csv:3 enabledUser", "roles.csv:3 role"])
        let french = try fixture.school.environment.words(.french)
        #expect(problem?.faults.first?.sentence(french) == "« oui » n’est ni « true » ni « false ».")
        #expect(try await fixture.sizes() == before)
        let report = try await fixture.preview(sample.bundle)
        #expect(report.faults.map(\.place) == ["users.csv:3 enabledUser", "roles.csv:3 role"])
        #expect(report.changeCount == 0)
    }

    @Test("concurrent imports of one bundle have the effect of one")
    func atOnce() async throws {
        let fixture = try await RosterFixture()
        let bundle = RosterSample(rooms: 5, studentsPerRoom: 10).bundle
        let applied = try await withThrowingTaskGroup(of: RosterReport.self) { group in
            for _ in 0..<6 { group.addTask { try await fixture.importing(bundle) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(applied.filter { $0.changeCount > 0 }.count == 1)
        #expect(try await fixture.people().count == 1 + 5 * 21)
        #expect(try await fixture.school.changes().count == 1)
        #expect(try await fixture.memberCount() == 1 + 5 + 50)
    }

    @Test("rows marked for deletion neither delete nor add anyone")
    func toBeDeleted() async throws {
        let fixture = try await RosterFixture()
        try await fixture.importing(RosterSample().bundle)
        let before = try await fixture.people()
        var sample = RosterSample()
        sample.replace("student-0-0,,,", with: "student-0-0,tobedeleted,,", in: "users.csv")
        sample.append(RosterSample.user("gone-1", "Ana", "Gone", status: "tobedeleted"), to: "users.csv")
        sample.append(RosterSample.role("gone-1", "student"), to: "roles.csv")
        let report = try await fixture.importing(sample.bundle)
        #expect(report.changeCount == 0)
        #expect(report.stays.filter { $0.code == "toBeDeleted" }.map(\.line) == [4, 17])
        #expect(report.notices.contains { $0.code == "leftOut" && $0.file == "roles.csv" })
        #expect(try await fixture.people() == before)
    }

    @Test("unknown roles and disabled people get no permissions, and the report says so")
    func noRights() async throws {
        let fixture = try await RosterFixture()
        var sample = RosterSample()
        for role in ["principal", "siteAdministrator", "aide", "ext:owner"] {
            sample.append(RosterSample.role("parent-0-0", role), to: "roles.csv")
        }
        sample.append(RosterSample.user("old-1", "Old", "Teacher", enabled: "false"), to: "users.csv")
        sample.append(RosterSample.role("old-1", "teacher"), to: "roles.csv")
        let report = try await fixture.importing(sample.bundle)
        let people = try await fixture.people()
        #expect(try await fixture.roles(of: people["parent-0-0"]!.id) == [.parent])
        #expect(try await fixture.roles(of: people["old-1"]!.id) == [])
        #expect(report.notices.filter { $0.code == "roleNotUsed" }.count == 4)
        #expect(report.notices.contains { $0.code == "disabledUser" && $0.sentence.contains("old-1") })
    }

    @Test("disabled users are noted once, with their count and the first lines")
    func disabledOnce() async throws {
        let fixture = try await RosterFixture()
        var sample = RosterSample(rooms: 1, studentsPerRoom: 1)
        for number in 1...7 {
            sample.append(
                RosterSample.user("old-\(number)", "Old", "Teacher \(number)", enabled: "false"), to: "users.csv")
        }
        let notices = try await fixture.preview(sample.bundle).notices
        let disabled = notices.filter { $0.code == "disabledUser" }
        #expect(disabled.count == 1 && disabled.first?.line == 6)
        #expect(disabled.first?.sentence.hasSuffix("(7 times) Lines 6, 7, 8, 9, 10…") == true)
        #expect(notices.filter { $0.code == "userWithoutRole" }.map(\.line) == [6])
    }

    @Test("a role that was removed by hand is not given again")
    func takenAway() async throws {
        let fixture = try await RosterFixture()
        try await fixture.importing(RosterSample().bundle)
        let guide = try #require(try await fixture.people()["guide-0"]).id
        let orgId = fixture.school.organization.id
        try await fixture.school.environment.directory.write {
            _ = try MembershipRepository.removeAll(guide, in: orgId, $0)
        }
        try await fixture.importing(RosterSample().bundle)
        #expect(try await fixture.roles(of: guide) == [])
    }

    @Test("roles that an interrupted import did not give are given by the next one")
    func interrupted() async throws {
        let fixture = try await RosterFixture()
        try await fixture.importing(RosterSample().bundle)
        // The state after a crash between the transactions of the school and the directory.
        try await fixture.school.environment.directory.write { try $0.execute("DELETE FROM memberships") }
        try await fixture.school.database.write { try $0.execute("UPDATE roster_roles SET given = 0") }
        let report = try await fixture.importing(RosterSample().bundle)
        #expect(report.changeCount == 0)
        #expect(try await fixture.memberCount() == 9)
    }

    @Test("a second role belongs to the person's account, and a person has only one staff role")
    func furtherRoles() async throws {
        let fixture = try await RosterFixture()
        let (personId, accountId, orgId) = (UUID(), UUID(), fixture.school.organization.id)
        let row = Membership(
            id: UUID(), orgId: orgId, guideId: personId, accountId: accountId, role: .superAdmin,
            createdAt: fixture.school.clock.now)
        try await fixture.school.environment.directory.write { try MembershipRepository.insert(row, in: $0) }
        for role in [Role.guide, .parent, .parent] {
            try await fixture.memberships.give(role, to: [personId, personId], in: orgId)
        }
        let held = try await fixture.school.environment.directory.read {
            try MembershipRepository.memberships(ofPerson: personId, in: orgId, $0)
        }
        #expect(Set(held.map(\.role)) == [.superAdmin, .parent])
        #expect(held.allSatisfy { $0.accountId == accountId })
    }

    @Test("only people who may import can import")
    func permission() async throws {
        let fixture = try await RosterFixture()
        for role in [Role.guide, .parent, .student, .warden] {
            let caller = fixture.school.makeCaller(role)
            let problem = await #expect(throws: Problem.self) {
                try await fixture.importing(RosterSample().bundle, as: caller)
            }
            #expect(problem == .notAllowed)
        }
        #expect(try await fixture.people().isEmpty)
    }

    // MARK: - Stored bundles

    @Test("a checked bundle can be imported by its id once, and only by its uploader")
    func upload() async throws {
        let fixture = try await RosterFixture()
        let first = try #require(try await fixture.preview(RosterSample().bundle).uploadId)
        let id = try #require(try await fixture.preview(RosterSample(rooms: 1).bundle).uploadId)
        func importing(_ id: UUID, as caller: Caller) async throws -> RosterReport {
            try await fixture.school.execute("roster.import", ["uploadId": .id(id)], as: caller).result()
        }
        let other = fixture.school.makeCaller(.admin)
        for (id, caller) in [(first, fixture.admin), (id, other)] {
            let problem = await #expect(throws: Problem.self) { try await importing(id, as: caller) }
            #expect(problem?.code == "roster.uploadGone")
        }
        #expect(try await importing(id, as: fixture.admin).counts.peopleCreated == 8)
        let again = await #expect(throws: Problem.self) { try await importing(id, as: fixture.admin) }
        #expect(again?.status == 410)
    }

    @Test("a checked bundle is deleted after a day")
    func expiry() async throws {
        let fixture = try await RosterFixture()
        let id = try #require(try await fixture.preview(RosterSample().bundle).uploadId)
        fixture.school.clock.advance(by: 86_401)
        await #expect(throws: Problem.self) {
            try await fixture.school.execute("roster.import", ["uploadId": .id(id)], as: fixture.admin)
        }
        _ = try await fixture.preview(RosterSample().bundle, as: fixture.school.makeCaller(.admin))
        let stored: Int? = try await fixture.school.database.read {
            try $0.value("SELECT COUNT(DISTINCT id) FROM roster_uploads")
        }
        #expect(stored == 1)
    }

    @Test("an import needs either files or an id")
    func eitherOr() async throws {
        let fixture = try await RosterFixture()
        for input in [
            [:], .object(["uploadId": .id(UUID()), "files": RosterFixture.files(RosterSample().bundle)]),
        ] as [InputValue] {
            let problem = await #expect(throws: Problem.self) {
                try await fixture.school.execute("roster.import", input, as: fixture.admin, isForm: true)
            }
            #expect(problem?.faults.map(\.code) == ["roster.filesOrUpload"])
        }
    }

    // MARK: - Command line

    @Test("the command line's dry run changes nothing, its import does, and both print a report")
    func commandLine() async throws {
        let fixture = try await RosterFixture()
        let orgId = fixture.school.organization.id
        let words = try fixture.school.environment.words(.english)
        let roster: any RosterImporting = fixture.roster
        let before = try await fixture.sizes()
        let dry = try await roster.run(
            RosterSample().bundle, into: fixture.school.database, of: orgId, in: .gmt, by: nil, dryRun: true,
            isConfirmed: false, words: words)
        #expect(try await fixture.sizes() == before)
        #expect(dry.lines(words).contains("People added: 15"))
        #expect(dry.lines(words).last == "Nothing has been changed yet.")
        let done = try await roster.run(
            RosterSample().bundle, into: fixture.school.database, of: orgId, in: .gmt, by: nil, dryRun: false,
            isConfirmed: false, words: words)
        #expect(done.lines(words).last == "Import complete.")
        #expect(try await fixture.people().count == 15)
        #expect(try await fixture.memberCount() == 9)
        #expect(try await fixture.school.changes().map(\.actorId) == [nil])
        var broken = RosterSample()
        broken.replace("oneroster.version,1.2", with: "oneroster.version,1.3", in: "manifest.csv")
        let refused = try await roster.run(
            broken.bundle, into: fixture.school.database, of: orgId, in: .gmt, by: nil, dryRun: false,
            isConfirmed: false,
            words: words)
        #expect(!refused.isApplied)
        #expect(
            refused.lines(words).contains(
                "  manifest.csv:3 oneroster.version: The OneRoster version must be 1.1 or 1.2; the file says “1.3”."
            ))
    }

    // MARK: - Screen

    func outline(_ fixture: RosterFixture, _ query: [String: String], _ language: Language = .english) async throws
        -> String
    {
        let route = try #require(
            fixture.school.environment.features.flatMap(\.pages.screens).first { $0.path == "/settings/import" })
        let context = try await fixture.school.context(of: fixture.admin, language: language)
        let answer = try await route.make(
            ScreenRequest(context: context, path: route.path, parameters: [:], query: query))
        guard case .screen(let screen) = answer else { return "" }
        return Outline(screen).description
    }

    @Test("the page asks for files, then shows counts and changes, and offers the import")
    func page() async throws {
        let fixture = try await RosterFixture()
        let empty = try await outline(fixture, [:])
        #expect(empty.contains("<Files: files*>"))
        #expect(!empty.contains("«"))
        let id = try #require(
            try await fixture.preview(RosterSample(rooms: 20, studentsPerRoom: 20).bundle).uploadId)
        for language in Language.allCases {
            let page = try await outline(fixture, ["upload": id.text], language)
            #expect(page.contains("POST /api/v1/roster/import") || page.contains("-> /api/v1/roster/import"))
            #expect(!page.contains("«roster") && !page.contains("«fault"))
            #expect(page.contains("users.csv:2"))
        }
        let page = try await outline(fixture, ["upload": id.text])
        // People, rooms, roles, student facets, guides, places and guardians.
        let all = 821 + 20 + 421 + 400 + 20 + 400 + 400
        #expect(page.contains("and \((all - 200).formatted(.number.locale(Locale(identifier: "en")))) more"))
        #expect(try await outline(fixture, ["upload": UUID().text]).contains("no longer available"))
    }

    @Test("the page of a faulty bundle lists its faults and offers no import")
    func faultyPage() async throws {
        let fixture = try await RosterFixture()
        var sample = RosterSample()
        sample.replace("guide-0@maple.example", with: "<b>x</b>", in: "users.csv")
        let id = try #require(try await fixture.preview(sample.bundle).uploadId)
        let page = try await outline(fixture, ["upload": id.text])
        #expect(page.contains("“<b>x</b>” is not an email address. · users.csv:3 email"))
        #expect(!page.contains("/api/v1/roster/import"))
    }

    // MARK: - Size

    /// A larger bundle beside the repository, where there is one; the sample shows the same without it.
    static let folder = URL(filePath: FileManager.default.currentDirectoryPath).appending(
        path: "../shared/data/oneroster")

    @Test(
        "a bundle of another system is imported completely, and again without changes",
        .enabled(if: FileManager.default.fileExists(atPath: folder.path())))
    func outside() async throws {
        let fixture = try await RosterFixture()
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
        let bundle = try names.filter { $0.hasSuffix(".csv") }.map {
            RosterFile(name: $0, bytes: Array(try Data(contentsOf: Self.folder.appending(path: $0))))
        }
        let clock = ContinuousClock()
        var reports: [RosterReport] = []
        let first = try await clock.measure { try await reports.append(fixture.importing(bundle)) }
        let second = try await clock.measure { try await reports.append(fixture.importing(bundle)) }
        print("roster: bundle from outside imported in \(first), compared again in \(second)")
        print(
            reports[0].lines(try fixture.school.environment.words(.english), changeLimit: 5).joined(separator: "\n")
        )
        #expect(reports[0].counts.peopleCreated == 581)
        #expect(reports[0].counts.classroomsCreated == 10)
        #expect(reports[0].counts.studentsEnrolled == 280)
        #expect(reports[0].counts.guidesAssigned == 20)
        #expect(reports[1].changeCount == 0)
    }

    @Test("ten thousand people are imported once, and a second import changes nothing")
    func tenThousand() async throws {
        let fixture = try await RosterFixture()
        let bundle = RosterSample(rooms: 200, studentsPerRoom: 25).bundle
        let clock = ContinuousClock()
        let first = try await clock.measure { try await fixture.importing(bundle) }
        let second = try await clock.measure {
            let report = try await fixture.importing(bundle)
            #expect(report.changeCount == 0)
        }
        print("roster: 10,201 people imported in \(first), compared again in \(second)")
        #expect(try await fixture.people().count == 10_201)
        #expect(try await fixture.memberCount() == 1 + 200 + 5000)
    }
}
