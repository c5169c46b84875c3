import ClassroomInterface
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import InsightsInterface
import TestKit
import Testing

@testable import Insights

@Suite("Pseudonyms for the model")
struct PseudonymTests {
    @Test(
        "no name is sent, and names are restored exactly as they were written",
        arguments: [
            (["Noah|Ruiz", "Anna|Ruiz", "Anna Maria|Ruiz"], "Noah and Anna Maria Ruiz; anna too. ANNA!"),
            (["Will|Rose"], "Will will hold the rose: Will’s Rose."),
            (["李雷|", "韩梅梅|"], "李雷和韩梅梅一起唱歌。李雷笑了。"),
            (["נועה|לוי"], "נועה שרה. ונועה צחקה עם לוי."),
            (["Ольга|Иванова"], "Ольга построила башню. ОЛЬГА!"),
            (["زينب|"], "لعبت زينب"),
            (["Zoë|O’Neil"], "Zoe and Zoë O’Neil, [Person-1] stands here already."),
            (["Jean-Luc|Le Goff"], "Jean-Luc Le Goff et Jean, Le Goff."),
            (["Ana|Paz"], "Ana, Anaïs, Banana; paz."),
        ])
    func thereAndBack(_ names: [String], _ text: String) throws {
        let people = names.map { name in
            let parts = name.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            return PersonName(given: parts[0], family: parts[1])
        }
        var pseudonyms = Pseudonyms(people, hiding: text)
        let hidden = pseudonyms.hide(text)
        #expect(hidden != text)
        for name in people.flatMap({ [$0.given, $0.family] }) where !name.isEmpty {
            #expect(!NamesInText.contains(name, in: hidden), "\(name) in \(hidden)")
        }
        #expect(pseudonyms.restore(hidden) == text)
    }

    @Test("twelve people have twelve distinct placeholders, which are all restored")
    func many() {
        let people = (1...12).map {
            PersonName(
                given: "Kid\(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"][$0 - 1])", family: "")
        }
        let text = people.map(\.given).joined(separator: " ")
        var pseudonyms = Pseudonyms(people, hiding: text)
        let hidden = pseudonyms.hide(text)
        #expect(hidden.hasSuffix("[Person-12]"))
        #expect(pseudonyms.restore(hidden) == text)
    }

    @Test("an answer with an unknown placeholder is rejected")
    func unknown() {
        var pseudonyms = Pseudonyms([PersonName(given: "Noah", family: "")], hiding: "Noah sang.")
        #expect(pseudonyms.hide("Noah sang.") == "[Person-1] sang.")
        #expect(pseudonyms.restore("[Person-1] sang with [Person-2].") == nil)
        #expect(pseudonyms.restore("[Person-1] sang.") == "Noah sang.")
    }
}

@Suite("A school's models")
struct ModelTests {
    private func used(_ fixture: InsightsFixture) async throws -> Int {
        let month = ConfigService.month(fixture.today)
        return try await fixture.school.database.read { try ModelRepository.used(in: month, $0) }
    }

    private func save(_ fixture: InsightsFixture, limit: Int, textModel: String = "") async throws {
        try await fixture.school.execute(
            SaveModelSettings.self, ["textModel": .text(textModel), "monthlyLimit": .number(Double(limit))],
            as: fixture.admin)
    }

    @Test("without a key no model is asked, and the server writes the text", .requirement("PT-2.11.c"))
    func noKey() async throws {
        let fixture = try await InsightsFixture()
        fixture.note(fixture.noah, "Sang.")
        #expect(try await fixture.summary().text.contains("Sang."))
        #expect(fixture.model.asked.isEmpty)
    }

    @Test(
        "insights over a period follow from the record alone, and no model is asked even with a key",
        .requirement("PT-2.12.a"))
    func insights() async throws {
        let fixture = try await InsightsFixture(serverKey: "sk-server")
        fixture.note(fixture.noah, "Noah sang for Ana.", daysAgo: 60)
        func insights(_ span: Span) async throws -> [Sentence] {
            try await fixture.school.answer(
                ReadInsights.self, ["studentId": .text(fixture.noah.text), "span": .text(span.rawValue)],
                as: fixture.guide
            ).insights
        }
        #expect(try await insights(.week).isEmpty)
        fixture.note(fixture.noah, "Noah sang with Mia.", with: [fixture.mia])
        let found = try await insights(.week)
        #expect(found.count == 1)
        #expect(found.first?.sources.count == 1)
        #expect(fixture.model.asked.isEmpty)
    }

