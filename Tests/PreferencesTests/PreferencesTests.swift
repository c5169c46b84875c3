import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import TestKit
import Testing

@testable import Preferences

@Suite("Display preferences")
struct PreferencesTests {
    let fixture: TestEnvironment
    let service: PreferencesService
    let ana: Caller

    init() async throws {
        var made: PreferencesService?
        fixture = try await TestEnvironment { ports in
            let service = PreferencesService(directory: ports.directory)
            made = service
            return [try PreferencesFeature.make(preferences: service)]
        }
        guard let made else { throw TestEnvironment.Unknown(description: "no service was made") }
        service = made
        ana = Caller(account: fixture.makeAccount(), membership: nil)
    }

    static let chosen = DisplayPreferences(language: .french, theme: .wolfwhale, appearance: .dark)
    static let input: InputValue = ["language": "fr", "theme": "wolfwhale", "appearance": "dark"]

    @Test("the choice of a visitor without an account is stored in the browser only")
    func anonymous() async throws {
        let outcome = try await fixture.execute("preferences.setDisplay", Self.input, as: .nobody)
        #expect(outcome.display == Self.chosen)
        #expect(try outcome.result(DisplayPreferences.self) == Self.chosen)
        let rows: Int? = try await fixture.directory.read {
            try $0.value("SELECT COUNT(*) FROM display_preferences")
        }
        #expect(rows == 0)
    }

    @Test(
        "a choice is stored with the account for every device, also after a restart", .requirement("WW-10.05.c"))
    func account() async throws {
        let id = try #require(ana.account).id
        #expect(try await service.preferences(of: id) == DisplayPreferences())
        let outcome = try await fixture.execute("preferences.setDisplay", Self.input, as: ana)
        #expect(outcome.display == Self.chosen, "the browser keeps it too, for its sign-in page")
        #expect(try await service.preferences(of: id) == Self.chosen)
        #expect(try await fixture.answer(GetDisplay.self, as: ana) == Self.chosen)
        #expect(try await PreferencesService(directory: fixture.directory).preferences(of: id) == Self.chosen)
        try await fixture.execute("preferences.setDisplay", ["language": ""], as: ana, isForm: true)
        #expect(try await service.preferences(of: id) == DisplayPreferences(), "back to what the device says")
        #expect(try await service.preferences(of: UUID()) == DisplayPreferences())
    }

    @Test("faults of unknown languages, themes and appearances are reported together")
    func faults() async throws {
        let refusal = try await problem {
            try await fixture.execute(
                "preferences.setDisplay", ["language": "de", "theme": "neon", "appearance": "dim"], as: ana)
        }
        #expect(refusal?.faults.map(\.field).sorted() == ["appearance", "language", "theme"])
        #expect(try await problem { _ = try await fixture.answer(GetDisplay.self, as: .nobody) } == .signInNeeded)
    }

    @Test("the picker offers English and French besides the device's language", .requirement("WW-10.05.a"))
    func page() async throws {
        let before = try await fixture.outline("/settings/display", as: ana)
        #expect(before.contains("form display -> /api/v1/preferences/display"))
        #expect(before.contains("(*) Same as device"))
        #expect(before.contains("( ) English"))
        #expect(before.contains("( ) Français"))
        try await fixture.execute("preferences.setDisplay", Self.input, as: ana)
        let after = try await fixture.outline("/settings/display", as: ana, language: .french)
        #expect(after.contains("(*) Français"))
        #expect(after.contains("(*) WolfWhale"))
        #expect(after.contains("(*) Sombre"))
        let anyone = try await fixture.outline("/display", as: .nobody)
        #expect(anyone.lines.first == "# Appearance and language")
        #expect(anyone.contains("[Back] -> /"))
    }

    @Test("a personal value needs no account and is the person's own")
    func personal() async throws {
        let service = PreferencesService(directory: fixture.directory)
        let school = try await TestSchool([try PreferencesFeature.make(preferences: service)])
        let stored = SQLPersonalPreferences()
        let (mia, noah) = (UUID(), UUID())
        try await school.database.write { sql in
            try stored.set("1", for: "a", of: mia, in: sql)
            try stored.set("2", for: "a", of: mia, in: sql)
            try stored.set("3", for: "b", of: mia, in: sql)
            try stored.set("4", for: "a", of: noah, in: sql)
        }
        func values() async throws -> [String?] {
            try await school.database.read { sql in
                try [("a", mia), ("b", mia), ("a", noah)].map { try stored.value($0.0, of: $0.1, in: sql) }
            }
        }
        #expect(try await values() == ["2", "3", "4"])
        try await school.database.write { try stored.set(nil, for: "b", of: mia, in: $0) }
        #expect(try await values() == ["2", nil, "4"])
        try await school.database.write { try stored.remove("a", in: $0) }
        #expect(try await values() == [nil, nil, nil])
    }
}
