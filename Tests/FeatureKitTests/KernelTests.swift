import DesignSystem
import Domain
import Foundation
import TestKit
import Testing

@testable import FeatureKit

@Suite("A statement")
struct SQLTests {
    @Test(
        "binds what is put into it, whatever it says",
        arguments: ["x'; DROP TABLE people; --", "$1", "\" OR 1=1", ""])
    func binds(_ value: String) {
        let sql: SQL = "SELECT * FROM people WHERE name = \(value) AND age > \(7)"
        #expect(sql.text == "SELECT * FROM people WHERE name = $1 AND age > $2")
        #expect(sql.values == [.text(value), .integer(7)])
    }

    @Test("binds nothing as null, lists one by one, an empty list as what matches nothing")
    func kinds() throws {
        let sql: SQL =
            "A \(nil as Int?) B \(list: ["x", "y"]) C \(list: [Int]()) D \(true) E \(2.5) F \([1, 2] as [UInt8])"
        #expect(sql.text == "A $1 B ($2, $3) C (NULL) D $4 E $5 F $6")
        #expect(sql.values == [.null, .text("x"), .text("y"), .integer(1), .double(2.5), .blob([1, 2])])
        let day = try #require(Day("2026-11-21"))
        let more: SQL =
            "\(day) \(Role.guide) \(Date(timeIntervalSince1970: 1.0007)) \(UUID(uuidString: someId.uppercased())!)"
        #expect(more.values == [.text("2026-11-21"), .text("guide"), .integer(1001), .text(someId)])
    }

    @Test("takes another statement in and renumbers it")
    func nests() {
        let mine: SQL = "owner = \("ana") OR shared = \(true)"
        let inner: SQL = "(\(mine)) AND size < \(9)"
        let sql: SQL = "SELECT 1 WHERE id = \(5) AND \(inner) AND \(mine) LIMIT \(3)"
        #expect(
            sql.text
                == "SELECT 1 WHERE id = $1 AND (owner = $2 OR shared = $3) AND size < $4 AND owner = $5 OR shared = $6 LIMIT $7"
        )
        #expect(
            sql.values == [
                .integer(5), .text("ana"), .integer(1), .integer(9), .text("ana"), .integer(1), .integer(3),
            ])
    }

    @Test("keeps a dollar sign that is one, also with ten and more values")
    func dollars() {
        let price: SQL = "price = '$' AND path = '$.a' AND x = \(1)"
        #expect(("\(price)" as SQL).text == "price = '$' AND path = '$.a' AND x = $1")
        let many: SQL = "\(list: 0..<12)"
        let nested: SQL = "\(0) \(many)"
        #expect(nested.text.hasSuffix("$12, $13)"))
        #expect(nested.values.last == .integer(11))
    }

    @Test("values come back as what they were, and as nothing else")
    func conversions() throws {
        #expect(Int(sqlValue: .text("1")) == nil)
        #expect(String(sqlValue: .integer(1)) == nil)
        #expect(Double(sqlValue: .integer(3)) == 3)
        #expect(Bool(sqlValue: .integer(1)) == true)
        #expect(UUID(sqlValue: .text("no")) == nil)
        #expect(Day(sqlValue: .text("2026-02-30")) == nil)
        #expect(Role(sqlValue: .text("king")) == nil)
        let instant = Date(timeIntervalSince1970: 1_793_631_600.123)
        #expect(Date(sqlValue: instant.sqlValue) == instant)
        let row = SQLRow(columns: ["a", "b"], values: [.integer(1), .null])
        #expect(try row.get("a", as: Int.self) == 1)
        #expect(try row.optional("b", as: String.self) == nil)
        #expect(throws: DatabaseFault.self) { try row.get("b", as: String.self) }
    }

    @Test("a migration's statements are taken apart at line ends only")
    func migrations() {
        let migration = Migration(
            "001",
            "CREATE TABLE a (t TEXT DEFAULT ';');\n\nCREATE INDEX b ON a (t);\n;\nINSERT INTO a VALUES ('x;y')")
        #expect(
            migration.statements == [
                "CREATE TABLE a (t TEXT DEFAULT ';')", "CREATE INDEX b ON a (t)", "INSERT INTO a VALUES ('x;y')",
            ])
    }
}

