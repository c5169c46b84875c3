import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import ServerApp
import TestKit
import Testing
import Web

/// The whole server in a temporary folder. Requests go through its real router within the process.
struct Tower {
    let composition: ServerComposition
    let client: any TestClientProtocol
    let clock: FixedClock
    let folder: TemporaryFolder

    static func settings(in folder: TemporaryFolder) -> ServerSettings {
        var settings = ServerSettings()
        settings.port = 0
        settings.dataFolder = folder.url.appending(path: "data")
        settings.weakPasswordHash = true
        return settings
    }

    /// Starts a server.
    /// - Parameters:
    ///   - live: whether requests go over a socket.
    ///   - folder: the data folder of an earlier server.
    ///   - logger: receives the server's log; without one it is dropped.
    static func with(
        live: Bool = false, in earlier: TemporaryFolder? = nil, logger: Logger? = nil,
        _ change: (inout ServerSettings) -> Void = { _ in },
        _ work: @escaping @Sendable (Tower) async throws -> Void
    ) async throws {
        let folder = try earlier ?? TemporaryFolder()
        var settings = settings(in: folder)
        change(&settings)
        let clock = FixedClock(Date())
        let composition = try await ServerComposition.build(settings, clock: clock)
        var quiet = Logger(label: "test")
        quiet.logLevel = .critical
        let application = try makeApplication(composition, settings, logger: logger ?? quiet)
        do {
            try await application.test(live ? .live : .router) { client in
                // As the real server does when it stops, because open streams would keep it running.
                defer { composition.hub.close() }
                try await work(Tower(composition: composition, client: client, clock: clock, folder: folder))
            }
        } catch {
            try await composition.close()
            throw error
        }
        try await composition.close()
    }

    // MARK: - Requests

    enum As {
        case nobody
        /// An API client, which sends no cookies that another site's page could abuse.
        case bearer(String)
        /// A browser on a page of this server.
        case browser(String)
    }

    func headers(_ who: As) -> HTTPFields {
        switch who {
        case .nobody: [:]
        case .bearer(let token): [.authorization: "Bearer \(token)"]
        case .browser(let token): [.cookie: "pt_access=\(token)", .secFetchSite: "same-origin"]
        }
    }

    func get(_ path: String, as who: As = .nobody, _ more: HTTPFields = [:]) async throws -> TestResponse {
        try await client.execute(uri: path, method: .get, headers: headers(who).merging(more))
    }

    /// Requests a page as a browser does.
    func page(_ path: String, as who: As, language: String = "en") async throws -> TestResponse {
        try await get(path, as: who, [.accept: "text/html", .acceptLanguage: language])
    }

    func post(
        _ path: String, _ body: some Encodable, as who: As = .nobody, key: String? = nil, _ more: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await post(path, bytes: JSONEncoder().encode(body), type: "application/json", as: who, key: key, more)
    }

    func post(
        _ path: String, bytes: Data, type: String?, as who: As = .nobody, key: String? = nil,
        _ more: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers(who).merging(more)
        if let type { headers[.contentType] = type }
        if let key { headers[.idempotencyKey] = key }
        return try await client.execute(
            uri: path, method: .post, headers: headers, body: ByteBuffer(bytes: bytes))
    }

    /// Sends a form as a browser without scripts does.
    func form(
        _ path: String, _ fields: [(String, String)], as who: As = .nobody, _ more: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await post(
            path, bytes: Data(Self.encode(fields).utf8), type: "application/x-www-form-urlencoded", as: who,
            ([.accept: "text/html", .secFetchSite: "same-origin"] as HTTPFields).merging(more))
    }

