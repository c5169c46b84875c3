import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import ScreenKit
import TestKit
import Testing

@testable import Messaging

@Suite("Messaging, what becomes of a message")
struct ChangeTests {
    @Test("its author changes it for a while, and everybody sees that it was changed")
    func edits() async throws {
        let clock = FixedClock()
        let house = try await MessagingHouse(clock: clock)
        let talk = try await house.start(house.ruth, with: house.sofia)
        let sent = try await house.send("See you at nine", in: talk, as: house.ruth)
        clock.advance(by: 60)
        try await house.edit(sent, "See you at ten", as: house.ruth)
        let seen = try #require(try await house.messages(talk, as: house.sofia).first)
        #expect(seen.text == "See you at ten" && seen.editedAt != nil && seen.seq == sent.seq)
        let page = try await house.outline("/messages/\(talk.id.text)", as: house.sofia)
        #expect(page.contains("See you at ten") && page.contains("edited") && !page.contains("at nine"))
        // Neither somebody else nor a clock that is long past changes it.
        await #expect(throws: Problem(403, "messages.notYours")) {
            try await house.edit(sent, "Never", as: house.sofia)
        }
        clock.advance(by: MessagingLimits.changeWindow)
        await #expect(throws: Problem(409, "messages.tooLate", [.number(15)])) {
            try await house.edit(sent, "See you at eleven", as: house.ruth)
        }
        #expect(try await house.messages(talk, as: house.ruth).map(\.text) == ["See you at ten"])
    }

    @Test("deleted, its place stays and nothing of what it said")
    func deletes() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        let first = try await house.send(
            "Not for you", in: talk, as: house.ruth, files: [.text("plan.txt", "Secret")])
        let answer = try await house.send("What?", in: talk, as: house.sofia, replyTo: first.id)
        await #expect(throws: Problem(403, "messages.notYours")) { try await house.delete(first, as: house.sofia) }
        try await house.delete(first, as: house.ruth)
        let seen = try await house.messages(talk, as: house.sofia)
        #expect(seen.map(\.isDeleted) == [true, false] && seen[0].text.isEmpty && seen[0].files.isEmpty)
        #expect(seen[1].replyTo == first.id && seen[1].id == answer.id)
        let page = try await house.outline("/messages/\(talk.id.text)", as: house.sofia)
        #expect(page.contains("This message was deleted") && !page.contains("Not for you"))
        #expect(try await house.search("not for", in: talk, as: house.ruth).isEmpty)
        await #expect(throws: Problem(409, "messages.isDeleted")) {
            try await house.edit(first, "Back", as: house.ruth)
        }
        // The beginning of it was on its way to a list as well.
        let row = try await house.outline("/messages", as: house.ruth)
        #expect(!row.contains("Not for you"))
    }

    @Test("an answer shows what it answers, and answers nothing of another conversation")
    func replies() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        let other = try await house.start(house.ruth, with: house.omar)
        let asked = try await house.send("Who brings the juice?", in: talk, as: house.ruth)
        let foreign = try await house.send("Private", in: other, as: house.ruth)
        try await house.send("I do", in: talk, as: house.sofia, replyTo: asked.id)
        let page = try await house.outline("/messages/\(talk.id.text)", as: house.ruth)
        #expect(page.contains("> You: Who brings the juice?"))
        let problem = await #expect(throws: Problem.self) {
            try await house.send("Mine", in: talk, as: house.sofia, replyTo: foreign.id)
        }
        #expect(problem?.faults.map(\.field) == ["replyTo"])
        let begun = try await house.outline(
            "/messages/\(talk.id.text)", as: house.sofia, query: ["reply": asked.id.text])
        #expect(begun.contains("answers Ruth Adler: Who brings the juice?"))
        let none = try await house.outline(
            "/messages/\(talk.id.text)", as: house.sofia, query: ["reply": foreign.id.text])
        #expect(!none.contains("answers"))
    }

    @Test("a picture is made anew, every other file is taken home as it came, by those of the conversation alone")
    func files() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        let sent = try await house.send(
            "", in: talk, as: house.ruth,
            files: [
                UploadedFile(name: "C:\\Photos\\walk.jpg", contentType: "image/jpeg", bytes: TestPictures.photo),
                .text("Liste d’élèves.pdf", "%PDF"),
            ])
        #expect(sent.text.isEmpty && sent.files.map(\.name) == ["walk.jpg", "Liste d’élèves.pdf"])
        #expect(sent.files[0].picture != nil && sent.files[1].picture == nil)
        for (hash, isShown) in [(sent.files[0].hash, true), (sent.files[1].hash, false)] {
            let file = try await house.download(hash, of: sent, as: house.sofia)
            switch file.use {
            case .shown: #expect(isShown && file.contentType == "image/jpeg")
            case .takenHome(let name): #expect(!isShown && name == "Liste d’élèves.pdf")
            }
        }
        await #expect(throws: Problem.notFound) {
            try await house.download(sent.files[0].hash, of: sent, as: house.omar)
        }
        let broken = UploadedFile(name: "x.jpg", contentType: "image/jpeg", bytes: TestPictures.png)
        let problem = await #expect(throws: Problem.self) {
            try await house.send("", in: talk, as: house.ruth, files: [broken])
        }
        #expect(problem?.faults.map(\.code) == ["message.picture"])
        let many = await #expect(throws: Problem.self) {
            try await house.send(
                "", in: talk, as: house.ruth, files: Array(repeating: .text("a.txt", "a"), count: 7))
        }
        #expect(many?.faults.map(\.field) == ["files"])
        #expect(try await house.messages(talk, as: house.sofia).count == 1)
    }

    @Test(
        "words find messages of the conversation, whatever their case and accents, and the hit leads to its place")
    func searches() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        let other = try await house.start(house.ruth, with: house.omar)
        try await house.send("L’école ferme à midi", in: talk, as: house.ruth)
        try await house.send("100 % sure_thing", in: talk, as: house.sofia)
        try await house.send("ecole elsewhere", in: other, as: house.ruth)
        #expect(try await house.search("ECOLE midi", in: talk, as: house.sofia).map(\.seq) == [1])
        #expect(try await house.search("%", in: talk, as: house.sofia).map(\.seq) == [2])
        #expect(try await house.search("100_", in: talk, as: house.sofia).isEmpty)
        let page = try await house.outline(
            "/messages/about/\(talk.id.text)", as: house.sofia, query: ["q": "école"])
        #expect(page.contains("-> /messages/\(talk.id.text)?at=1#m-"))
    }

    @Test("a mention tells those called by name, once, and also whoever muted the conversation")
    func mentions() async throws {
        let house = try await MessagingHouse()
        let group = try await house.start(house.ruth, with: house.sofia, house.omar, title: "Picnic")
        try await house.mute(group, as: house.sofia)
        try await house.send("Who comes?", in: group, as: house.ruth)
        #expect(try await house.told("message.news") == [[house.omar]].map { $0.map(MessagingHouse.id) })
        try await house.read(group, as: house.omar)
        try await house.send("@sofia, and @Ruth Adler herself, mail omar@home.example", in: group, as: house.ruth)
        #expect(try await house.told("message.mention") == [[MessagingHouse.id(house.sofia)]])
        #expect(try await house.told("message.news").count == 2)
    }

    @Test("whoever mutes a conversation hears no news of it until they want them again")
    func mutes() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        try await house.mute(talk, as: house.sofia)
        try await house.send("One", in: talk, as: house.ruth)
        #expect(try await house.told("message.news").isEmpty)
        #expect(try await house.list(house.sofia).map(\.isMuted) == [true])
        try await house.mute(talk, as: house.sofia, false)
        try await house.read(talk, as: house.sofia)
        try await house.send("Two", in: talk, as: house.ruth)
        #expect(try await house.told("message.news").count == 1)
    }

    @Test("staff may keep a conversation to themselves; nobody else opens it again")
    func closes() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        try await house.send("One", in: talk, as: house.ruth)
        await #expect(throws: Problem(403, "messages.onlyStaffCloses")) {
            try await house.close(talk, as: house.sofia)
        }
        try await house.close(talk, as: house.ruth)
        await #expect(throws: Problem(403, "messages.closed")) {
            try await house.send("But", in: talk, as: house.sofia)
        }
        let page = try await house.outline("/messages/\(talk.id.text)", as: house.sofia)
        #expect(page.contains("Only staff write in this conversation for now."))
        try await house.send("We speak tomorrow", in: talk, as: house.ruth)
        try await house.close(talk, as: house.ruth, false)
        try await house.send("Gladly", in: talk, as: house.sofia)
        // A channel is closed by those who guide its class.
        try await house.allow(channels: .writing)
        let channel = try await house.channel(house.maple, as: house.ruth)
        try await house.close(channel, as: house.ruth)
        await #expect(throws: Problem(403, "messages.closed")) {
            try await house.send("Hello", in: channel, as: house.ines)
        }
    }

    @Test("a report reaches the administration as the message was; what it decides holds for all reports of it")
    func reports() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        let bad = try await house.send("A bad word", in: talk, as: house.sofia)
        await #expect(throws: Problem(409, "messages.ownReport")) { try await house.report(bad, as: house.sofia) }
        await #expect(throws: Problem.notFound) { try await house.report(bad, as: house.omar) }
        try await house.report(bad, as: house.ruth, "Not nice")
        try await house.report(bad, as: house.ruth, "Not nice at all")
        try await house.edit(bad, "A good word", as: house.sofia)
        #expect(try await house.changes("message.reported").count == 1)
        let page = try await house.outline(ReportHandlers.path, as: house.admin)
        #expect(page.contains("A bad word") && page.contains("Reported by Ruth Adler: Not nice"))
        let report = try #require(try await house.school.answer(ListReports.self, as: house.admin).items.first)
        await #expect(throws: Problem.self) {
            try await house.school.execute(SettleReport.self, ["reportId": .id(report.id)], as: house.ruth)
        }
        try await house.school.execute(
            SettleReport.self, ["reportId": .id(report.id), "removes": .bool(true)], as: house.admin)
        #expect(try await house.messages(talk, as: house.ruth).map(\.isDeleted) == [true])
        #expect(try await house.school.answer(ListReports.self, as: house.admin).items.isEmpty)
        await #expect(throws: Problem.notFound) {
            try await house.school.execute(SettleReport.self, ["reportId": .id(report.id)], as: house.admin)
        }
    }

    @Test("a report needs a reason, and its form asks before it is sent")
    func reasons() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        let bad = try await house.send("A bad word", in: talk, as: house.sofia)
        await #expect(throws: Problem.invalid("reason", "required")) {
            try await house.report(bad, as: house.ruth, " ")
        }
        let answer = try await house.school.house.screen(
            MessageScreen.path(bad.id), as: house.ruth, language: .english)
        guard case .screen(let screen) = answer, case .section(let section)? = screen.body.last,
            case .form(let form)? = section.body.first
        else {
            Issue.record("no form")
            return
        }
        #expect(form.fields.first?.isRequired == true)
        #expect(form.confirmation?.title == "Report this message to the school?")
    }

    @Test("an admin neither settles a report about their own message nor learns who reported it")
    func ownReports() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.admin, with: house.ruth)
        let said = try await house.send("A sharp word", in: talk, as: house.admin)
        try await house.report(said, as: house.ruth, "Too sharp")
        let page = try await house.outline(ReportHandlers.path, as: house.admin)
        #expect(page.contains("A sharp word") && page.contains("Another admin decides"))
        #expect(!page.contains("Too sharp") && !page.contains("Reported by") && !page.contains("Leave it"))
        #expect(try await house.school.answer(ListReports.self, as: house.admin).items.isEmpty)
        let other = try await house.circle.person(.superAdmin, "Elsa Brandt", in: house.school)
        let report = try #require(try await house.school.answer(ListReports.self, as: other).items.first)
        await #expect(throws: Problem(403, "messages.ownSettle")) {
            try await house.school.execute(SettleReport.self, ["reportId": .id(report.id)], as: house.admin)
        }
        try await house.school.execute(SettleReport.self, ["reportId": .id(report.id)], as: other)
    }
}

@Suite("Messaging, who is called by name")
struct MentionTests {
    private let ruth = UUID()
    private let omar = UUID()
    private let other = UUID()

    private func find(_ text: String) -> Set<UUID> {
        Mentions.find(
            in: text,
            among: [
                ruth: PersonName(fullName: "Ruth Adler"), omar: PersonName(fullName: "Élodie Côté"),
                other: PersonName(fullName: "Ruth Zhou"),
            ])
    }

    @Test("a whole name, a first name, any case, with or without accents")
    func finds() {
        #expect(find("@Ruth Adler, please") == [ruth])
        #expect(find("@ruth!") == [ruth, other])
        #expect(find("(@elodie) and @RUTH ZHOU") == [omar, other])
    }

    @Test("no part of a name, no address of a mail, nobody who is not there, and no text takes long")
    func leaves() {
        #expect(find("@Ru @ruthless mail@ruth.example @Nobody @") == [])
        #expect(find(String(repeating: "@", count: 60_000) + "ruth") == [])
    }
}