@Suite("The shape of a result")
struct SchemaTests {
    struct Inner: Codable { let id: UUID, at: Date?, size: Double }
    struct Outer: Codable {
        let name: String
        let note: String?
        let count: Int
        let big: Int64?
        let flag: Bool?
        let day: Day
        let shape: Role
        let otherShape: Role?
        let inner: Inner
        let list: [Inner]
        let maybe: [String]?
        let map: [String: String]
    }

    @Test("is that of its members")
    func object() throws {
        let inner = Schema.object([
            .init(name: "id", schema: .text(format: "uuid"), isRequired: true),
            .init(name: "at", schema: .text(format: "date-time"), isRequired: false),
            .init(name: "size", schema: .number, isRequired: true),
        ])
        let roles = Schema.choice(Role.allCases.map(\.rawValue))
        #expect(
            Schema.of(Outer.self)
                == .object([
                    .init(name: "name", schema: .text(format: nil), isRequired: true),
                    .init(name: "note", schema: .text(format: nil), isRequired: false),
                    .init(name: "count", schema: .integer, isRequired: true),
                    .init(name: "big", schema: .integer, isRequired: false),
                    .init(name: "flag", schema: .flag, isRequired: false),
                    .init(name: "day", schema: .text(format: "date"), isRequired: true),
                    .init(name: "shape", schema: roles, isRequired: true),
                    .init(name: "otherShape", schema: roles, isRequired: false),
                    .init(name: "inner", schema: inner, isRequired: true),
                    .init(name: "list", schema: .list(inner), isRequired: true),
                    .init(name: "maybe", schema: .list(.text(format: nil)), isRequired: false),
                    .init(name: "map", schema: .map(.text(format: nil)), isRequired: true),
                ]))
    }

    @Test("of a page, a list and a word is what it is")
    func others() {
        #expect(
            Schema.of(Page<Int>.self)
                == .object([
                    .init(name: "items", schema: .list(.integer), isRequired: true),
                    .init(name: "next", schema: .text(format: nil), isRequired: false),
                ]))
        #expect(Schema.of([String].self) == .list(.text(format: nil)))
        #expect(Schema.of([Decimal].self) == .list(.number))
        #expect(Schema.of(Role.self) == .choice(Role.allCases.map(\.rawValue)))
        #expect(Schema.of(Done.self) == .object([.init(name: "done", schema: .flag, isRequired: true)]))
    }
}

@Suite("Open event streams")
struct ChangeHubTests {
    func makeChange(_ seq: Int64) -> LoggedChange {
        LoggedChange(
            seq: seq, at: Date(timeIntervalSince1970: 0), actorId: nil,
            change: Change("a.b", topics: [], audience: [.school]))
    }

