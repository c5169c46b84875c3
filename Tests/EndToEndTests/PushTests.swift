import Domain
import FeatureKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Persistence
import ServerApp
import TestKit
import Testing

@Suite("Notifications in the full server")
struct PushTests {
    private func notifications(of person: Tower.Person, _ tower: Tower) async throws -> [String] {
        let page = try await tower.get("/api/v1/notifications", as: person.bearer).json()
        return page.list("items").compactMap { ($0 as? [String: Any])?["text"] as? String }
    }

    @Test(
        "a message notifies its recipients with its sender and without its text, and an announcement notifies all but its author",
        .requirement("WW-9.02.a", "WW-9.02.b", "WW-9.02.c"))
    func whoIsTold() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let parent = try await tower.member(.parent, of: sample)
            let guide = try await tower.member(.guide, of: sample)
            for person in [sample.founder, sample.member, parent, guide] {
                _ = try await tower.post("/api/v1/notifications/read", [String: String](), as: person.bearer)
            }
            // The member has written to the founder before.
            let before = try await notifications(of: sample.founder, tower)
            _ = try await tower.post(
                "/api/v1/conversations/\(sample.conversationId)/messages", ["text": "The snow shoes are here."],
                as: sample.founder.bearer)
            let message = try await notifications(of: sample.member, tower)
            #expect(message.first?.contains(sample.founder.name) == true)
            #expect(!message.joined().contains("snow"))
            for person in [parent, guide] {
                #expect(
                    try await !notifications(of: person, tower).contains {
                        $0.contains("wrote") || $0 == message.first
                    })
            }
            #expect(try await notifications(of: sample.founder, tower) == before)
            _ = try await tower.post(
                "/api/v1/announcements", ["title": "Open house", "text": "On Friday."], as: sample.founder.bearer)
            for person in [sample.member, parent, guide] {
                #expect(
                    try await notifications(of: person, tower).first?.contains("Open house") == true,
                    "\(person.name)")
            }
            #expect(try await !notifications(of: sample.founder, tower).contains { $0.contains("Open house") })
        }
    }

    @Test(
        "the push address of a device is deleted with its session: on sign-out, in the list of devices, and on expiry",
        .requirement("WW-9.04.d"))
    func endsWithTheSession() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            func turnOn(_ access: String, _ name: String) async throws {
                let keys = [
                    "key":
                        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                    "secret": "BTBZMqHH6r4Tts7J_aSIgg",
                ]
                let answer = try await tower.post(
                    "/api/v1/notifications/device",
                    keys.merging(["kind": "web", "target": "https://push.example.com/\(name)"]) { $1 },
                    as: .bearer(access))
                try #require(answer.status == .ok, "\(answer.text)")
            }
            func signIn() async throws -> Answer {
                try await tower.post(
                    "/api/v1/auth/sign-in", ["email": sample.member.email, "password": Tower.password]
                ).json()
            }
            func targets() async throws -> Set<String> {
                await tower.composition.runJobs()
                return try await Set(
                    tower.composition.directory.read { sql in
                        try sql.rows("SELECT target FROM push_devices").map {
                            try $0.get("target", as: String.self)
                        }
                    }.map { $0.replacingOccurrences(of: "https://push.example.com/", with: "") })
            }
            try await turnOn(sample.member.access, "first")
            let (second, third) = (try await signIn(), try await signIn())
            try await turnOn(second.text("accessToken"), "second")
            try await turnOn(third.text("accessToken"), "third")
            try await turnOn(sample.founder.access, "founder")
            #expect(try await targets() == ["first", "second", "third", "founder"])
            _ = try await tower.post(
                "/api/v1/auth/sign-out", [String: String](), as: .bearer(second.text("accessToken")))
            #expect(try await targets() == ["first", "third", "founder"])
            _ = try await tower.post(
                "/api/v1/auth/devices/end-others", [String: String](), as: .bearer(third.text("accessToken")))
            #expect(try await targets() == ["third", "founder"])
            // The session was not used for longer than it can be renewed.
            tower.clock.advance(by: 31 * 86_400)
            #expect(try await targets().isEmpty)
        }
    }
}