    @Test(
        "with a key the model writes about this child only and without names, and its cost is counted once",
        .requirement("PT-2.12.b", "PT-2.12.c"))
    func writes() async throws {
        let fixture = try await InsightsFixture(serverKey: "sk-server")
        fixture.note(fixture.noah, "Noah sang for Ana.")
        fixture.note(fixture.noah, "Noah pushed Mia.")
        fixture.note(fixture.mia, "A note about another child.")
        fixture.model.say("[Person-1] sang with joy.", tokens: 1_000_000)
        let draft = try await fixture.summary()
        #expect(draft.text == "Noah sang with joy.")
        let asked = try #require(fixture.model.asked.first)
        #expect(asked.key == "sk-server")
        #expect(asked.question.model == "gpt-4o-mini")
        let sent = asked.question.text + asked.question.instructions
        #expect(sent.contains("sang for"))
        for word in ["Noah", "Ana", "Mia", "Ruiz", "pushed", "another child"] {
            #expect(!sent.contains(word), "\(word)")
        }
        #expect(try await used(fixture) == 750_000, "0.15 and 0.60 dollars for a million each")
        _ = try await fixture.summary()
        #expect(fixture.model.asked.count == 1, "an existing draft is not written again")
        #expect(try await fixture.read().isEmpty, "and the family sees none of it")
    }

