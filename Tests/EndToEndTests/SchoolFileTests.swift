import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import HummingbirdTesting
import Integrations
import NIOCore
import Persistence
import ServerApp
import TestKit
import Testing

/// Backup, restore, export, deletion, retention and erasure through the whole server.
@Suite("Files of schools in the whole server")
struct SchoolFileTests {
    private func made(_ tower: Tower, _ path: String, _ body: [String: String], as person: Tower.Person)
        async throws
        -> String
    {
        let answer = try await tower.post(path, body, as: person.bearer)
        try #require(answer.status == .created, "\(path): \(answer.text)")
        return try answer.json().text("path")
    }

    private func bytes(_ tower: Tower, _ path: String, as person: Tower.Person) async throws -> Data {
        let answer = try await tower.get(path, as: person.bearer)
        try #require(answer.status == .ok, "\(answer.text)")
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[.contentDisposition]?.hasPrefix("attachment; filename=\"") == true)
        return Data(answer.body.readableBytesView)
    }

    /// Sends a backup as a browser does.
    private func restore(
        _ tower: Tower, _ file: Data, _ way: String, passphrase: String? = nil, as person: Tower.Person
    ) async throws -> (status: Int, text: String) {
        var body = Data()
        func add(_ head: String, _ content: Data) {
            body +=
                Data("--cut\r\nContent-Disposition: form-data; \(head)\r\n\r\n".utf8) + content + Data("\r\n".utf8)
        }
        add("name=\"file\"; filename=\"a.pinktower\"", file)
        add("name=\"way\"", Data(way.utf8))
        if let passphrase { add("name=\"passphrase\"", Data(passphrase.utf8)) }
        body += Data("--cut--\r\n".utf8)
        let answer = try await tower.post(
            "/api/v1/records/restore", bytes: body, type: "multipart/form-data; boundary=cut", as: person.bearer)
        return (answer.status.code, answer.text)
    }

    @Test(
        "a school is backed up and restored unchanged, in its place and beside the original",
        .requirement("BY-1.15.a", "BY-1.15.b"),
        arguments: [nil, "a passphrase of several words"])
    func comesBack(passphrase: String?) async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let path = try await made(
                tower, "/api/v1/records/backups", passphrase.map { ["passphrase": $0] } ?? [:], as: sample.founder)
            let file = try await bytes(tower, path, as: sample.founder)
            let room = try await tower.post("/api/v1/classrooms", ["name": "Later room"], as: sample.founder.bearer)
            #expect(room.status == .created)
            func rooms() async throws -> String {
                try await tower.get("/api/v1/classrooms", as: sample.founder.bearer).text
            }
            #expect(try await rooms().contains("Later room"))
            if passphrase != nil {
                #expect(
                    try await restore(tower, file, "replace", as: sample.founder).text.contains("passphraseNeeded"))
            }
            let back = try await restore(tower, file, "replace", passphrase: passphrase, as: sample.founder)
            #expect(back.status == 200, "\(back.text)")
            let counted = try JSONDecoder().decode(Counted.self, from: Data(back.text.utf8))
            let after = try #require(counted.after)
            #expect(counted.before?.classrooms == after.classrooms + 1 && after.classrooms > 0)
            #expect(counted.before?.people == after.people && after.people > 1)
            for person in [sample.founder, sample.member] {
                let answer = try await tower.get("/api/v1/classrooms", as: person.bearer)
                #expect(answer.status == .unauthorized, "everybody signs in again")
            }
            let (founder, member) = (try await tower.again(sample.founder), try await tower.again(sample.member))
            let found = try await tower.get("/api/v1/classrooms", as: founder.bearer).text
            #expect(found.contains("Maple room") && !found.contains("Later room"))
            let place = try await tower.get("/api/v1/classrooms", as: member.bearer)
            #expect(place.status == .ok, "members keep their place")
            let beside = try await restore(tower, file, "beside", passphrase: passphrase, as: founder)
            #expect(beside.status == 200, "\(beside.text)")
            let copied = try JSONDecoder().decode(Counted.self, from: Data(beside.text.utf8))
            #expect(copied.before == nil && copied.after == after)
            let schools = try await tower.get("/api/v1/organizations", as: founder.bearer).json().list(
                "items")
            #expect(schools.count == 2)
            let others = try await tower.get("/api/v1/organizations", as: member.bearer).json().list("items")
            #expect(others.count == 1, "nobody is drawn into a copy that another person has uploaded")
        }
    }

    /// The answer of a restore about the school.
    private struct Counted: Decodable {
        struct Counts: Decodable, Equatable { let people, classrooms, courses: Int }
        let before: Counts?
        let after: Counts?
    }

    @Test("erasing a person replaces the name in the texts of others with a former member, if requested")
    func replacesNames() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let founder = sample.founder.bearer
            let text = "Bea Ruiz and bea ruiz, not Bea Ruizdael, sing with Bea."
            for title in ["Concert", "Thanks to Bea Ruiz"] {
                let made = try await tower.post(
                    "/api/v1/announcements", ["title": title, "text": text], as: founder)
                #expect(made.status == .created, "\(made.text)")
            }
            let other = try await tower.post(
                "/api/v1/students", ["lastName": "Ito", "notes": "Sings with Bea Ruiz"], as: founder)
            #expect(other.status == .created, "\(other.text)")
            let page = try await tower.page(
                "/settings/people/\(sample.studentId)/records", as: sample.founder.browser
            ).text
            #expect(page.contains("name=\"replacesName\""))
            let erased = try await tower.post(
                "/api/v1/records/people/\(sample.studentId)/erase",
                ["name": InputText.text("Bea Ruiz"), "replacesName": .flag(true)], as: founder)
            #expect(erased.status == .ok, "\(erased.text)")
            let told = try await tower.get("/api/v1/announcements", as: founder).text
            #expect(told.contains("Thanks to former member"))
            let students = try await tower.get("/api/v1/students", as: founder).text
            #expect(students.contains("Sings with former member") && !students.contains("Bea Ruiz"))
            #expect(told.contains("former member and former member, not Bea Ruizdael, sing with Bea."))
        }
    }

    /// Returns a text or flag of a JSON body.
    private enum InputText: Encodable {
        case text(String)
        case flag(Bool)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .flag(let flag): try container.encode(flag)
            }
        }
    }

    @Test(
        "damaged files, foreign files and files of other schools are refused with their own sentences and change nothing",
        .requirement("BY-1.15.e"))
    func refuses() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let file = try await bytes(
                tower, try await made(tower, "/api/v1/records/backups", [:], as: sample.founder), as: sample.founder
            )
            func refusal(_ file: Data, as person: Tower.Person) async throws -> String {
                let answer = try await restore(tower, file, "replace", as: person)
                #expect((400..<500).contains(answer.status), "\(answer)")
                return answer.text
            }
            var damaged = file
            damaged[file.count / 2] ^= 0x10
            #expect(try await refusal(damaged, as: sample.founder).contains("\"records.damaged\""))
            #expect(
                try await refusal(file.prefix(file.count - 700), as: sample.founder).contains("\"records.damaged\"")
            )
            #expect(try await refusal(Data("hello".utf8), as: sample.founder).contains("\"records.foreign\""))
            let other = try await tower.sampleSchool("Oak School")
            #expect(try await refusal(file, as: other.founder).contains("\"records.otherSchool\""))
            #expect(
                try await restore(tower, file, "beside", as: other.founder).text.contains("\"records.nobodyLeft\""))
            let rooms = try await tower.get("/api/v1/classrooms", as: sample.founder.bearer)
            #expect(rooms.text.contains("Maple room"))
        }
    }

    @Test("backups contain no password, session or token, and no data of another school")
    func holdsNoSecrets() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let other = try await tower.sampleSchool("Oak School")
            let path = try await made(tower, "/api/v1/records/backups", [:], as: sample.founder)
            let file = try await bytes(tower, path, as: sample.founder)
            #expect(file.range(of: Data(sample.founder.email.utf8)) != nil)
            for secret in [
                "fast$", "scrypt$", sample.founder.refresh, other.founder.email, other.orgId, sample.code,
            ] {
                #expect(file.range(of: Data(secret.utf8)) == nil, "the backup holds \(secret)")
            }
            #expect(try await tower.get(path, as: other.founder.bearer).status == .notFound)
            #expect(try await tower.get(path, as: sample.member.bearer).status.code >= 403)
            let admin = try await tower.member(.admin, of: sample)
            #expect(try await tower.get(path, as: admin.bearer).status == .notFound)
            #expect(
                try await tower.post("/api/v1/records/backups", [:] as [String: String], as: admin.bearer).status
                    == .forbidden)
        }
    }

    @Test("the export of people is a ZIP file whose first file is the manifest, the same at each download")
    func exportsPeople() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let file = try await bytes(tower, "/api/v1/roster/export", as: sample.founder)
            let files = try Unzip().unzip(Array(file), limits: UnpackingLimits())
            #expect(files.first?.name == "manifest.csv" && files.contains { $0.name == "users.csv" })
            #expect(try await bytes(tower, "/api/v1/roster/export", as: sample.founder) == file)
        }
    }

    @Test("the command line backs up, restores, moves, exports and deletes")
    func worksFromTheCommandLine() async throws {
        let folder = try TemporaryFolder()
        let settings = Tower.settings(in: folder)
        let original = try await withTower(in: folder) { tower in try await tower.sampleSchool() }
        let backup = folder.file("maple.pinktower")
        _ = try await run(.backup(school: nil, to: backup, passphrase: nil), settings)
        await #expect(throws: TaskRefused.self) {
            try await run(.restore(backup, passphrase: nil, beside: nil, replace: false), settings)
        }
        _ = try await run(.restore(backup, passphrase: nil, beside: "Copy of Maple", replace: false), settings)
        let lines = try await run(.restore(backup, passphrase: nil, beside: nil, replace: true), settings)
        #expect(lines.count == 4)
        for (line, name) in zip(lines.dropFirst(), ["People", "Classrooms", "Courses"]) {
            let counts = try #require(line.wholeMatch(of: /(\w+): (\d+), before (\d+)\./))
            #expect(counts.1 == name && counts.2 == counts.3 && counts.2 != "0")
        }
        let zip = folder.file("maple.zip")
        _ = try await run(.export(school: "Maple School", to: zip), settings)
        #expect(try Data(contentsOf: zip).prefix(2) == Data("PK".utf8))
        // To another server without these accounts: the people come along.
        let elsewhere = try TemporaryFolder()
        let there = Tower.settings(in: elsewhere)
        _ = try await run(.move(school: "Maple School", to: there.dataFolder), settings)
        try await withTower(in: elsewhere) { tower in
            let forgotten = try await tower.post(
                "/api/v1/auth/sign-up",
                [
                    "name": "Ana", "email": original.founder.email, "password": Tower.password,
                ])
            #expect(forgotten.status.code == 422, "the account came with the school")
            #expect(try await tower.composition.schools.all().map(\.text) == [original.orgId])
        }
        // Here it is closed and can be reopened or deleted.
        try await withTower(in: folder) { tower in
            let token = try await tower.post(
                "/api/v1/auth/sign-in", ["email": original.founder.email, "password": Tower.password]
            ).json().text("accessToken")
            let rooms = try await tower.get("/api/v1/classrooms", as: .bearer(token))
            #expect([200, 423].contains(rooms.status.code))
        }
        _ = try await run(.callBack(school: "Maple School"), settings)
        _ = try await run(.delete(school: "Maple School", atOnce: true), settings)
        try await withTower(in: folder) { tower in
            let left = try await tower.composition.schools.all().count
            #expect(left == 1, "the copy alone is left")
        }
    }

    private func withTower<Value: Sendable>(
        in folder: TemporaryFolder, _ work: @escaping @Sendable (Tower) async throws -> Value
    ) async throws -> Value {
        let box = Box<Value>()
        try await Tower.with(in: folder) { await box.set(try await work($0)) }
        return try #require(await box.value)
    }

    private actor Box<Value: Sendable> {
        var value: Value?
        func set(_ value: Value) { self.value = value }
    }

    @Test(
        "nobody can open a closed school, which can be restored, and is deleted when its time is over",
        .requirement("BY-1.15.d", "PT-2M.26.a"))
    func closes() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            func delete(_ body: [String: String], as person: Tower.Person) async throws -> Int {
                try await tower.post("/api/v1/organization/delete", body, as: person.bearer).status.code
            }
            #expect(try await delete(["name": "Oak School"], as: sample.founder) == 422)
            #expect(try await delete(["name": "Maple School"], as: sample.member) == 403)
            #expect(try await delete(["name": "maple school"], as: sample.founder) == 200)
            let refused = try await tower.get("/api/v1/classrooms", as: sample.member.bearer)
            #expect(refused.status.code == 423 && refused.text.contains("Maple School is closed"))
            #expect(try await tower.get("/api/v1/classrooms", as: sample.founder.bearer).status.code == 423)
            let page = try await tower.page("/homeroom", as: sample.founder.browser, language: "fr")
            #expect(page.status.code == 423 && page.text.contains("/settings/delete-school"))
            let back = try await tower.post(
                "/api/v1/organization/call-back", [:] as [String: String], as: sample.founder.bearer)
            #expect(back.status == .ok)
            #expect(try await tower.get("/api/v1/classrooms", as: sample.member.bearer).status == .ok)
            #expect(try await delete(["name": "Maple School"], as: sample.founder) == 200)
            tower.clock.advance(by: 31 * 86_400)
            await tower.composition.runJobs()
            #expect(try await tower.composition.schools.all().isEmpty)
            let none = try await tower.composition.directory.read {
                try $0.rows("SELECT id FROM memberships").count + $0.rows("SELECT id FROM organizations").count
            }
            #expect(none == 0)
        }
    }

    @Test(
        "a second confirmation deletes a closed school at once, and a single one does not",
        .requirement("BY-1.15.d", "PT-2M.26.a"))
    func deletesAtOnce() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            func delete(_ atOnce: Bool) async throws -> Int {
                let body = try JSONSerialization.data(withJSONObject: ["name": "Maple School", "atOnce": atOnce])
                return try await tower.post(
                    "/api/v1/organization/delete", bytes: body, type: "application/json", as: sample.founder.bearer
                ).status.code
            }
            #expect(try await delete(true) == 409)
            #expect(try await delete(false) == 200)
            #expect(try await delete(false) == 409)
            #expect(try await delete(true) == 200)
            #expect(try await tower.composition.schools.all().isEmpty)
            #expect(try await tower.get("/api/v1/classrooms", as: sample.founder.bearer).status == .notFound)
        }
    }

    @Test("the export contains every table with content as CSV, and no secrets", .requirement("PT-2M.27"))
    func exports() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let path = try await made(tower, "/api/v1/records/exports", [:], as: sample.founder)
            let files = try Unzip().unzip(
                Array(try await bytes(tower, path, as: sample.founder)), limits: UnpackingLimits(files: 1000))
            for name in [
                "README.txt", "people.csv", "classrooms.csv", "students.csv", "memberships.csv", "change_log.csv",
            ] {
                #expect(files.contains { $0.name == name }, "\(name)")
            }
            let text = files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
            #expect(text.contains("Bea,Ruiz") && text.contains("Maple room"))
            #expect(
                !text.contains("fast$") && !text.contains(sample.founder.refresh) && !text.contains(sample.code))
        }
    }

    @Test(
        "the records of one person are downloaded as files, and erased after two confirmations",
        .requirement("BY-1.24.a", "BY-1.24.b"))
    func erases() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let admin = try await tower.member(.admin, of: sample)
            let marked = try await tower.post(
                "/api/v1/classrooms/\(sample.classroomId)/attendance",
                ["studentId": sample.studentId, "status": "present"], as: sample.founder.bearer)
            #expect(marked.status.code < 300, "\(marked.text)")
            let people = "/api/v1/records/people"
            let path = try await made(tower, "\(people)/\(sample.studentId)/export", [:], as: admin)
            let files = try Unzip().unzip(
                Array(try await bytes(tower, path, as: admin)), limits: UnpackingLimits(files: 1000))
            let text = files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
            #expect(text.contains("\"given_name\" : \"Bea\"") && text.contains("\"status\" : \"present\""))
            func erase(_ id: String, _ name: String, as person: Tower.Person) async throws -> (Int, String) {
                let answer = try await tower.post("\(people)/\(id)/erase", ["name": name], as: person.bearer)
                return (answer.status.code, answer.text)
            }
            #expect(try await erase(sample.studentId, "Somebody Else", as: admin).0 == 422)
            #expect(try await erase(sample.studentId, "Bea Ruiz", as: sample.member).0 == 403)
            #expect(try await erase(sample.studentId, "Bea Ruiz", as: admin).0 == 200)
            let school = try await tower.composition.schools.school(UUID(text: sample.orgId)!)
            let left = try await school.read { sql in
                (
                    try sql.rows(
                        "SELECT given_name, family_name, email FROM people WHERE id = \(sample.studentId)"),
                    try sql.rows("SELECT day FROM attendance_marks").count
                        + sql.rows("SELECT id FROM students").count
                )
            }
            #expect(left.1 == 0)
            #expect(left.0.first?.values == [.text("Removed person"), .text(""), .null])
            #expect(try await erase(sample.memberId, "Ben Ito", as: admin).0 == 200)
            #expect(try await tower.get("/api/v1/classrooms", as: sample.member.bearer).status == .notFound)
        }
    }

    @Test("the last super admin cannot be erased, nor a super admin by an admin")
    func keepsSuperAdmins() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let admin = try await tower.member(.admin, of: sample)
            let id = try await tower.composition.directory.read {
                try $0.value("SELECT person_id FROM memberships WHERE role = 'superAdmin'", as: String.self)
            }
            let founder = try #require(id)
            func erase(as person: Tower.Person) async throws -> String {
                try await tower.post(
                    "/api/v1/records/people/\(founder)/erase", ["name": sample.founder.name], as: person.bearer
                ).text
            }
            #expect(try await erase(as: admin).contains("records.lastSuperAdmin"))
            #expect(try await erase(as: sample.founder).contains("records.lastSuperAdmin"))
            _ = try await tower.member(.admin, of: sample)
            let member = sample.memberId
            let raised = try await tower.post(
                "/api/v1/members/\(member)/role", ["role": "superAdmin"], as: sample.founder.bearer)
            #expect(raised.status == .ok)
            #expect(try await erase(as: admin).contains("notAllowed"))
            #expect(try await erase(as: sample.founder).contains("records.oneself"))
        }
    }

    @Test(
        "records are deleted when their retention is over, by the school's own periods", .requirement("BY-1.24.d"))
    func expires() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let marked = try await tower.post(
                "/api/v1/classrooms/\(sample.classroomId)/attendance",
                ["studentId": sample.studentId, "status": "present"], as: sample.founder.bearer, key: "a-key-of-old"
            )
            #expect(marked.status.code < 300, "\(marked.text)")
            func set(_ kind: String, _ days: Int, as person: Tower.Person) async throws -> Int {
                let body = try JSONSerialization.data(withJSONObject: ["days": days])
                return try await tower.post(
                    "/api/v1/records/kinds/\(kind)/retention", bytes: body, type: "application/json",
                    as: person.bearer
                ).status.code
            }
            #expect(try await set("classroom.attendance", 400, as: sample.founder) == 200)
            #expect(try await set("classroom.attendance", 3, as: sample.founder) == 422)
            #expect(try await set("auth.sessions", 3, as: sample.founder) == 404)
            #expect(
                try await set("classroom.attendance", 400, as: try await tower.member(.admin, of: sample)) == 403)
            let school = try await tower.composition.schools.school(UUID(text: sample.orgId)!)
            func count() async throws -> [Int] {
                try await school.read { sql in
                    [
                        try sql.rows("SELECT day FROM attendance_marks").count,
                        try sql.rows("SELECT key FROM idempotency WHERE key LIKE 'a-key-of-old%'").count,
                    ]
                }
            }
            #expect(try await count() == [1, 1])
            await tower.composition.runJobs()
            #expect(try await count() == [1, 1], "nothing is too old yet")
            tower.clock.advance(by: 15 * 86_400)
            await tower.composition.runJobs()
            #expect(try await count() == [1, 0], "answers are kept for 14 days")
            tower.clock.advance(by: 400 * 86_400)
            await tower.composition.runJobs()
            #expect(try await count() == [0, 0])
            let sessions = try await tower.composition.directory.read {
                try $0.rows("SELECT id FROM sessions").count
                    + $0.rows("SELECT fingerprint FROM session_tokens").count
            }
            #expect(sessions == 0)
            let log = try await school.read { try ChangeLog.latest(kinds: ["records.expired"], limit: 9, in: $0) }
            #expect(log.contains { $0.change.payload["kind"] == "classroom.attendance" })
        }
    }

    @Test("every table of any migration belongs to a kind of record", .requirement("WW-20.01.a"))
    func declaresEveryTable() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let school = try await tower.composition.schools.school(UUID(text: sample.orgId)!)
            for (store, database) in [
                (RecordKind.Store.school, school), (.directory, tower.composition.directory as any Database),
            ] {
                let tables = try await database.read { sql in
                    try sql.rows("SELECT name FROM sqlite_master WHERE type = 'table'").map {
                        try $0.get("name", as: String.self)
                    }
                }
                let kinds = tower.composition.features.records.filter { $0.store == store }
                let declared = kinds.flatMap { $0.tables.map(\.name) }
                #expect(Set(declared).count == declared.count, "a table is declared twice")
                // Tables of the engine and of the migrator.
                let known = Set(declared + ["schema_migrations", "sqlite_sequence"])
                for table in tables where !known.contains(table) {
                    Issue.record("no kind of record names the table \(table) of the \(store)")
                }
                #expect(Set(declared).isSubset(of: tables), "a declared table does not exist")
                // Every declared statement can be run.
                let subject = RecordSubject(
                    schoolId: UUID(text: sample.orgId)!, personId: UUID(text: sample.studentId)!, accountId: nil,
                    placeholder: "x")
                try await database.read { sql in
                    for table in kinds.flatMap(\.tables) {
                        for statement in [
                            table.export?(subject.schoolId), table.about?(subject), table.expiry?.isDue(Date()),
                        ] {
                            if let statement { _ = try sql.rows(statement) }
                        }
                    }
                }
            }
        }
    }

    @Test("the records about a person are found through an index, unless the kind declares otherwise")
    func findsByIndex() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let schoolId = UUID(text: sample.orgId)!
            let subject = RecordSubject(schoolId: schoolId, eachOf: "asked.person_id")
            for kind in tower.composition.features.records {
                for table in kind.tables where table.subjects == nil {
                    guard let about = table.about?(subject) else { continue }
                    let statement: SQL = "SELECT EXISTS (\(about)) FROM (SELECT '' AS person_id) AS asked"
                    let plan =
                        kind.store == .school
                        ? try await tower.composition.schools.queryPlan(statement, of: schoolId)
                        : try await tower.composition.directory.queryPlan(statement)
                    expectIndexed(plan, "\(table.name): \(statement.text)", allowing: ["asked"])
                }
            }
        }
    }

    @Test("the inventory lists each kind of personal data that is collected", .requirement("WW-20.01.c"))
    func namesPersonalData() async throws {
        try await Tower.with { tower in
            let answer = try await tower.get("/api/v1/records/inventory", [.acceptLanguage: "en"])
            let items = try answer.json().list("items").compactMap { $0 as? [String: Any] }
            func named(_ kind: String? = nil) -> Set<String> {
                Set(
                    items.filter { kind == nil || $0["id"] as? String == kind }
                        .flatMap { $0["personal"] as? [String] ?? [] })
            }
            // Photos are files, usage is activity.
            #expect(named().isSuperset(of: ["Name", "Email", "Notes", "Files", "Activity"]))
            #expect(named("residence.passages").contains("Location"), "a check-in may have coordinates")
            #expect(named("residence.diets").contains("Health"), "allergies")
            #expect(named("wellness.checkIns").contains("Health"), "moods")
            #expect(named("classroom.contacts") == ["Name", "Email"])
        }
    }

    @Test(
        "the inventory is public, in both languages, from the same declarations",
        .requirement("WW-20.01.b"))
    func inventory() async throws {
        try await Tower.with { tower in
            for language in ["en", "fr"] {
                let answer = try await tower.get("/api/v1/records/inventory", [.acceptLanguage: language])
                #expect(answer.status == .ok && !answer.text.contains("«"))
                #expect(try answer.json().list("items").count == tower.composition.features.records.count)
            }
        }
    }
}

extension Tower {
    fileprivate func get(_ path: String, _ more: HTTPFields) async throws -> TestResponse {
        try await get(path, as: .nobody, more)
    }
}