    @Test("hear of their school alone, in order")
    func order() async {
        let hub = ChangeHub()
        let (oak, elm) = (UUID(), UUID())
        var streams = [hub.changes(of: oak), hub.changes(of: oak)].map { $0.makeAsyncIterator() }
        hub.publish([makeChange(9)], of: elm)
        hub.publish([makeChange(1), makeChange(2)], of: oak)
        hub.publish([makeChange(3)], of: oak)
        for index in streams.indices {
            for seq in 1...3 { #expect(await streams[index].next()?.seq == Int64(seq)) }
        }
    }

    @Test("one that does not keep up ends after what it holds; others go on")
    func slow() async {
        let hub = ChangeHub()
        let school = UUID()
        let slow = hub.changes(of: school)
        var quick = hub.changes(of: school).makeAsyncIterator()
        for seq in 1...Int64(ChangeHub.bufferLimit + 10) {
            hub.publish([makeChange(seq)], of: school)
            #expect(await quick.next()?.seq == seq)
        }
        var received: [Int64] = []
        for await change in slow { received.append(change.seq) }
        #expect(received == Array(1...Int64(ChangeHub.bufferLimit)))
        // It comes back and hears what is new.
        var again = hub.changes(of: school).makeAsyncIterator()
        hub.publish([makeChange(1000)], of: school)
        #expect(await again.next()?.seq == 1000)
    }

    @Test("are not woken by what is surely not theirs, and lose nothing while their rights change")
    func filter() async {
        func change(_ seq: Int64, _ audience: Audience, reshapes: Bool = false) -> LoggedChange {
            LoggedChange(
                seq: seq, at: Date(timeIntervalSince1970: 0), actorId: nil,
                change: Change("a.b", topics: [], audience: [audience], reshapesAudience: reshapes))
        }
        let (hub, school, filter) = (ChangeHub(), UUID(), AudienceFilter())
        let (maple, birch) = (Audience("classroom:maple"), Audience("classroom:birch"))
        var stream = hub.changes(of: school, for: filter).makeAsyncIterator()
        hub.publish([change(1, birch)], of: school)
        filter.know([maple])
        hub.publish([change(2, birch), change(3, maple), change(4, .school)], of: school)
        hub.publish([change(5, .school, reshapes: true)], of: school)
        // Right behind the new right, before the reader knows of it.
        hub.publish([change(6, birch)], of: school)
        hub.publish([change(7, maple, reshapes: true), change(8, birch)], of: school)
        var (seen, given): ([Int64], LoggedChange?) = ([], await stream.next())
        while let logged = given {
            seen.append(logged.seq)
            filter.settle(logged, logged.seq < 7 ? [maple] : [maple, birch])
            if logged.seq == 5 { hub.publish([change(9, birch)], of: school) }
            if logged.seq == 8 { hub.publish([change(10, .school), change(11, birch)], of: school) }
            given = logged.seq == 11 ? nil : await stream.next()
        }
        #expect(seen == [1, 3, 5, 6, 7, 8, 9, 11])
    }

    @Test("end when the hub closes, and none begins afterwards")
    func close() async {
        let hub = ChangeHub()
        let school = UUID()
        var open = hub.changes(of: school).makeAsyncIterator()
        hub.publish([makeChange(1)], of: school)
        hub.close()
        hub.publish([makeChange(2)], of: school)
        #expect(await open.next()?.seq == 1)
        #expect(await open.next() == nil)
        var late = hub.changes(of: school).makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("may come and go while others publish")
    func storm() async {
        let hub = ChangeHub()
        let school = UUID()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    for seq in 0..<50 { hub.publish([makeChange(Int64(seq))], of: school) }
                }
                group.addTask {
                    for _ in 0..<20 {
                        let reader = Task { for await _ in hub.changes(of: school) { break } }
                        reader.cancel()
                        await reader.value
                    }
                }
            }
        }
        hub.close()
        var after = hub.changes(of: school).makeAsyncIterator()
        #expect(await after.next() == nil, "a closed hub takes no reader")
    }
}

@Suite("The change log")
struct ChangeLogTests {
    @Test("gives back what was put in, from a place on and by kind")
    func roundTrip() async throws {
        let school = try await TestSchool([makeNotes()])
        let (ana, now) = (UUID(), school.clock.now)
        let changes = (1...5).map { number in
            Change(
                number % 2 == 0 ? "a.even" : "a.odd", topics: ["t:\(number)", "all"],
                audience: [.school, .person(ana), .role(.guide)],
                payload: ["n": "\(number)", "empty": "", "eq": "a=b"], reshapesAudience: number == 3)
        }
        let logged = try await school.database.write { try ChangeLog.append(changes, at: now, actor: ana, in: $0) }
        #expect(try await school.changes() == logged)
        let later = try await school.database.read { try ChangeLog.changes(after: 3, limit: 1, in: $0) }
        #expect(later.map(\.seq) == [4])
        let odd = try await school.database.read {
            try ChangeLog.latest(kinds: ["a.odd"], before: 5, limit: 9, in: $0)
        }
        #expect(odd.map(\.seq) == [3, 1])
        let none = try await school.database.write { try ChangeLog.append([], at: now, actor: nil, in: $0) }
        #expect(none.isEmpty)
    }
}

