import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import HummingbirdTesting
import ScreenKit
import ServerApp
import TestKit
import Testing

/// The graph of all pages: every page must be reachable from the root.
@Suite("The graph of pages")
struct RouteGraphTests {
    /// The pages to which something else than a link of a page leads, and what that is.
    private static let doors = [
        "/confirm/{token}": "a link of a mail",
        "/consent/{token}": "a link of a mail to a parent",
        "/consent/back/{token}": "the link that follows a parent's consent",
        "/consent/done": "a parent's answer",
        "/reset/{token}": "a link of a mail",
        "/sign-in/code/{token}": "a right password, where a second step is asked for",
        "/sign-up/mail": "a sign-up, where mails are sent",
        "/sign-up/parent": "a child's sign-up",
        "/join/{code}": "the picture of an invite's code, and its mail",
        "/open": "the system: deep links and its own search",
        "/welcome/classroom": "the school's step of the wizard",
        "/welcome/students": "the classroom's step of the wizard",
        "/courses/{courseId}/marks-import/{uploadId}": "a file of marks that was uploaded",
        "/family/letters/{itemId}": "a letter on a parent's page, once one was shared",
        "/assignments/{assignmentId}/files/{fileId}/note": "a place that a teacher chose on a page of a file",
        "/my-files/{fileId}": "a file that a student uploaded",
        "/shared-files/{shareId}": "a file that a student shared",
        "/quizzes/{quizId}/drawn/{questionId}": "the results of a quiz that drew a question of the bank",
        "/play": "a device that was paired with a child",
        "/play/pair": "the address that a parent's page shows for the child's device",
        "/play/pair/{code}": "the picture of that address",
        "/quest/devices/{code}": "a parent's step that makes a code",
        "/quest/players/{playerId}/results": "the card of a child who has played",
        "/residences/{pgId}/import/{uploadId}": "a file of rooms and residents that was uploaded",
        "/gate": "a tablet that was paired at a door",
        "/gate/pair": "the address that a warden's page shows for the tablet",
        "/gate/pair/{code}": "the picture of that address",
        "/residences/{pgId}/gates/{code}": "a warden's step that makes a code",
        "/settings/calendar-feed/new": "a calendar feed that is on",
        "/settings/outbox/{letter}": "a mail that waits",
        "/settings/security/app": "the password, asked for before it",
        "/settings/security/recovery": "a second step that was set up",
        "/settings/security/passkeys/new": "the password, asked for before it",
        "/settings/security/passkeys/{passkeyId}": "a passkey that was made",
        "/transcripts/{personId}/{code}": "a transcript that was exported",
        "/verify": "the address on a printed transcript",
        "/verify/{code}": "the picture of that address",
        "/students/{studentId}/voice/{noteId}": "a voice note that was recorded",
    ]

