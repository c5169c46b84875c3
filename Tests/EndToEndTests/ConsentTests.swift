import Domain
import FeatureKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Persistence
import ServerApp
import TestKit
import Testing

@Suite("The consent log of a school")
struct ConsentTests {
    private struct Note: Encodable {
        var kind = "classroom.attendance"
        var giver = "Luz Ruiz, signed form"
        var isGiven = true
    }

    @Test(
        "who allowed what, and took it back, stands in one place beside what account holders agreed to",
        .requirement("BY-1.24.c"))
    func log() async throws {
        try await Tower.with { tower in
            let scene = try await tower.scene()
            let path = "/api/v1/records/people/\(scene.studentId)/consents"
            for note in [Note(), Note(isGiven: false)] {
                let made = try await tower.post(path, note, as: scene.founder.bearer)
                #expect(made.status == .created, "\(made.text)")
                tower.clock.advance(by: 1)
            }
            let all = try await tower.get("/api/v1/records/consents", as: scene.founder.bearer).json().list("items")
            #expect(all.compactMap { ($0 as? [String: Any])?["isGiven"] as? Bool } == [false, true])
            for (language, words) in [
                ("en", ["Bea Ruiz", "Withdrawn", "Terms of Service", "Luz Ruiz, signed form"]),
                ("fr", ["Bea Ruiz", "Retiré", "Conditions d’utilisation", "Luz Ruiz, signed form"]),
            ] {
                let page = try await tower.page("/settings/consents", as: scene.founder.browser, language: language)
                for word in words { #expect(page.text.contains(word), "\(language): \(word)") }
            }
            let person = try await tower.page(
                "/settings/people/\(scene.studentId)/records", as: scene.founder.browser)
            #expect(person.text.contains("Luz Ruiz, signed form"))
        }
    }

    @Test("a kind that nobody keeps, a stranger, and a guide's note are refused; an erased person leaves no line")
    func refusals() async throws {
        try await Tower.with { tower in
            let scene = try await tower.scene()
            let path = "/api/v1/records/people/\(scene.studentId)/consents"
            let unknown = try await tower.post(path, Note(kind: "no.such"), as: scene.founder.bearer)
            #expect(try unknown.json().faultyFields == ["kind"])
            let stranger = try await tower.post(
                "/api/v1/records/people/\(UUID().text)/consents", Note(), as: scene.founder.bearer)
            #expect(stranger.status == .notFound)
            #expect(try await tower.post(path, Note(), as: scene.member.bearer).status == .forbidden)
            #expect(try await tower.post(path, Note(), as: scene.founder.bearer).status == .created)
            let erased = try await tower.post(
                "/api/v1/records/people/\(scene.studentId)/erase", ["name": "Bea Ruiz"], as: scene.founder.bearer)
            #expect(erased.status == .ok, "\(erased.text)")
            let school = try await tower.composition.schools.school(#require(UUID(text: scene.orgId)))
            #expect(try await school.read { try !$0.exists("SELECT 1 FROM record_consents") })
        }
    }
}