@Suite("A limit on tries")
struct RateLimiterTests {
    let start = Date(timeIntervalSince1970: 1000)

    @Test("locks after so many failures, for each key alone, and says for how long")
    func locks() throws {
        let limiter = RateLimiter(limit: 3, period: 60)
        for second in 0..<3 { try limiter.take(["ip", "ana"], at: start.addingTimeInterval(Double(second))) }
        let problem = #expect(throws: Problem.self) {
            try limiter.take(["ana"], at: start.addingTimeInterval(20.5))
        }
        #expect(problem == .tooManyTries(40))
        #expect(throws: Problem.self) { try limiter.take(["bo", "ip"], at: start.addingTimeInterval(59)) }
        // What was refused counted for nobody.
        for _ in 0..<3 { try limiter.take(["bo"], at: start.addingTimeInterval(59)) }
        try limiter.take(["ana", "ip"], at: start.addingTimeInterval(60))
    }

    @Test("forgives, gives back a good try alone, and counts anew after its period")
    func forgives() throws {
        let limiter = RateLimiter(limit: 2, period: 60)
        try limiter.take(["ana"], at: start)
        try limiter.take(["ana"], at: start)
        limiter.giveBack(["ana"])
        try limiter.take(["ana"], at: start)
        #expect(throws: Problem.self, "the first failure still counts") { try limiter.take(["ana"], at: start) }
        limiter.forgive(["ana"])
        for _ in 0..<2 { try limiter.take(["ana"], at: start) }
        #expect(throws: Problem.self) { try limiter.take(["ana"], at: start.addingTimeInterval(59)) }
        try limiter.take(["ana"], at: start.addingTimeInterval(61))
    }

    @Test("refuses for no longer than its period, however far the clock is set back")
    func clockSetBack() throws {
        let limiter = RateLimiter(limit: 1, period: 60)
        let later = start.addingTimeInterval(86_400)
        try limiter.take(["ana"], at: later)
        let refusal = #expect(throws: Problem.self) { try limiter.take(["ana"], at: start) }
        #expect(refusal == .tooManyTries(60))
        try limiter.take(["ana"], at: start.addingTimeInterval(60))
    }

    @Test("many tries at once are as many tries")
    func atOnce() async {
        let limiter = RateLimiter(limit: 5, period: 60)
        let admitted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { [start] in
                    do {
                        try limiter.take(["ana"], at: start)
                        return true
                    } catch { return false }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(admitted == 5)
    }
}