    @Test(
        "every page can be reached from the root by links, except for the named doors",
        .requirement("WW-1.01.a"))
    func orphans() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            var walkers: [Tower.As] = [
                .nobody, sample.founder.browser, try await tower.signUp("Hana Mori").browser,
            ]
            for role in Role.allCases where role != .superAdmin {
                let person = try await tower.member(role, of: sample)
                if role == .student { try await Self.furnish(sample, student: person, tower) }
                walkers.append(person.browser)
            }
            for role in ["student", "parent", "guide"] { walkers.append(try await Self.newcomer(role, tower)) }
            var reached: Set<String> = []
            for walker in walkers { reached.formUnion(try await Self.walk(from: "/", walker, tower)) }
            let routes = tower.composition.features.features.flatMap(\.pages.screens)
            let found = routes.filter { route in reached.contains { route.parameters(of: $0) != nil } }.map(\.path)
            let orphans = Set(routes.map(\.path)).subtracting(found).subtracting(Self.doors.keys).sorted()
            #expect(orphans == [], "no link leads from / to \(orphans.joined(separator: ", "))")
            let stale = Set(Self.doors.keys).subtracting(routes.map(\.path)).sorted()
            #expect(stale == [], "no page any more: \(stale.joined(separator: ", "))")
        }
    }

    @Test("a page without links to it is found", .requirement("WW-1.01.b"))
    func notices() async throws {
        try await Tower.with { tower in
            let reached = try await Self.walk(from: "/", .nobody, tower)
            #expect(reached.contains("/sign-in") && reached.contains("/sign-up"))
            #expect(!reached.contains("/open"))
        }
    }

    /// Adds what pages need to show their links: a student in a course with a quiz and a leaderboard, a word list, more plans
    /// than fit, a text, an import, a place in a residence with a closed roll call, a shared check-in and a request for help.
    private static func furnish(_ sample: Tower.SampleSchool, student: Tower.Person, _ tower: Tower) async throws {
        func run(_ path: String, _ body: some Encodable, as person: Tower.Person) async throws -> Answer {
            let answer = try await tower.post("/api/v1\(path)", body, as: person.bearer)
            try #require((200..<300).contains(answer.status.code), "\(path): \(answer.text)")
            return try answer.json()
        }
        let id = try await tower.get("/api/v1/auth/me", as: student.bearer).json().text("profileId")
        let course = "/courses/\(sample.courseId)"
        _ = try await run("\(course)/enroll", [String: String](), as: student)
        _ = try await run("\(course)/people/\(id)/decide", ["approves": true], as: sample.founder)
        _ = try await run("/quizzes/\(sample.quizId)/publish", ["isPublished": true], as: sample.founder)
        _ = try await run("/quizzes/\(sample.quizId)/start", [String: String](), as: student)
        _ = try await run("/leaderboard/policy", ["isOn": true], as: sample.founder)
        _ = try await run("/practice/lists", ["name": "Rivers", "language": "en", "words": "Nile"], as: student)
        let child = "/students/\(sample.studentId)"
        for number in 0..<12 {
            _ = try await run("\(child)/work", ["kind": "task", "title": "Task \(number)"], as: sample.founder)
        }
        _ = try await run("\(child)/summaries", [String: String](), as: sample.founder)
        _ = try await tower.importing("First name,Last name\nLi,Wei\n", as: sample.founder)
        let firstDay = Day(tower.clock.now, in: .gmt).adding(days: -3).description
        _ = try await run(
            "/residences/\(sample.residenceId)/students", ["studentId": id, "firstDay": firstDay],
            as: sample.founder)
        try await tower.callTheRoll(of: sample, closes: true)
        let founderId = try await tower.get("/api/v1/auth/me", as: sample.founder.bearer).json().text("profileId")
        _ = try await run("/wellness/settings", Wellness(staffIds: [founderId]), as: sample.founder)
        _ = try await run("/wellness/check-ins", ["mood": "good"], as: student)
        _ = try await run("/wellness/shares", ["adultId": founderId], as: student)
        _ = try await run("/wellness/requests", [String: String](), as: student)
    }

    /// The settings of a school whose staff is told of requests for help.
    private struct Wellness: Encodable {
        var isOn = true
        let staffIds: [String]
    }

    /// A new person who chose a role in the wizard.
    private static func newcomer(_ role: String, _ tower: Tower) async throws -> Tower.As {
        let person = try await tower.signUp("New \(role)")
        _ = try await tower.post("/api/v1/onboarding/start", ["role": role], as: person.bearer)
        return person.browser
    }

    /// Returns the paths of all pages to which links lead from a page.
    private static func walk(from root: String, _ who: Tower.As, _ tower: Tower) async throws -> Set<String> {
        var (open, seen, reached): ([String], Set<String>, Set<String>) = ([root], [root], [])
        // Of addresses that differ only in ids and filters, a few suffice.
        var alike: [String: Int] = [:]
        while let address = open.popLast() {
            let answer = try await tower.page(address, as: who)
            reached.insert(String(address.prefix { $0 != "?" }))
            var next = [answer.headers[.location]].compactMap(\.self)
            if answer.headers[.contentType]?.hasPrefix("text/html") == true {
                next += PageTests.targets(in: answer.text).links
                // A page in a sheet is named by the address of the page below it.
                next += next.compactMap {
                    URLComponents(string: $0)?.queryItems?.first { $0.name == "sheet" }?.value
                }
            }
            for link in next.map({ String($0.prefix { $0 != "#" }) }) where link.hasPrefix("/") {
                let kind = link.replacing(/[0-9a-f]{8}-[0-9a-f-]{27}|=[^&]*/, with: "*")
                guard !link.hasPrefix("/gallery"), alike[kind, default: 0] < 4, seen.insert(link).inserted else {
                    continue
                }
                alike[kind, default: 0] += 1
                open.append(link)
            }
        }
        return reached
    }
}