    @Test(
        "if the model fails, the server writes the text and the page says so",
        arguments: [ModelFault.keyRefused, .busy(retryAfter: 60), .unreachable, .unreadable, .refused])
    func fails(_ fault: ModelFault) async throws {
        let fixture = try await InsightsFixture(serverKey: "sk-server")
        fixture.note(fixture.noah, "Sang.")
        fixture.model.fail(fault)
        let outcome = try await fixture.school.execute(
            "insights.draftSummary", ["studentId": .id(fixture.noah)], as: fixture.guide, language: .french)
        #expect(try outcome.result(FamilyText.self).text.contains("Sang."))
        #expect(
            outcome.feedback?.text
                == "Le service d’IA n’a pas répondu. Ce texte a été créé sur ce serveur, à partir du dossier.")
        #expect(try await used(fixture) == 0)
    }

    @Test("an answer that names an unknown person is not used")
    func foreignName() async throws {
        let fixture = try await InsightsFixture(serverKey: "sk-server")
        fixture.note(fixture.noah, "Sang.")
        fixture.model.say("[Person-1] and [Person-7] sang.")
        #expect(try await fixture.summary().text.contains("“Sang.”"))
    }

    @Test("no model is asked after the month's limit, and a new month starts at zero")
    func limit() async throws {
        let fixture = try await InsightsFixture(serverKey: "sk-server")
        try await save(fixture, limit: 1)
        let month = ConfigService.month(fixture.today)
        try await fixture.school.database.write { try ModelRepository.add(1_000_000, to: month, in: $0) }
        fixture.note(fixture.noah, "Sang.")
        let outcome = try await fixture.school.execute(
            "insights.draftSummary", ["studentId": .id(fixture.noah)], as: fixture.guide)
        #expect(outcome.feedback?.text.contains("limit for the AI service is reached") == true)
        #expect(fixture.model.asked.isEmpty)
        let transcriber = InsightsFeature.transcriber(
            ServerModels(
                text: fixture.model, speech: fixture.model, key: "sk-server", cryptography: TestCryptography())
        )
        await #expect(throws: Problem(409, "ai.limit", [.number(1)])) {
            _ = try await transcriber.transcribe(
                Self.audio, in: .english, fixture.school.context(of: fixture.guide))
        }
        fixture.school.clock.advance(by: 40 * 86_400)
        fixture.note(fixture.noah, "Sang again.")
        fixture.model.say("Good.")
        #expect(try await fixture.summary().text == "Good.")
    }

    private static let audio = UploadedFile(name: "note.webm", contentType: "audio/webm", bytes: [1, 2, 3])

    @Test(
        "speech is transcribed, and its cost is counted by the second",
        .requirement("PT-2.11.a", "PT-2.11.b", "PT-2.11.c"))
    func transcribes() async throws {
        let fixture = try await InsightsFixture()
        let models = ServerModels(
            text: fixture.model, speech: fixture.model, key: "sk-x", cryptography: TestCryptography())
        let context = try await fixture.school.context(of: fixture.guide)
        let transcriber = InsightsFeature.transcriber(models)
        #expect(try await transcriber.isAvailable(in: context))
        await #expect(throws: Problem(503, "ai.unreachable")) {
            _ = try await transcriber.transcribe(Self.audio, in: .english, context)
        }
        fixture.model.hear(Transcript(text: "Noah sang.", seconds: 61.5))
        #expect(try await transcriber.transcribe(Self.audio, in: .english, context) == "Noah sang.")
        #expect(fixture.model.heardWith == ["whisper-1"], "without settings")
        #expect(try await used(fixture) == 6150)
        let without = InsightsFeature.transcriber(
            ServerModels(text: fixture.model, speech: fixture.model, key: nil, cryptography: TestCryptography()))
        #expect(try await !without.isAvailable(in: context))
        await #expect(throws: Problem(409, "ai.none")) {
            _ = try await without.transcribe(Self.audio, in: .english, context)
        }
    }

    @Test(
        "speech is transcribed in the chosen language, for staff only, and is not stored",
        .requirement("WW-1.04.c"))
    func speech() async throws {
        let fixture = try await InsightsFixture(serverKey: "sk-server")
        fixture.model.hear(Transcript(text: " Le vent souffle. ", seconds: 2))
        let sound = UploadedFile(
            name: "speech", contentType: "audio/webm", bytes: [0x1A, 0x45, 0xDF, 0xA3, 0, 0, 0, 0])
        func write(_ file: UploadedFile, as caller: Caller) async throws -> WriteDownSpeech.Result {
            try await fixture.school.execute(
                WriteDownSpeech.self, .object(["audio": .file(file), "language": .text("fr")]), as: caller)
        }
        #expect(try await write(sound, as: fixture.guide).text == "Le vent souffle.")
        #expect(try await used(fixture) > 0, "it counts against the month's limit")
        #expect(try await fixture.school.changes().isEmpty)
        await #expect(throws: Problem.self) { try await write(sound, as: fixture.parent) }
        let text = UploadedFile(name: "note.txt", contentType: "text/plain", bytes: Array("hello".utf8))
        await #expect(throws: Problem.invalid("audio", "speech.notSound")) {
            try await write(text, as: fixture.guide)
        }
        let page = try await fixture.outline(SpeechToTextView.path, language: .french).joined(separator: "\n")
        #expect(page.contains("Dictée") && page.contains(#""service":"/api/v1/speech""#))
        let without = try await InsightsFixture()
        #expect(try await !without.outline(SpeechToTextView.path).joined().contains(#""service":"#))
    }

    @Test(
        "the school's own key is used first, stored encrypted, shown by its last characters, and can be removed",
        .requirement("PT-2.13.a", "PT-2.13.b", "PT-2.13.c", "PT-2.14.a", "PT-2.14.c"))
    func ownKey() async throws {
        let fixture = try await InsightsFixture(serverKey: "sk-server")
        fixture.note(fixture.noah, "Sang.")
        fixture.model.say("Good.")
        try await fixture.school.execute(SaveModelKey.self, ["key": "sk-school-secret-9876"], as: fixture.admin)
        _ = try await fixture.summary()
        #expect(fixture.model.asked.last?.key == "sk-school-secret-9876")
        let stored = try await fixture.school.database.read { try ModelRepository.settings(in: $0) }
        #expect(stored.sealedKey?.contains("secret") == false)
        #expect(stored.keyEnd == "9876")
        let page = try await fixture.outline("/settings/ai", as: fixture.admin)
        #expect(page.contains { $0.contains("••••9876") })
        #expect(!page.contains { $0.contains("secret") })
        #expect(page.contains { $0.contains("Connected with the school’s key") })
        let changes = try await fixture.school.changes()
        #expect(!changes.contains { $0.change.payload.values.contains { $0.contains("secret") } })
        try await fixture.school.execute(ClearModelKey.self, as: fixture.admin)
        _ = try await fixture.summary(.today)
        #expect(fixture.model.asked.last?.key == "sk-server")
        #expect(
            try await fixture.outline("/settings/ai", as: fixture.admin).contains {
                $0.contains("this server’s key")
            })
    }

    @Test("a key that replaces another one is used from then on", .requirement("PT-2.14.b"))
    func replacedKey() async throws {
        let fixture = try await InsightsFixture(serverKey: "sk-server")
        fixture.note(fixture.noah, "Sang.")
        fixture.model.say("Good.")
        for (key, span) in [("sk-school-first-1234", Span.week), ("sk-school-second-9876", .today)] {
            try await fixture.school.execute(SaveModelKey.self, ["key": .text(key)], as: fixture.admin)
            _ = try await fixture.summary(span)
            #expect(fixture.model.asked.last?.key == key)
        }
        let page = try await fixture.outline("/settings/ai", as: fixture.admin)
        #expect(page.contains { $0.contains("••••9876") } && !page.contains { $0.contains("1234") })
    }

    @Test("the school chooses its model, and an invalid key is refused")
    func chooses() async throws {
        let fixture = try await InsightsFixture(serverKey: "sk-server")
        try await save(fixture, limit: 3, textModel: "llama-3")
        fixture.note(fixture.noah, "Sang.")
        fixture.model.say("Good.")
        _ = try await fixture.summary()
        #expect(fixture.model.asked.last?.question.model == "llama-3")
        let page = try await fixture.outline("/settings/ai", as: fixture.admin, language: .french)
        #expect(page.contains { $0.contains("0,01 $ sur 3 $") })
        await #expect(throws: Problem.invalid("key", "ai.key")) {
            try await fixture.school.execute(SaveModelKey.self, ["key": "two words here"], as: fixture.admin)
        }
    }

    @Test("all members read what is sent to the model, and only admins change the settings")
    func rights() async throws {
        let fixture = try await InsightsFixture()
        for (language, line) in [(Language.english, "Not connected"), (.french, "Non connecté")] {
            let page = try await fixture.outline("/settings/ai", as: fixture.guide, language: language)
            #expect(page.contains { $0.contains(line) })
            #expect(!page.contains { $0.contains("form") && $0.contains("key") })
        }
        let wanted: [(String, InputValue)] = [
            ("ai.saveKey", ["key": "sk-12345678"]), ("ai.clearKey", [:]), ("ai.save", ["monthlyLimit": .number(9)]),
        ]
        for (name, input) in wanted {
            await #expect(throws: Problem.notAllowed) {
                try await fixture.school.execute(name, input, as: fixture.guide)
            }
        }
    }
}