@Suite("A set of blocks")
struct FeatureSetTests {
    func make(_ id: String) throws -> Feature {
        Feature(id, catalog: try StringCatalog(json: Data(#"{"strings": {}}"#.utf8)))
    }

    @Test("may not declare one thing twice")
    func doubles() throws {
        var other = try makeNotes()
        other.commands.removeLast()
        let misfit = #expect(throws: FeatureSet.Misfit.self) { try FeatureSet([try makeNotes(), other]) }
        #expect(String(describing: try #require(misfit)).contains("notes.write"))
    }

    @Test(
        "that fits gives its migrations, the kernel's first, and the entries a person may see",
        .requirement("PT-1.19.b"))
    func fits() throws {
        var notes = try makeNotes()
        notes.navigation = [
            NavigationEntry(.tabs, "b", icon: "x", path: "/b", order: 20),
            NavigationEntry(.tabs, "a", icon: "x", path: "/a", order: 10, permission: .writeNotes),
            NavigationEntry(.settings, "c", icon: "x", path: "/c", order: 1),
        ]
        let set = try FeatureSet([notes])
        #expect(set.schoolMigrations.map(\.owner) == ["kernel", "pipeline", "pending", "Notes"])
        #expect(set.directoryMigrations.map(\.owner) == ["pipeline", "seals", "pending", "Notes"])
        #expect(set.navigation(for: .nobody).map(\.path) == ["/c", "/b"])
    }

    @Test("an API token may have a scope for each area with endpoints, but for what is a person's own")
    func tokenScopes() throws {
        let notes = try makeNotes()
        let reachable =
            notes.queries.map { ($0.contract, false) } + notes.commands.map { ($0.contract, true) }
        #expect(
            [notes].tokenScopes
                == Set(
                    reachable.filter { $0.0.access != .anyone }.map { TokenScope(area: $0.0.area, mayChange: $0.1) }
                ))
        var personal = notes
        personal.personalAreas = ["notes", "school"]
        #expect([personal].tokenScopes.isEmpty)
        #expect([notes].tokenScopes.contains(TokenScope(area: "notes", mayChange: true)))
        #expect([try make("Other"), notes].tokenScopes == [notes].tokenScopes)
    }

    @Test(
        "what families do at home is a tab for them, and stays out of the tabs of staff, parents too",
        .requirement("PT-1.19.b"))
    func placesFamilies() throws {
        var notes = try makeNotes()
        notes.navigation = [NavigationEntry(.family, "a", icon: "x", path: "/a", order: 10)]
        let set = try FeatureSet([notes])
        func place(_ roles: Set<Role>) -> NavigationEntry.Place? {
            let organization = Organization(
                id: UUID(), name: "Maple School", avatarTint: .leaf, timeZone: "Europe/Zurich",
                createdAt: .distantPast)
            let caller = Caller(
                account: nil,
                membership: ActiveMembership(organization: organization, personId: UUID(), roles: roles))
            return set.navigation(for: caller).first?.place
        }
        #expect(place([.parent]) == .tabs)
        #expect(place([.guide]) == .account)
        #expect(place([.guide, .parent]) == .account)
    }

    @Test(
        "offers what blocks show of a person, a classroom, a child or an observation where that one is shown, to whoever may see it"
    )
    func links() async throws {
        var notes = try makeNotes()
        notes.navigation = [
            NavigationEntry(
                .classroom, "notes.secret", icon: "x", path: "/s/{classroomId}", order: 1, permission: .writeNotes),
            NavigationEntry(
                .classroom, "notes.class", icon: "x", path: "/classrooms/{classroomId}/notes", order: 2),
            NavigationEntry(.person, "notes.person", icon: "x", path: "/people/{personId}/notes", order: 3),
            NavigationEntry(
                .observation, "notes.share", icon: "x", path: "/students/{studentId}/share/{observationId}",
                order: 4),
            NavigationEntry(
                .observation, "notes.hidden", icon: "x", path: "/x/{observationId}", order: 5,
                permission: .writeNotes),
            NavigationEntry(.child, "notes.child", icon: "eye", path: "/students/{studentId}/tell", order: 6),
        ]
        let (id, child) = (UUID(), UUID())
        notes.screens = [
            ScreenRoute("/page", access: .account) { request in
                .screen(
                    Screen(
                        title: "Page",
                        body: [
                            .links(
                                PTLinks(
                                    links: request.chips(aboutClassroom: id).map {
                                        .init(title: $0.title, action: $0.action)
                                    })),
                            .links(PTLinks(links: request.links(about: id))),
                            .links(PTLinks(links: request.links(aboutObservation: id, of: child))),
                            .links(
                                PTLinks(
                                    links: request.items(forChild: child).map {
                                        .init(title: $0.title, action: $0.action)
                                    })),
                        ]))
            }
        ]
        let school = try await TestSchool([notes])
        let lines = try await school.house.outline("/page", as: school.makeCaller(.parent)).lines
        #expect(
            lines.dropFirst() == [
                "[«notes.class»] -> /classrooms/\(id.text)/notes", "[«notes.person»] -> /people/\(id.text)/notes",
                "[«notes.share»] -> /students/\(child.text)/share/\(id.text)",
                "[«notes.child»] -> /students/\(child.text)/tell",
            ])
    }
}

@Suite("The kernel's own sentences")
struct CatalogTests {
    static let codes = [
        "fault.required", "fault.tooShort", "fault.tooLong", "fault.email", "fault.id", "fault.list",
        "fault.tooMany",
        "fault.choice", "fault.integer", "fault.number", "fault.instant", "fault.outOfRange", "fault.flag",
        "fault.object", "fault.text", "fault.nameMissing",
        "fault.control", "fault.day", "fault.dayFar", "fault.unknown", "fault.files", "problem.notFound",
        "problem.signInNeeded",
        "problem.tokenScope", "problem.tokenOnPage", "problem.notAllowed", "problem.invalid",
        "problem.malformedJSON", "problem.objectExpected",
        "problem.idempotencyKey", "problem.cannotWrite", "problem.busy", "problem.tooManyTries", "problem.tooLarge",
        "problem.unsupportedMediaType", "problem.methodNotAllowed", "problem.badRequest", "problem.internal",
        "problem.offsite", "problem.secondFactorNeeded", "problem.schoolClosed",
        "problem.schoolDamaged",
    ]

