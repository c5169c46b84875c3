import Domain
import FeatureKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import Persistence
import ServerApp
import Synchronization
import TestKit
import Testing

/// The calendar feed with the whole server: its address, what is in it, and its end.
@Suite("The calendar feed in the whole server")
struct CalendarFeedTests {
    private static func secret() -> String {
        String((0..<43).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789-_".randomElement() ?? "x" })
    }

    /// Makes the feed of a person and returns the path of its address.
    private func feed(of person: Tower.Person, _ tower: Tower) async throws -> String {
        let secret = Self.secret()
        let made = try await tower.post("/api/v1/calendar-feed", ["feedSecret": secret], as: person.bearer)
        try #require(made.status == .created, "\(made.text)")
        #expect(!made.text.contains(secret))
        return "/calendar/\(secret).ics"
    }

    private func read(_ path: String, _ tower: Tower) async throws -> String {
        let answer = try await tower.get(path)
        try #require(answer.status == .ok, "\(answer.text)")
        return answer.text.replacingOccurrences(of: "\r\n ", with: "")
    }

    /// The component of an event, by a text in it.
    private func event(with text: String, in file: String) -> String? {
        file.components(separatedBy: "BEGIN:VEVENT").dropFirst().first { $0.contains(text) }
    }

    private func day(_ tower: Tower, in days: Int) -> String {
        Day(tower.clock.now, in: TimeZone(identifier: "America/Toronto") ?? .gmt).adding(days: days).description
    }

    @Test("a feed is read at its private address without a session", .requirement("BY-1.18.a"))
    func address() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let path = try await feed(of: sample.founder, tower)
            let answer = try await tower.get(path)
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "text/calendar; charset=utf-8")
            #expect(answer.headers[.cacheControl] == "private, no-cache")
            #expect(answer.headers[.setCookie] == nil)
            #expect(answer.text.hasPrefix("BEGIN:VCALENDAR\r\n") && answer.text.hasSuffix("END:VCALENDAR\r\n"))
            #expect(answer.text.contains("TZID:America/Toronto\r\n"))
            let mark = try #require(answer.headers[.eTag])
            for sent in [mark, "W/\(mark)", "\"other\", \(mark)"] {
                let again = try await tower.get(path, [.ifNoneMatch: sent])
                #expect(again.status == .notModified && again.text.isEmpty)
            }
            #expect(try await tower.get(path, [.ifNoneMatch: "\"other\""]).status == .ok)
        }
    }

    @Test("an address that nobody has is not found, and neither a session nor another ending helps")
    func unknown() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let path = try await feed(of: sample.founder, tower)
            for unknown in [
                "/calendar/\(Self.secret()).ics", String(path.dropLast(4)), "/calendar/.ics",
                path.replacingOccurrences(of: ".ics", with: ".txt"), "/calendar/calendar.ics",
            ] {
                #expect(try await tower.get(unknown).status == .notFound)
                #expect(try await tower.get(unknown, as: sample.founder.browser).status == .notFound)
            }
        }
    }

    @Test("the secret is neither stored nor logged")
    func secrets() async throws {
        let log = LogRecorder()
        try await Tower.with(logger: Logger(label: "test", factory: { _ in log })) { tower in
            let sample = try await tower.sampleSchool()
            let path = try await feed(of: sample.founder, tower)
            _ = try await read(path, tower)
            _ = try await tower.get("/calendar/\(Self.secret()).ics")
            let secret = String(path.dropFirst("/calendar/".count).dropLast(4))
            let everything = try await EndpointTests.everything(tower, sample)
            #expect(everything.allSatisfy { !$0.contains(secret) })
        }
        #expect(log.events.withLock(\.self).isEmpty)
    }

    @Test("a person ends the address, or makes a new one in its place", .requirement("BY-1.18.b"))
    func revoked() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let first = try await feed(of: sample.founder, tower)
            _ = try await read(first, tower)
            let second = try await feed(of: sample.founder, tower)
            #expect(try await tower.get(first).status == .notFound)
            _ = try await read(second, tower)
            for _ in 0..<2 {
                let ended = try await tower.post(
                    "/api/v1/calendar-feed/revoke", [String: String](), as: sample.founder.bearer)
                #expect(ended.status == .ok)
                #expect(try await tower.get(second).status == .notFound)
            }
            let school = try await tower.composition.schools.school(
                try #require(UUID(uuidString: sample.orgId)))
            let isNoted = try await school.read { try $0.exists("SELECT 1 FROM calendar_events") }
            #expect(!isNoted)
        }
    }

    @Test("the feed of a person who leaves the school stops")
    func leaver() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let path = try await feed(of: sample.member, tower)
            _ = try await read(path, tower)
            let removed = try await tower.post(
                "/api/v1/members/\(sample.memberId)/remove", [String: String](), as: sample.founder.bearer)
            #expect(removed.status == .ok, "\(removed.text)")
            #expect(try await tower.get(path).status == .notFound)
        }
    }

    @Test("the feed of a person who is erased is gone, and nothing about it stays")
    func erased() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let student = try await tower.member(.student, of: sample)
            let id = try await tower.get("/api/v1/auth/me", as: student.bearer).json().text("profileId")
            _ = try await tower.post(
                "/api/v1/courses",
                ["name": "Latin", "subject": "Languages", "schedule": "Mon 9:00-10:15"], as: sample.founder.bearer)
            let path = try await feed(of: student, tower)
            _ = try await read(path, tower)
            let erased = try await tower.post(
                "/api/v1/records/people/\(id)/erase", ["name": student.name], as: sample.founder.bearer)
            try #require(erased.status == .ok, "\(erased.text)")
            #expect(try await tower.get(path).status == .notFound)
            let school = try await tower.composition.schools.school(
                try #require(UUID(uuidString: sample.orgId)))
            let isNoted = try await school.read { sql in
                try sql.exists("SELECT 1 FROM calendar_events WHERE person_id = \(id.lowercased())")
            }
            let isStored = try await tower.composition.directory.read {
                try $0.exists("SELECT 1 FROM calendar_feeds")
            }
            #expect(!isNoted && !isStored)
        }
    }

    @Test("a school that requires a second factor serves the feeds of its staff only if they gave one")
    func secondFactor() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let path = try await feed(of: sample.founder, tower)
            try await tower.composition.directory.write { sql in
                try sql.execute("UPDATE organizations SET requires_second_factor = \(true)")
            }
            #expect(try await tower.get(path).status == .forbidden)
        }
    }

    @Test("lessons and tasks with a day are in the guide's feed as whole days", .requirement("BY-1.18.d"))
    func plans() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let guided = try await tower.post(
                "/api/v1/classrooms/\(sample.classroomId)/guides",
                bytes: Samples.json(["guideIds": [sample.memberId]]), type: "application/json",
                as: sample.founder.bearer)
            try #require(guided.status == .ok, "\(guided.text)")
            let path = try await feed(of: sample.member, tower)
            for (kind, title, days) in [
                ("lesson", "Golden beads; trays, two", 3), ("task", "Plants", 5), ("task", "Long ago", -200),
            ] {
                let made = try await tower.post(
                    "/api/v1/students/\(sample.studentId)/work",
                    ["kind": kind, "title": title, "scheduledFor": day(tower, in: days)], as: sample.member.bearer)
                try #require(made.status == .created, "\(made.text)")
            }
            let file = try await read(path, tower)
            let lesson = try #require(event(with: "Golden beads\\; trays\\, two", in: file))
            #expect(
                lesson.contains("DTSTART;VALUE=DATE:\(day(tower, in: 3).replacingOccurrences(of: "-", with: ""))"))
            #expect(lesson.contains("Bea"))
            #expect(event(with: "Plants", in: file) != nil)
            #expect(event(with: "Long ago", in: file) == nil)
            // The founder leads the school but no classroom, so her calendar is not full of other people's plans.
            let founder = try await read(feed(of: sample.founder, tower), tower)
            #expect(!founder.contains("UID:work-"))
        }
    }

    @Test("a lesson that moves has the next number, and one that is deleted is canceled under its name")
    func changes() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let me = try await tower.get("/api/v1/auth/me", as: sample.founder.bearer).json().text("profileId")
            _ = try await tower.post(
                "/api/v1/classrooms/\(sample.classroomId)/guides", bytes: Samples.json(["guideIds": [me]]),
                type: "application/json", as: sample.founder.bearer)
            func plan(_ days: Int) async throws {
                let moved = try await tower.post(
                    "/api/v1/work/\(sample.workId)",
                    ["title": "Golden beads", "scheduledFor": day(tower, in: days)], as: sample.founder.bearer)
                try #require(moved.status == .ok, "\(moved.text)")
            }
            let path = try await feed(of: sample.founder, tower)
            try await plan(3)
            let first = try await read(path, tower)
            #expect(event(with: "Golden beads", in: first)?.contains("SEQUENCE:0\r\n") == true)
            tower.clock.advance(by: 60)
            #expect(try await read(path, tower) == first, "nothing has changed")
            try await plan(4)
            let second = try await read(path, tower)
            let moved = try #require(event(with: "Golden beads", in: second))
            let name = "UID:work-\(sample.workId.lowercased())@\(sample.orgId.lowercased())\r\n"
            #expect(moved.contains("SEQUENCE:1\r\n") && moved.contains(name))
            tower.clock.advance(by: 60)
            _ = try await tower.post(
                "/api/v1/work/\(sample.workId)/delete", [String: String](), as: sample.founder.bearer)
            let third = try await read(path, tower)
            let gone = try #require(event(with: name, in: third))
            #expect(gone.contains("STATUS:CANCELLED\r\n") && gone.contains("SEQUENCE:2\r\n"))
            #expect(gone.contains("DTSTART;VALUE=DATE:") && !gone.contains("Golden beads"))
            // A calendar that starts to read now has never seen the event.
            let other = try await tower.member(.guide, of: sample)
            let fresh = try await read(feed(of: other, tower), tower)
            #expect(!fresh.contains("CANCELLED"))
        }
    }

    @Test("the weekly meetings of a student's courses are in the feed, without days off", .requirement("BY-1.18.e"))
    func schedule() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let course = try await tower.post(
                "/api/v1/courses",
                [
                    "name": "Latin", "subject": "Languages", "termId": sample.termId,
                    "schedule": "Mon 9:00-10:15 B12\nMon 14:00-15:00",
                ], as: sample.founder.bearer
            ).json().text("id")
            let off = try await tower.post(
                "/api/v1/organization/days-off",
                ["name": "Holidays", "firstDay": "2026-09-14", "lastDay": "2026-09-20"], as: sample.founder.bearer)
            try #require(off.status == .created, "\(off.text)")
            let student = try await tower.member(.student, of: sample)
            let path = try await feed(of: student, tower)
            let before = try await read(path, tower)
            #expect(!before.contains("BEGIN:VEVENT"))
            _ = try await tower.post("/api/v1/courses/\(course)/enroll", [String: String](), as: student.bearer)
            let file = try await read(path, tower)
            let morning = try #require(event(with: "course-\(course.lowercased())-0-0", in: file))
            #expect(morning.contains("DTSTART;TZID=America/Toronto:20260907T090000\r\n"))
            #expect(morning.contains("DTEND;TZID=America/Toronto:20260907T101500\r\n"))
            #expect(morning.contains("RRULE:FREQ=WEEKLY;UNTIL=20360115T045959Z\r\n"))
            #expect(morning.contains("EXDATE;TZID=America/Toronto:20260914T090000\r\n"))
            #expect(morning.contains("LOCATION:B12\r\n"))
            #expect(event(with: "course-\(course.lowercased())-0-1", in: file)?.contains("T140000") == true)
            _ = try await tower.post("/api/v1/courses/\(course)/drop", [String: String](), as: student.bearer)
            let after = try await read(path, tower)
            #expect(event(with: "course-\(course.lowercased())-0-0", in: after)?.contains("CANCELLED") == true)
        }
    }

    @Test(
        "a due time is in the student's feed, moves with the next number, and is canceled with its assignment",
        .requirement("BY-1.18.c"))
    func due() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let course = try await tower.post(
                "/api/v1/courses", ["name": "Latin", "subject": "Languages"], as: sample.founder.bearer
            ).json().text("id")
            let student = try await tower.member(.student, of: sample)
            _ = try await tower.post("/api/v1/courses/\(course)/enroll", [String: String](), as: student.bearer)
            let fields: [String: Any] = ["title": "Essay", "dueDay": day(tower, in: 2), "kinds": ["text"]]
            let made = try await tower.post(
                "/api/v1/courses/\(course)/assignments", bytes: Samples.json(fields), type: "application/json",
                as: sample.founder.bearer)
            try #require(made.status == .created, "\(made.text)")
            let id = try made.json().text("id")
            let path = try await feed(of: student, tower)
            let before = try await read(path, tower)
            #expect(!before.contains("Essay"))
            _ = try await tower.post(
                "/api/v1/assignments/\(id)/publish", bytes: Samples.json(["isPublished": true]),
                type: "application/json", as: sample.founder.bearer)
            func utc(_ days: Int) -> String {
                let zone = TimeZone(identifier: "America/Toronto") ?? .gmt
                let due = Day(tower.clock.now, in: zone).adding(days: days).start(in: zone) + 86_340
                return due.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
            }
            let name = "UID:due-\(id.lowercased())@\(sample.orgId.lowercased())\r\n"
            let first = try #require(event(with: name, in: try await read(path, tower)))
            #expect(first.contains("DTSTART:\(utc(2))\r\n") && first.contains("SEQUENCE:0\r\n"))
            #expect(first.contains("SUMMARY:Due: Essay (Latin)\r\n") && !first.contains("DTEND"))
            tower.clock.advance(by: 60)
            let moved = try await tower.post(
                "/api/v1/assignments/\(id)",
                bytes: Samples.json(fields.merging(["dueDay": day(tower, in: 3), "version": 1]) { $1 }),
                type: "application/json", as: sample.founder.bearer)
            try #require(moved.status == .ok, "\(moved.text)")
            let second = try #require(event(with: name, in: try await read(path, tower)))
            #expect(second.contains("DTSTART:\(utc(3))\r\n") && second.contains("SEQUENCE:1\r\n"))
            _ = try await tower.post(
                "/api/v1/assignments/\(id)/delete", [String: String](), as: sample.founder.bearer)
            let gone = try #require(event(with: name, in: try await read(path, tower)))
            #expect(gone.contains("STATUS:CANCELLED") && gone.contains("SEQUENCE:2\r\n"))
            #expect(!gone.contains("Essay"))
        }
    }

    @Test("a leave is in the resident's feed once it is approved", .requirement("BY-1.18.f"))
    func leave() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let resident = try await tower.resident(of: sample)
            let path = try await feed(of: resident, tower)
            let leave = try await tower.leave(of: resident)
            let before = try await read(path, tower)
            #expect(!before.contains("BEGIN:VEVENT"))
            let decided = try await tower.post(
                "/api/v1/leaves/\(leave)/decide", bytes: Samples.json(["approves": true]), type: "application/json",
                as: sample.founder.bearer)
            try #require(decided.status == .ok, "\(decided.text)")
            let found = try #require(event(with: "leave-\(leave.lowercased())", in: try await read(path, tower)))
            #expect(found.contains("LOCATION:Lyon\r\n") && found.contains("SUMMARY:Leave\r\n"))
            let withdrawn = try await tower.post(
                "/api/v1/leaves/\(leave)/withdraw", [String: String](), as: resident.bearer)
            try #require(withdrawn.status == .ok, "\(withdrawn.text)")
            let gone = event(with: "leave-\(leave.lowercased())", in: try await read(path, tower))
            #expect(gone?.contains("STATUS:CANCELLED") == true && gone?.contains("Lyon") == false)
        }
    }

    @Test("after too many unknown addresses, or too many reads of one feed, the answer is 429")
    func limits() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let path = try await feed(of: sample.founder, tower)
            for _ in 0..<120 { #expect(try await tower.get(path).status == .ok) }
            let tired = try await tower.get(path)
            #expect(tired.status == .tooManyRequests && tired.headers[.retryAfter] != nil)
            for _ in 0..<30 { #expect(try await tower.get("/calendar/\(Self.secret()).ics").status == .notFound) }
            #expect(try await tower.get("/calendar/\(Self.secret()).ics").status == .tooManyRequests)
            tower.clock.advance(by: 3601)
            #expect(try await tower.get(path).status == .ok)
        }
    }

    @Test("the page shows an address, which works when it is turned on, and then never again")
    func page() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let page = try await tower.page("/settings/calendar-feed", as: sample.founder.browser).text
            let parts = page.components(separatedBy: "/calendar/")
            let secret = String(try #require(parts.dropFirst().first).prefix(43))
            #expect(try await tower.get("/calendar/\(secret).ics").status == .notFound)
            let sent = try await tower.form(
                "/api/v1/calendar-feed", [("feedSecret", secret), ("_to", "/settings/calendar-feed")],
                as: sample.founder.browser)
            #expect(sent.status == .seeOther)
            #expect(sent.headers[.location]?.contains(secret) == false)
            #expect(try await tower.get("/calendar/\(secret).ics").status == .ok)
            let after = try await tower.page("/settings/calendar-feed", as: sample.founder.browser).text
            #expect(!after.contains(secret) && !after.contains("/calendar/"))
        }
    }

    @Test("the feed speaks the language of its person")
    func language() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let resident = try await tower.resident(of: sample)
            let secret = Self.secret()
            _ = try await tower.post(
                "/api/v1/calendar-feed", ["feedSecret": secret], as: resident.bearer, [.acceptLanguage: "fr-CA"])
            let leave = try await tower.leave(of: resident)
            _ = try await tower.post(
                "/api/v1/leaves/\(leave)/decide", bytes: Samples.json(["approves": true]), type: "application/json",
                as: sample.founder.bearer)
            let path = "/calendar/\(secret).ics"
            #expect(try await read(path, tower).contains("SUMMARY:Sortie\r\n"))
            _ = try await tower.post(
                "/api/v1/preferences/display", ["language": "en"], as: resident.bearer)
            #expect(try await read(path, tower).contains("SUMMARY:Leave\r\n"))
        }
    }
}
