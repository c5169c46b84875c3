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
        "the consents about records are on one page with what account holders agreed to, given and withdrawn",
        .requirement("BY-1.24.c"))
    func log() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let path = "/api/v1/records/people/\(sample.studentId)/consents"
            for note in [Note(), Note(isGiven: false)] {
                let made = try await tower.post(path, note, as: sample.founder.bearer)
                #expect(made.status == .created, "\(made.text)")
                tower.clock.advance(by: 1)
            }
            let all = try await tower.get("/api/v1/records/consents", as: sample.founder.bearer).json().list(
                "items")
            #expect(all.compactMap { ($0 as? [String: Any])?["isGiven"] as? Bool } == [false, true])
            for (language, words) in [
                ("en", ["Bea Ruiz", "Withdrawn", "Terms of Service", "Luz Ruiz, signed form"]),
                ("fr", ["Bea Ruiz", "Retiré", "Conditions d’utilisation", "Luz Ruiz, signed form"]),
            ] {
                let page = try await tower.page(
                    "/settings/consents", as: sample.founder.browser, language: language)
                for word in words { #expect(page.text.contains(word), "\(language): \(word)") }
            }
            let person = try await tower.page(
                "/settings/people/\(sample.studentId)/records", as: sample.founder.browser)
            #expect(person.text.contains("Luz Ruiz, signed form"))
        }
    }

    @Test(
        "an unknown kind, an unknown person, and an entry by a guide are refused, and an erased person leaves no entry"
    )
    func refusals() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let path = "/api/v1/records/people/\(sample.studentId)/consents"
            let unknown = try await tower.post(path, Note(kind: "no.such"), as: sample.founder.bearer)
            #expect(try unknown.json().faultyFields == ["kind"])
            let stranger = try await tower.post(
                "/api/v1/records/people/\(UUID().text)/consents", Note(), as: sample.founder.bearer)
            #expect(stranger.status == .notFound)
            #expect(try await tower.post(path, Note(), as: sample.member.bearer).status == .forbidden)
            #expect(try await tower.post(path, Note(), as: sample.founder.bearer).status == .created)
            let erased = try await tower.post(
                "/api/v1/records/people/\(sample.studentId)/erase", ["name": "Bea Ruiz"], as: sample.founder.bearer)
            #expect(erased.status == .ok, "\(erased.text)")
            let school = try await tower.composition.schools.school(#require(UUID(text: sample.orgId)))
            #expect(try await school.read { try !$0.exists("SELECT 1 FROM record_consents") })
        }
    }
}