    @Test("are there in every language, whole, and differ", arguments: codes)
    func complete(_ code: String) throws {
        let catalog = try StringCatalog.featureKit()
        let texts = Language.allCases.map { Words($0, [catalog])(code, 3, 9) }
        for text in texts {
            #expect(!text.contains("«"))
            #expect(!text.contains("%"))
            #expect(text.hasSuffix("."))
        }
        #expect(Set(texts).count == Language.allCases.count)
    }

    @Test("count as their language does")
    func plurals() throws {
        let catalog = try StringCatalog.featureKit()
        let waits = [1, 30, 60, 61, 3540, 3541, 7201].map(Problem.tooManyTries)
        #expect(
            waits.map { $0.sentence(Words(.english, [catalog])) }
                == ["1 second", "30 seconds", "1 minute", "2 minutes", "59 minutes", "1 hour", "3 hours"]
                .map { "There were too many tries. Try again in \($0)." })
        #expect(
            waits.map { $0.sentence(Words(.french, [catalog])) }
                == ["1 seconde", "30 secondes", "1 minute", "2 minutes", "59 minutes", "1 heure", "3 heures"]
                .map { "Il y a eu trop d’essais. Réessayez dans \($0)." })
        let fault = Fault("name", "tooLong", [.number(200)])
        #expect(fault.sentence(Words(.english, [catalog])).contains("200 characters"))
        #expect(fault.sentence(Words(.french, [catalog])).contains("200 caractères"))
    }

    @Test("every sentence of a fault or problem is used")
    func nothingElse() throws {
        let catalog = try StringCatalog.featureKit()
        for language in Language.allCases {
            let sentences = catalog.entries[language, default: [:]].keys.filter {
                $0.hasPrefix("fault.") || $0.hasPrefix("problem.")
            }
            #expect(Set(sentences) == Set(Self.codes))
        }
    }
}

@Suite("Ids and secrets")
struct PortsTests {
    @Test("a token is 256 bits in an alphabet for addresses")
    func token() {
        let tokens = (0..<100).map { _ in SystemIDGenerator().token() }
        #expect(Set(tokens).count == 100)
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(tokens.allSatisfy { $0.count == 43 && alphabet.isSuperset(of: $0) })
    }

    @Test("the test kit's ids are version 7, in order and the same in every run")
    func counting() {
        let (first, second) = (CountingIDs(), CountingIDs())
        let now = FixedClock().now
        let ids = (0..<300).map { _ in first.id(at: now) }
        #expect(ids == (0..<300).map { _ in second.id(at: now) })
        #expect(ids.map(\.text).sorted() == ids.map(\.text))
        #expect(ids.allSatisfy { $0.uuid.6 >> 4 == 7 && $0.uuid.8 >> 6 == 0b10 })
        #expect(first.token() != first.token())
    }
}
