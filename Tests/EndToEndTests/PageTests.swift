import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Persistence
import ScreenKit
import ServerApp
import TestKit
import Testing
import Web
import WebHTML

@Suite("All pages")
struct PageTests {
    /// More pages than the sample school has, so that a crawl that goes on forever fails.
    private static let mostPages = 800

    /// A key that the catalog does not have: `«area.key»`.
    static func missingKeys(in html: String) -> [String] {
        html.matches(of: /«[A-Za-z]+(?:\.[A-Za-z0-9]+)+»/).map { String($0.output) }
    }

    /// Returns the targets of a page's links, forms and controls.
    static func targets(in html: String) -> (links: Set<String>, commands: Set<String>) {
        func all(_ expression: Regex<(Substring, Substring)>) -> Set<String> {
            Set(html.matches(of: expression).map { String($0.output.1).replacing("&amp;", with: "&") })
        }
        let links = all(/<a[^>]*?\shref="(\/[^"]*)"/)
        return (links, all(/\s(?:action|formaction)="(\/api\/[^"]*)"/))
    }

    @Test(
        "every page opens or redirects for every role in both languages, without missing texts or dead links",
        .requirement("WW-19.02.a"), arguments: Role.allCases)
    func crawl(_ role: Role) async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let me = role == .superAdmin ? sample.founder : try await tower.member(role, of: sample)
            if role == .guide {
                let id = try await tower.get("/api/v1/auth/me", as: me.bearer).json().text("profileId")
                _ = try await tower.post(
                    "/api/v1/classrooms/\(sample.classroomId)/guides", ["guideIds": [id]], as: sample.founder.bearer
                )
            }
            let commands = tower.composition.features.features.flatMap(\.endpoints.commands).map { command in
                command.contract.path.split(separator: "/").map { $0.hasPrefix("{") ? nil : String($0) }
            }
            func isCommand(_ path: String) -> Bool {
                let parts = path.split(separator: "/").map(String.init)
                return commands.contains { command in
                    command.count == parts.count && zip(command, parts).allSatisfy { $0 == nil || $0 == $1 }
                }
            }
            for language in ["en", "fr"] {
                var open = Set(
                    tower.composition.features.features.flatMap(\.pages.screens).map(\.path).filter {
                        !$0.contains("{")
                    })
                open.formUnion(["/api", "/gallery"])
                let given = open
                var seen: Set<String> = []
                var shown = 0
                while let path = open.popFirst(), seen.count < Self.mostPages {
                    guard seen.insert(path).inserted else { continue }
                    let answer = try await tower.page(path, as: me.browser, language: language)
                    answer.isDecent("\(role) at \(path)")
                    if answer.status == .forbidden {
                        #expect(given.contains(path), "\(role) is shown a way to \(path), which is not theirs")
                        continue
                    }
                    #expect([200, 303].contains(answer.status.code), "\(role) at \(path): \(answer.status.code)")
                    if let next = answer.headers[.location] { open.insert(next) }
                    guard answer.status == .ok, answer.headers[.contentType]?.hasPrefix("text/html") == true else {
                        continue
                    }
                    shown += 1
                    if language == "en" {
                        // A native app gets the same page: its title is in the HTML, too.
                        let json = try await tower.get(path, as: me.bearer, [.accept: ScreenDocument.mediaType])
                        #expect(json.status == .ok, "\(role) at \(path) as a screen")
                        let document = try JSON.decode(ScreenDocument.self, from: Data(json.body.readableBytesView))
                        let title = answer.text.firstMatch(of: /<title>([^<]*)/)?.output.1 ?? ""
                        #expect(
                            title.replacing("&amp;", with: "&").replacing("&#39;", with: "'")
                                .hasPrefix(document.screen.title), "\(path)")
                        #expect(document.screen.readable(in: 0).body.allSatisfy { $0.isText }, "\(path)")
                    }
                    #expect(Self.missingKeys(in: answer.text) == [], "\(role) at \(path) in \(language)")
                    #expect(answer.text.contains("<html lang=\"\(language)\""), "\(path)")
                    let targets = Self.targets(in: answer.text)
                    for command in targets.commands where !path.hasPrefix("/gallery") {
                        #expect(isCommand(command), "\(path) has a control for \(command), which is no command")
                    }
                    if path.hasPrefix("/gallery") { continue }
                    // A form without the page's script could be sent twice by a double tap.
                    for form in answer.text.matches(of: /<form [^>]*method="post"[^>]*>/).map(\.output) {
                        #expect(
                            ["data-command", "data-tap", "data-composer"].contains(where: form.contains),
                            "\(path): \(form)")
                    }
                    // The page of one material is like that of another.
                    func isOneOfMany(_ path: String) -> Bool {
                        (path.contains("/materials/") || path.contains("/settings/curriculum/"))
                            && ![Samples.materialId, Samples.subjectId].contains(where: path.contains)
                    }
                    // Filters of the audit log can be combined endlessly; each of them is visited once.
                    open.formUnion(
                        targets.links.map { String($0.prefix { $0 != "#" }) }
                            .filter { link in
                                // A page in a sheet is that page.
                                let isInSheet = link.contains("sheet=%2F")
                                let isNarrowed = link.contains("/observations?") && link.contains("&")
                                // Each day links to the next one.
                                let isAnotherDay = link.contains("day=") && path.contains("day=")
                                return !(isInSheet && path.contains("sheet=")) && !isNarrowed && !isAnotherDay
                            }
                            .filter {
                                !$0.isEmpty && !($0.hasPrefix("/settings/audit") && $0.contains("&"))
                                    && !isOneOfMany($0)
                            })
                }
                #expect(shown >= 8, "\(role) sees \(shown) pages")
                #expect(seen.count < Self.mostPages)
            }
        }
    }

    @Test(
        "both languages have every text and no other, and plurals have all their forms",
        .requirement("WW-10.03.a"))
    func catalogs() async throws {
        try await Tower.with { tower in
            for feature in tower.composition.features.features {
                let english = feature.catalog.entries[.english] ?? [:]
                let french = feature.catalog.entries[.french] ?? [:]
                #expect(!english.isEmpty)
                #expect(Set(english.keys).symmetricDifference(french.keys) == [], "\(feature.id)")
            }
        }
    }

    @Test(
        "a guide's tabs are Homeroom, My Day, Settings and Search",
        .requirement("WW-14.05.a", "PT-1.19.a"))
    func tabs() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let me = try await tower.get("/settings", as: sample.member.browser, [.accept: "text/html"])
            #expect(me.status == .ok)
            let caller = Caller(
                account: nil,
                membership: ActiveMembership(
                    organization: Organization(
                        id: UUID(), name: "x", avatarTint: .leaf, timeZone: "UTC", createdAt: Date()),
                    personId: UUID(), roles: [.guide]))
            let tabs = tower.composition.features.navigation(for: caller).filter { $0.placement == .tabs }
            let words = try #require(tower.composition.words[.english])
            // The tab of residences is shown only to those who serve in one.
            let shown = tabs.filter { me.text.contains("href=\"\($0.path)\"") }
            #expect(shown.map { words($0.title) } == ["Homeroom", "My Day", "Settings", "Search"])
        }
    }

    @Test(
        "the avatar menu with profile, switch and sign-out is on every main page",
        .requirement("PT-1.24.a", "PT-1.24.b"),
        arguments: ["/my-day", "/settings", "/search", "/notifications", "/classrooms"])
    func avatarMenu(_ path: String) async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let page = try await tower.page(path, as: sample.founder.browser)
            #expect(page.status == .ok)
            for part in [
                "href=\"/settings\"", "href=\"/organizations\"", "/api/v1/auth/sign-out", "href=\"/notifications\"",
            ] {
                #expect(page.text.contains(part), "\(path) has no \(part)")
            }
        }
    }

    @Test(
        "the floating button of a child's page fans out its six actions in their order",
        .requirement("PT-3.33.b"))
    func fan() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            _ = try await tower.post(
                "/api/v1/classrooms/\(sample.classroomId)/guides", ["guideIds": [sample.memberId]],
                as: sample.founder.bearer)
            let page = try await tower.page("/students/\(sample.studentId)", as: sample.member.browser)
            #expect(page.status == .ok)
            let button = try #require(page.text.range(of: "pt-fab\"")).upperBound
            let acts = page.text[button...].matches(of: /<b>([^<]+)<\/b>/).map { String($0.1) }
            #expect(acts == ["Observation", "Lesson", "Task", "Record", "Insights", "Summary"])
        }
    }

    @Test("a student's tools are cards with a picture, a title and a link, in a grid", .requirement("WW-1.11.b"))
    func tools() async throws {
        try await Tower.with { tower in
            let student = try await tower.member(.student, of: tower.sampleSchool())
            let page = try await tower.page("/home", as: student.browser)
            #expect(page.status == .ok)
            let tools = try #require(page.text.range(of: ">Tools<")).upperBound
            let grid = try #require(page.text[tools...].firstMatch(of: /<ul class="pt-grid[^"]*"[^>]*>(.*?)<\/ul>/))
                .1
            let cards = grid.split(separator: "<li").dropFirst()
            #expect(cards.count > 2)
            for card in cards {
                #expect(card.contains(/<a [^>]*href="\/[a-z]/), "\(card)")
                #expect(card.contains("#i-"), "\(card)")
                #expect(card.contains(/>[A-Z][A-Za-z0-9 ]+</), "\(card)")
            }
        }
    }

    @Test("dictation is among the tools of guides and students", .requirement("WW-1.04.a"))
    func dictation() async throws {
        try await Tower.with { tower in
            let school = try await tower.sampleSchool()
            for role in [Role.guide, .student] {
                let member = try await tower.member(role, of: school)
                let page = try await tower.page("/home", as: member.browser)
                let tools = try #require(page.text.range(of: ">Tools<")).upperBound
                #expect(page.text[tools...].contains("href=\"/settings/speech\""), "\(role)")
            }
        }
    }

    @Test("a page that needs an account leads to the sign-in and back")
    func signInFirst() async throws {
        try await Tower.with { tower in
            for screen in tower.composition.features.features.flatMap(\.pages.screens)
            where !screen.path.contains("{") {
                let answer = try await tower.page(screen.path, as: .nobody)
                if screen.access == .anyone {
                    #expect([200, 303].contains(answer.status.code))
                } else {
                    #expect(answer.status == .seeOther)
                    #expect(answer.headers[.location]?.hasPrefix("/sign-in?next=") == true, "\(screen.path)")
                }
            }
        }
    }

    @Test(
        "a person's language takes precedence over the browser's, which takes precedence over English",
        .requirement("WW-10.05.b"))
    func languages() async throws {
        try await Tower.with { tower in
            func language(_ who: Tower.As, _ header: String, _ more: HTTPFields = [:]) async throws -> String? {
                let page = try await tower.get(
                    "/display", as: who,
                    ([.accept: "text/html", .acceptLanguage: header] as HTTPFields).merging(more))
                return page.text.firstMatch(of: /<html[^>]*lang="([a-z]+)"/).map { String($0.output.1) }
            }
            #expect(try await language(.nobody, "fr-CA,fr;q=0.9,en;q=0.8") == "fr")
            #expect(try await language(.nobody, "de,ja") == "en")
            #expect(try await language(.nobody, "en;q=0.2, fr;q=0.3") == "fr")
            #expect(try await language(.nobody, "en", [.cookie: "pt_display=fr.pinktower.automatic"]) == "fr")
            let person = try await tower.signUp()
            _ = try await tower.post("/api/v1/preferences/display", ["language": "fr"], as: person.bearer)
            #expect(try await language(person.browser, "en") == "fr")
            let problem = try await tower.get("/api/v1/organizations/x", as: .nobody, [.acceptLanguage: "fr"])
            #expect(problem.status == .notFound)
        }
    }

    private struct LessonWithFilm: Encodable {
        let title = "Fractions"
        let version = 1
        let videoURL = "https://films.example:8443/a.mp4"
    }

    @Test("browsers may load videos of another site only on the page of a lesson that shows one")
    func films() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let path = "/courses/\(sample.courseId)/lessons/\(sample.lessonId)"
            func media(_ path: String) async throws -> String? {
                let page = try await tower.page(path, as: sample.founder.browser)
                let policy = page.headers[.contentSecurityPolicy] ?? ""
                return policy.components(separatedBy: "; ").first { $0.hasPrefix("media-src") }
            }
            #expect(try await media(path) == "media-src 'self' blob:")
            let changed = try await tower.post(
                "/api/v1/courses/lessons/\(sample.lessonId)", LessonWithFilm(), as: sample.founder.bearer)
            #expect(changed.status == .ok)
            #expect(try await media(path) == "media-src 'self' blob: https://films.example:8443")
            #expect(try await media("/courses/\(sample.courseId)") == "media-src 'self' blob:")
        }
    }

    @Test("every answer has the security headers, including refusals and errors")
    func headers() async throws {
        try await Tower.with { tower in
            let person = try await tower.signUp()
            let asset = try #require(tower.composition.assets.files.first)
            let answers = [
                try await tower.page("/sign-in", as: .nobody), try await tower.page("/nowhere", as: .nobody),
                try await tower.page("/welcome", as: person.browser), try await tower.get("/api/v1/students"),
                try await tower.get("/openapi.json"), try await tower.get(asset.path),
                try await tower.get("/healthz"),
                try await tower.post("/api/v1/auth/sign-in", ["email": "x"]),
                try await tower.form("/api/v1/auth/sign-up", [("_from", "/sign-up")]),
                try await tower.client.execute(uri: "/sign-in", method: .put),
            ]
            for answer in answers {
                let policy = answer.headers[.contentSecurityPolicy] ?? ""
                #expect(policy.contains("default-src 'none'"))
                #expect(!policy.contains("unsafe"))
                #expect(policy.contains("frame-ancestors 'none'"))
                #expect(answer.headers[.xContentTypeOptions] == "nosniff")
                #expect(answer.headers[HTTPField.Name("Referrer-Policy")!] == "same-origin")
                #expect(answer.headers[.server] == nil)
            }
            for page in answers where page.headers[.contentType]?.hasPrefix("text/html") == true {
                #expect(page.headers[.cacheControl] == "no-store")
                #expect(page.text.firstMatch(of: /<script(?![^>]*\ssrc=)[^>]*>[^<]/) == nil, "an inline script")
                #expect(!page.text.contains(" style=\"") && !page.text.contains("<style"), "an inline style")
                #expect(page.text.firstMatch(of: /\son[a-z]+="/) == nil, "an inline handler")
            }
        }
    }

    @Test("files are compressed, cached by their hash, and not sent twice")
    func assets() async throws {
        try await Tower.with { tower in
            #expect(tower.composition.assets.files.count > 3)
            for file in tower.composition.assets.files {
                let plain = try await tower.get(file.path)
                #expect(plain.status == .ok)
                #expect(Array(buffer: plain.body) == file.bytes)
                let tag = try #require(plain.headers[.eTag])
                let again = try await tower.get(file.path, [.ifNoneMatch: tag])
                #expect(again.status == .notModified)
                #expect(again.body.readableBytes == 0)
                #expect(try await tower.get(file.path, [.ifNoneMatch: "\"other\""]).status == .ok)
                if file.isImmutable { #expect(plain.headers[.cacheControl]?.contains("immutable") == true) }
                let packed = try await tower.get(file.path, [.acceptEncoding: "gzip, br"])
                if file.contentType != "image/png", file.bytes.count > 2000 {
                    #expect(packed.headers[.contentEncoding] == "gzip")
                    #expect(packed.body.readableBytes < file.bytes.count)
                }
            }
        }
    }

    @Test(
        "a page whose data cannot be read says so and offers to try again, in both languages",
        .requirement("WW-16.04.a", "WW-16.03.b"))
    func unreadable() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            try await tower.composition.schools.close()
            for (language, again) in [("en", "Try again"), ("fr", "Réessayer")] {
                let answer = try await tower.page("/classrooms", as: sample.founder.browser, language: language)
                #expect(answer.status.code >= 500)
                #expect(answer.text.contains("<html lang=\"\(language)\""))
                #expect(answer.text.contains("role=\"alert\"") && answer.text.contains(again))
                #expect(answer.text.contains("href=\"/classrooms\""))
                for inside in ["closed", ".swift", "DatabaseFault", "sqlite"] {
                    #expect(!answer.text.contains(inside))
                }
            }
        }
    }

    @Test("a cached page is never another person's, never outdated, and compressed alike")
    func cached() async throws {
        try await Tower.with { tower in
            // Five minutes before midnight in the school.
            tower.clock.set(Date(timeIntervalSince1970: 1_793_681_700))
            let sample = try await tower.sampleSchool()
            _ = try await tower.post(
                "/api/v1/classrooms/\(sample.classroomId)/guides", ["guideIds": [sample.memberId]],
                as: sample.founder.bearer)
            let path = "/classrooms/\(sample.classroomId)"
            func page(_ person: Tower.Person, language: String = "en") async throws -> String {
                let answer = try await tower.page(path, as: person.browser, language: language)
                #expect(answer.status == .ok)
                return answer.text
            }
            func isMadeAnew(_ change: () async throws -> Void) async throws -> Bool {
                let before = try await page(sample.founder)
                #expect(try await page(sample.founder) == before, "nothing happened in between")
                try await change()
                return try await page(sample.founder) != before
            }
            func run(_ command: String, _ body: [String: String]) async throws {
                let answer = try await tower.post("/api/v1\(command)", body, as: sample.founder.bearer)
                #expect((200..<300).contains(answer.status.code), "\(command): \(answer.text)")
            }
            let (hers, theirs) = (try await page(sample.founder), try await page(sample.member))
            #expect(hers.contains("Delete student") && !theirs.contains("Delete student"))
            #expect(try await page(sample.founder, language: "fr").contains("lang=\"fr\""))
            #expect(try await page(sample.founder) == hers, "other people and languages took nothing from it")

            let mark = ["studentId": sample.studentId, "status": "present"]
            #expect(try await isMadeAnew { try await run("/classrooms/\(sample.classroomId)/attendance", mark) })
            #expect(try await isMadeAnew { try await run("/students/\(sample.studentId)", ["firstName": "Cleo"]) })
            #expect(try await page(sample.founder).contains("Cleo"))
            #expect(try await isMadeAnew { try await run("/organization/rename", ["name": "Oak School"]) })
            #expect(try await page(sample.founder).contains("Oak School"))
            #expect(try await isMadeAnew { tower.clock.advance(by: 600) }, "another day")
            // As an import by another process does, without an event for this server.
            let orgId = try #require(UUID(text: sample.orgId))
            let file = Persistence.schoolsFolder(in: tower.folder.url.appending(path: "data"))
                .appending(path: "\(orgId.text).sqlite")
            let other = try await SQLiteDatabase.open(at: file, migrations: [])
            #expect(
                try await isMadeAnew {
                    _ = try await other.write { try $0.execute("UPDATE people SET given_name = 'Dora'") }
                })
            try await other.close()
            #expect(try await page(sample.founder).contains("Dora"))

            let plain = try await page(sample.founder)
            for _ in 0..<2 {
                let packed = try await tower.get(
                    path, as: sample.founder.browser,
                    [.accept: "text/html", .acceptLanguage: "en", .acceptEncoding: "gzip"])
                #expect(packed.headers[.contentEncoding] == "gzip")
                #expect(packed.body.readableBytes < plain.utf8.count / 3)
            }
            // After she was removed from the class, she sees nothing of it.
            _ = try await tower.post(
                "/api/v1/classrooms/\(sample.classroomId)/guides", ["guideIds": [String]()],
                as: sample.founder.bearer
            )
            #expect(try await tower.page(path, as: sample.member.browser).status == .notFound)
        }
    }

    @Test(
        "Homeroom opens the class that this browser showed last, else the default one, while it may be seen",
        .requirement("PT-1.14.b", "PT-1.14.c"))
    func places() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let (first, second) = ("/classrooms/\(sample.classroomId)", "/classrooms/\(sample.otherClassroomId)")
            _ = try await tower.post(
                "/api/v1/students", ["firstName": "Ben", "classroomId": sample.otherClassroomId],
                as: sample.founder.bearer)
            func homeroom(_ last: String?) async throws -> String? {
                var cookies = "pt_access=\(sample.founder.access)"
                if let last { cookies += "; pt_place=\(last)" }
                return try await tower.get("/homeroom", [.accept: "text/html", .cookie: cookies]).headers[.location]
            }
            #expect(try await homeroom(nil) == "/classrooms", "two classes, none chosen")
            let shown = try await tower.page(second, as: sample.founder.browser)
            #expect(shown.cookies["pt_place"] == second)
            #expect(try await tower.page("/classrooms", as: sample.founder.browser).cookies["pt_place"] == nil)
            #expect(try await homeroom(second) == second)
            let chosen = try await tower.post(
                "/api/v1/classrooms/default", ["classroomId": sample.classroomId], as: sample.founder.bearer)
            #expect(chosen.status == .ok)
            #expect(try await homeroom(nil) == first)
            #expect(try await homeroom(second) == second)
            for hostile in ["//evil.example", "/classrooms/\(UUID().text)", "/settings", "x"] {
                #expect(try await homeroom(hostile) == first, "\(hostile)")
            }
            let list = try await tower.page("/classrooms", as: sample.founder.browser).text
            #expect(list.contains(", start page") && list.contains("Remove as start page"))
            _ = try await tower.post("/api/v1/classrooms/default", [String: String](), as: sample.founder.bearer)
            #expect(try await homeroom(nil) == "/classrooms")
            let out = try await tower.form("/api/v1/auth/sign-out", [], as: sample.founder.browser)
            #expect(out.cookies["pt_place"] == "")
        }
    }
}

extension Tower {
    fileprivate func get(_ path: String, _ headers: HTTPFields) async throws -> TestResponse {
        try await get(path, as: .nobody, headers)
    }
}

extension Component {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}