    static func encode(_ fields: [(String, String)]) -> String {
        func escape(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
        return fields.map { "\(escape($0.0))=\(escape($0.1))" }.joined(separator: "&")
    }

    // MARK: - People

    /// A person with an account, with the tokens of its clients.
    struct Person: Sendable {
        let name: String
        let email: String
        let access: String
        let refresh: String
        var bearer: As { .bearer(access) }
        var browser: As { .browser(access) }
    }

    static let password = "a few words in a row"

    /// Returns the body of a sign-up.
    struct NewPerson: Encodable {
        let name: String
        let email: String
        var password = Tower.password
        var bornOn = "1990-02-28"
        var agrees = true
    }

    func signUp(_ name: String = "Ana Kovač") async throws -> Person {
        let email = "p\(UUID().uuidString.prefix(13).lowercased())@maple.example"
        let answer = try await post(
            "/api/v1/auth/sign-up", NewPerson(name: name, email: email))
        #expect(answer.status == .created)
        let tokens = try answer.json()
        return try Person(
            name: name, email: email, access: tokens.text("accessToken"), refresh: tokens.text("refreshToken"))
    }

    /// Returns the person in a new session.
    func again(_ person: Person) async throws -> Person {
        let answer = try await post("/api/v1/auth/sign-in", ["email": person.email, "password": Self.password])
        #expect(answer.status == .ok, "\(answer.text)")
        let tokens = try answer.json()
        return try Person(
            name: person.name, email: person.email, access: tokens.text("accessToken"),
            refresh: tokens.text("refreshToken"))
    }

    /// A school with everything that endpoints need ids of.
    struct SampleSchool: Sendable {
        let founder: Person
        let orgId: String
        let classroomId: String
        let otherClassroomId: String
        let studentId: String
        let member: Person
        let memberId: String
        let inviteId: String
        let code: String
        /// The records about the student.
        let observationId: String
        let habitId: String
        let workId: String
        let contactId: String
        /// A child of the founder's own family who plays, and the child's routines.
        let playerId: String
        let routineId: String
        let taskId: String
        /// The founder's conversation with the member.
        let conversationId: String
        let announcementId: String
        /// A recent message of the founder.
        let messageId: String
        /// The founder's report of a message of the member.
        let reportId: String
        /// The founder's course, which needs approval, with a module and a lesson, in a term.
        let courseId: String
        let moduleId: String
        let lessonId: String
        let termId: String
        let gradedItemId: String
        /// A published assignment of the course.
        let assignmentId: String
        /// A draft of a quiz in the course, with a question.
        let quizId: String
        let questionId: String
        let residenceId: String
        let roomId: String
        let passageId: String
        let mealId: String
        /// A set of flashcards that is shared in the course, with a card.
        let setId: String
        let cardId: String
    }

    func sampleSchool(_ name: String = "Maple School") async throws -> SampleSchool {
        let founder = try await signUp()
        func run(_ path: String, _ body: [String: String], as person: Person) async throws -> Answer {
            let answer = try await post("/api/v1\(path)", body, as: person.bearer)
            try #require((200..<300).contains(answer.status.code), "\(path): \(answer.text)")
            return try answer.json()
        }
        let org = try await run("/organizations", ["name": name, "timeZone": "America/Toronto"], as: founder)
        // The tower's clock is the real one: tests that mark attendance also run on Sundays.
        let week = try await post("/api/v1/organization/weekdays", AllWeek(), as: founder.bearer)
        try #require(week.status == .ok, "\(week.text)")
        let first = try await run("/classrooms", ["name": "Maple room"], as: founder)
        let second = try await run("/classrooms", ["name": "Birch room"], as: founder)
        let student = try await run(
            "/students", ["firstName": "Bea", "lastName": "Ruiz", "classroomId": first.text("id")], as: founder)
        // The founder is the first person of a school.
        clock.advance(by: 1)
        let member = try await signUp("Ben Ito")
        let joined = try await run(
            "/invites/redeem", ["code": run("/invites", [:], as: founder).text("code")], as: member)
        let open = try await run("/invites", [:], as: founder)
        let child = try "/students/\(student.text("id"))"
        let observation = try await run("\(child)/observations", ["content": "Traced m"], as: founder)
        let habit = try await run("\(child)/habits", ["name": "Coat"], as: founder)
        let work = try await run("\(child)/work", ["kind": "lesson", "title": "Golden beads"], as: founder)
        let contact = try await run(
            "\(child)/contacts", ["fullName": "Luz Ruiz", "email": "luz@home.example"], as: founder)
        let player = try await run("/quest/players", ["name": "Mia"], as: founder)
        let routine = try await post(
            "/api/v1/quest/players/\(player.text("id"))/routines", Routine(), as: founder.bearer
        ).json()
        let tasks = try await run(
            "/quest/routines/\(routine.text("id"))/tasks", ["name": "Brush teeth"], as: founder)
        let task = try #require(tasks.list("tasks").first as? [String: Any])
        // Otherwise the school refuses what students may do before anything is looked up.
        let opened = try await post("/api/v1/messages/policy", Policy(), as: founder.bearer)
        try #require(opened.status == .ok, "\(opened.text)")
        let conversation = try await post(
            "/api/v1/conversations", ["personIds": [joined.text("guideId")]], as: founder.bearer
        ).json()
        let talk = try "/conversations/\(conversation.text("id"))/messages"
        let message = try await run(talk, ["text": "Can you take the walk?"], as: founder)
        let answer = try await run(talk, ["text": "A bad word"], as: member)
        _ = try await run("/messages/\(answer.text("id"))/report", ["reason": "Not kind"], as: founder)
        let reports = try await get("/api/v1/messages/reports", as: founder.bearer).json()
        let report = try #require(reports.list("items").first as? [String: Any])
        let announcement = try await run(
            "/announcements", ["title": "Forest walk", "text": "On Friday."], as: founder)
        let term = try await run(
            "/terms", ["name": "Autumn", "firstDay": "2026-09-01", "lastDay": "2036-01-20"], as: founder)
        let course = try await run(
            "/courses",
            ["name": "Algebra", "subject": "Mathematics", "admission": "approval", "termId": term.text("id")],
            as: founder)
        let module = try await run("/courses/\(course.text("id"))/modules", ["title": "Week 1"], as: founder)
        let lesson = try await run(
            "/courses/modules/\(module.text("id"))/lessons", ["title": "Fractions", "content": "Halves."],
            as: founder)
        let item = try await run(
            "/courses/\(course.text("id"))/gradebook/items",
            ["title": "Essay", "category": "assignments", "maximum": "20"], as: founder)
        let assignment = try await post(
            "/api/v1/courses/\(course.text("id"))/assignments",
            Homework(dueDay: Day(clock.now, in: .gmt).adding(days: 7).description), as: founder.bearer
        ).json()
        _ = try await post(
            "/api/v1/assignments/\(assignment.text("id"))/publish", ["isPublished": true], as: founder.bearer)
        let quiz = try await run("/courses/\(course.text("id"))/quizzes", ["title": "Fractions"], as: founder)
        let question = try await run(
            "/quizzes/\(quiz.text("id"))/questions",
            ["kind": "shortAnswer", "text": "What is half of a half?", "accepted": "a quarter"], as: founder)
        let cards = try await post(
            "/api/v1/flashcards", Cards(courseIds: [course.text("id")]), as: founder.bearer
        ).json()
        let card = try await run(
            "/flashcards/cards", ["setId": cards.text("id"), "front": "le pain", "back": "the bread"], as: founder)
        let founderId = try await get("/api/v1/auth/me", as: founder.bearer).json().text("profileId")
        let residence = try await post(
            "/api/v1/residences", NewResidence(kitchenIds: [founderId]), as: founder.bearer
        )
        .json()
        let address = try "/residences/\(residence.text("id"))"
        let room = try await run("\(address)/rooms", ["number": "101", "type": "Twin"], as: founder)
        // Between midnight and 05:30 it is still the evening before, in whose roll call residents must be.
        let firstDay = Day(clock.now, in: .gmt).adding(days: -3).description
        _ = try await run(
            "\(address)/students",
            ["studentId": student.text("id"), "roomId": room.text("id"), "firstDay": firstDay], as: founder)
        let passage = try await run(
            "\(address)/passages", ["studentId": student.text("id"), "type": "checkIn"], as: founder)
        let menu = try await run(
            "\(address)/meals",
            [
                "lunch": "Dal, rice", "lunchTime": "12:30", "breakfastTime": "07:00", "dinnerTime": "18:30",
                "cutOff": "18:00",
            ], as: founder)
        let meal = try #require(menu.list("items").first as? [String: Any])
        return try SampleSchool(
            founder: founder, orgId: org.text("id"), classroomId: first.text("id"),
            otherClassroomId: second.text("id"), studentId: student.text("id"), member: member,
            memberId: joined.text("guideId"), inviteId: open.text("id"), code: open.text("code"),
            observationId: observation.text("id"), habitId: habit.text("id"), workId: work.text("id"),
            contactId: contact.text("id"), playerId: player.text("id"), routineId: routine.text("id"),
            taskId: #require(task["id"] as? String), conversationId: conversation.text("id"),
            announcementId: announcement.text("id"), messageId: message.text("id"),
            reportId: #require(report["id"] as? String), courseId: course.text("id"),
            moduleId: module.text("id"), lessonId: lesson.text("id"), termId: term.text("id"),
            gradedItemId: item.text("id"), assignmentId: assignment.text("id"), quizId: quiz.text("id"),
            questionId: question.text("id"), residenceId: residence.text("id"), roomId: room.text("id"),
            passageId: passage.text("id"),
            mealId: #require(meal["id"] as? String), setId: cards.text("id"), cardId: card.text("id"))
    }

    private struct Cards: Encodable {
        let title = "Bakery"
        let courseIds: [String]
    }

    private struct Homework: Encodable {
        let title = "Reading log"
        let points = "20"
        let kinds = ["text", "files", "link"]
        let dueDay: String
    }

    private struct NewResidence: Encodable {
        let name = "Birch House"
        let schoolNightCurfew = "20:00"
        let weekendCurfew = "22:00"
        let kitchenIds: [String]
    }

    /// A student of the sample school's course.
    func student(of sample: SampleSchool) async throws -> Person {
        let person = try await member(.student, of: sample)
        let course = "/api/v1/courses/\(sample.courseId)"
        let asked = try await post("\(course)/enroll", [String: String](), as: person.bearer)
        let decided = try await post(
            "\(course)/people/\(asked.json().text("studentId"))/decide", ["approves": true],
            as: sample.founder.bearer)
        try #require(decided.status == .ok, "\(decided.text)")
        return person
    }

    /// A student who lives in the sample school's residence.
    func resident(of sample: SampleSchool) async throws -> Person {
        let person = try await member(.student, of: sample)
        let id = try await get("/api/v1/auth/me", as: person.bearer).json().text("profileId")
        let moved = try await post(
            "/api/v1/residences/\(sample.residenceId)/students",
            ["studentId": id, "firstDay": Day(clock.now, in: .gmt).adding(days: -3).description],
            as: sample.founder.bearer)
        try #require(moved.status == .created, "\(moved.text)")
        return person
    }

    /// A student of the sample school's course who takes its quiz, with the id of the attempt.
    func attempt(in sample: SampleSchool) async throws -> (student: Person, id: String) {
        let student = try await member(.student, of: sample)
        let id = try await get("/api/v1/auth/me", as: student.bearer).json().text("profileId")
        _ = try await post(
            "/api/v1/courses/\(sample.courseId)/people", ["studentId": id], as: sample.founder.bearer)
        _ = try await post(
            "/api/v1/quizzes/\(sample.quizId)/publish", ["isPublished": true], as: sample.founder.bearer)
        let started = try await post(
            "/api/v1/quizzes/\(sample.quizId)/start", [String: String](), as: student.bearer)
        try #require(started.status == .ok, "\(started.text)")
        let attempt = try #require(try started.json().value as? [String: Any])["attempt"] as? [String: Any]
        return (student, try #require(attempt?["id"] as? String))
    }

    /// The id of a new leave that a resident asks for.
    func leave(of resident: Person) async throws -> String {
        let today = Day(Date(), in: .gmt)
        let asked = try await post(
            "/api/v1/leaves",
            [
                "fromDay": today.adding(days: 2).description, "fromTime": "17:00",
                "toDay": today.adding(days: 4).description, "toTime": "18:00", "place": "Lyon",
            ], as: resident.bearer)
        return try asked.json().text("id")
    }

    /// Notes the residents of the sample school as here, and closes the roll call.
    func callTheRoll(of sample: SampleSchool, closes: Bool) async throws {
        let path = "/api/v1/residences/\(sample.residenceId)"
        let residents = try await get("\(path)/students", as: sample.founder.bearer).json().list("items")
        let ids = residents.compactMap { ($0 as? [String: Any])?["id"] as? String }
        let noted = try await post(
            "\(path)/roll-call/notes", bytes: Samples.json(["residentIds": ids, "status": "here"]),
            type: "application/json", as: sample.founder.bearer)
        try #require(noted.status == .ok, "\(noted.text)")
        guard closes else { return }
        let closed = try await post("\(path)/roll-call/close", [String: String](), as: sample.founder.bearer)
        try #require(closed.status == .ok, "\(closed.text)")
    }

    private struct Policy: Encodable {
        let channels = "reading"
        let students = true
    }

    private struct AllWeek: Encodable {
        let weekdays = ["1", "2", "3", "4", "5", "6", "7"]
    }

    private struct Routine: Encodable {
        let name = "Morning"
        let activeDays = ["1", "2"]
    }

    /// Imports a list of people and returns the id of the import.
    func importing(_ list: String, as person: Person) async throws -> String {
        let body =
            "--cut\r\nContent-Disposition: form-data; name=\"files\"; filename=\"people.csv\"\r\n"
            + "Content-Type: text/csv\r\n\r\n\(list)\r\n--cut\r\n"
            // Also if nobody gets a role.
            + "Content-Disposition: form-data; name=\"confirmed\"\r\n\r\ntrue\r\n--cut--\r\n"
        let answer = try await post(
            "/api/v1/roster/import", bytes: Data(body.utf8), type: "multipart/form-data; boundary=cut",
            as: person.bearer)
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.json().text("importId")
    }

    /// A tablet that was paired as a gate of the sample school's residence.
    func gate(of sample: SampleSchool) async throws -> Person {
        let code = ["name": "Main door", "pairingCode": "ABCD2345"]
        let allowed = try await post(
            "/api/v1/residences/\(sample.residenceId)/gates", code, as: sample.founder.bearer)
        try #require(allowed.status == .created, "\(allowed.text)")
        let paired = try await post("/api/v1/gate/pair", ["pairingCode": "ABCD2345"])
        return Person(
            name: "Main door", email: sample.founder.email, access: try #require(paired.cookies["pt_access"]),
            refresh: "")
    }

    /// A person who joins the sample school with a role.
    func member(_ role: Role, of sample: SampleSchool) async throws -> Person {
        let invite = try await post("/api/v1/invites", ["role": role.rawValue], as: sample.founder.bearer).json()
        let person = try await signUp("A \(role.rawValue)")
        let joined = try await post(
            "/api/v1/invites/redeem", ["code": invite.text("code")], as: person.bearer)
        #expect(joined.status == .ok)
        return person
    }
}

/// A JSON answer, read by key paths.
struct Answer {
    let value: Any

    func text(_ name: String) throws -> String { try #require((value as? [String: Any])?[name] as? String) }
    func int(_ name: String) -> Int? { (value as? [String: Any])?[name] as? Int }
    func list(_ name: String) -> [Any] { (value as? [String: Any])?[name] as? [Any] ?? [] }
    /// The fields that a problem document names.
    var faultyFields: [String] { list("errors").compactMap { ($0 as? [String: Any])?["field"] as? String } }
}

extension TestResponse {
    var text: String { String(buffer: body) }
    func json() throws -> Answer {
        Answer(
            value: try JSONSerialization.jsonObject(
                with: Data(body.readableBytesView), options: [.fragmentsAllowed]))
    }
    /// The cookies that an answer sets, by name.
    var cookies: [String: String] {
        headers[values: .setCookie].reduce(into: [:]) { cookies, line in
            let pair = line.prefix { $0 != ";" }.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { cookies[String(pair[0])] = String(pair[1]) }
        }
    }
    /// Whether people may get the answer: never an internal error, and never internal details.
    func isDecent(_ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(status.code < 500, "\(what): \(status.code) \(text.prefix(300))", sourceLocation: sourceLocation)
        // Read as Latin-1, in which any bytes are text: reading a file as UTF-8 took longer than requesting it.
        let text = String(data: Data(body.readableBytesView), encoding: .isoLatin1) ?? ""
        let shown = Self.internals.filter(text.contains)
        #expect(shown.isEmpty, "\(what) shows \(shown)", sourceLocation: sourceLocation)
    }

    private static let internals = [
        "Fatal error", ".swift:", "SQLITE", "DatabaseFault", "Swift.", "0x0000", "sqlite3",
    ]
}

extension HTTPFields {
    /// Combines headers; the second ones win. Cookies are combined one by one.
    func merging(_ more: HTTPFields) -> HTTPFields {
        var all = self
        for name in Set(more.map(\.name)) { all[name] = more[name] }
        return all
    }
}

extension HTTPField.Name {
    static let secFetchSite = Self("Sec-Fetch-Site")!
    static let idempotencyKey = Self("Idempotency-Key")!
    static let idempotencyReplayed = Self("Idempotency-Replayed")!
    static let lastEventId = Self("Last-Event-ID")!
}
