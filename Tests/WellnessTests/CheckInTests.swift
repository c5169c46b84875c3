import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Wellness

@Suite("Check-ins")
struct CheckInTests {
    @Test(
        "a child checks in with one tap, and two check-ins of a day are both stored and listed",
        .requirement("WW-1.05.b"), arguments: Language.allCases)
    func checksIn(language: Language) async throws {
        let fixture = try await WellnessFixture()
        let empty = try await fixture.school.environment.outline("/wellness", as: fixture.noah, language: language)
        #expect(empty.contains(language == .french ? "Comment ça va aujourd’hui" : "How are you today?"))
        try await fixture.checkIn(.good)
        let second = try await fixture.checkIn(.poor, note: "The test", sleep: .badly, energy: .low)
        #expect(second.note == "The test" && second.sleep == .badly && second.energy == .low)
        let own = try await fixture.school.answer(ListCheckIns.self, as: fixture.noah).items
        #expect(own.map(\.mood) == [.poor, .good])
        let page = try await fixture.school.environment.page("/wellness", as: fixture.noah, language: language)
        let titles = page.cells.map(\.title)
        #expect(titles == (language == .french ? ["Pas très bien", "Bien"] : ["Not so good", "Good"]))
        #expect(page.cells.first?.subtitle?.contains("The test") == true)
        #expect(page.cells.allSatisfy { $0.leading != nil }, "each mood has a picture")
    }

    @Test(
        "the home page asks with one picture for each mood, and after the check-in shows it",
        .requirement("WW-1.05.a"))
    func home() async throws {
        let fixture = try await WellnessFixture()
        let before = try await fixture.home(of: fixture.noah)
        for word in ["Very good", "Good", "So-so", "Not so good", "Bad"] { #expect(before.contains(word)) }
        #expect(before.contains("How are you today?"))
        try await fixture.checkIn(.middling)
        let after = try await fixture.home(of: fixture.noah)
        #expect(after.contains("So-so") && !after.contains("Not so good") && !after.contains("How are you today?"))
        // The next day asks again.
        fixture.clock.advance(by: 86_400)
        #expect(try await fixture.home(of: fixture.noah).contains("How are you today?"))
    }

    @Test("moods are radio buttons with a word and a picture, and only the mood is needed")
    func form() async throws {
        let fixture = try await WellnessFixture()
        let page = try await fixture.school.environment.page("/wellness", as: fixture.noah)
        let sheet = try #require(page.sheets.first)
        guard case .form(let form)? = sheet.body.first else { throw Problem.notFound }
        #expect(form.isQueued, "it waits on the device without a network")
        guard case .choice(let moods)? = form.fields.first(where: { $0.name == "mood" })?.kind else {
            throw Problem.notFound
        }
        #expect(moods.map(\.value) == Mood.allCases.map(\.rawValue))
        #expect(moods.allSatisfy { !$0.title.isEmpty && $0.icon != nil })
        #expect(form.fields.filter(\.isRequired).map(\.name) == ["mood"])
        let refused = try await problem {
            try await fixture.school.execute(MakeCheckIn.self, ["mood": "fantastic"], as: fixture.noah)
        }
        #expect(refused?.faults.map(\.field) == ["mood"])
        let long = try await problem {
            try await fixture.checkIn(note: String(repeating: "a", count: CheckIn.noteLength + 1))
        }
        #expect(long?.faults.map(\.field) == ["note"])
    }

    @Test("a check-in that is sent twice with one key is stored once, and so is a double tap on a picture")
    func once() async throws {
        let fixture = try await WellnessFixture()
        for _ in 0..<2 {
            try await fixture.school.execute(
                MakeCheckIn.self, ["mood": "good", "recordedAt": "2026-11-02T09:00:00Z"], as: fixture.noah,
                key: "one-tap-at-nine")
        }
        for milliseconds in [200, 350] {
            try await fixture.school.execute(
                MakeCheckIn.self,
                ["mood": "bad", "recordedAt": .text("2026-11-02T10:00:00.\(milliseconds)Z")], as: fixture.noah)
        }
        #expect(try await fixture.school.answer(ListCheckIns.self, as: fixture.noah).items.count == 2)
        // The same mood some time later is another check-in.
        try await fixture.school.execute(
            MakeCheckIn.self, ["mood": "bad", "recordedAt": "2026-11-02T10:05:00Z"], as: fixture.noah)
        #expect(try await fixture.school.answer(ListCheckIns.self, as: fixture.noah).items.count == 3)
    }

    @Test("a check-in that waited on a device has the time of the tap, and a wrong clock makes no impossible time")
    func waits() {
        let now = Date(timeIntervalSince1970: 1_793_631_600)
        let tapped = now.addingTimeInterval(-7200)
        #expect(CheckIn.time(recordedAt: nil, now: now) == now)
        #expect(CheckIn.time(recordedAt: tapped, now: now) == tapped)
        #expect(CheckIn.time(recordedAt: now.addingTimeInterval(3600), now: now) == now)
        #expect(
            CheckIn.time(recordedAt: Date(timeIntervalSince1970: 0), now: now)
                == now.addingTimeInterval(-CheckIn.longestWait))
    }

    @Test("a child changes and deletes a check-in, and another child’s is not found")
    func changes() async throws {
        let fixture = try await WellnessFixture()
        let one = try await fixture.checkIn(.good)
        let changed = try await fixture.school.execute(
            EditCheckIn.self,
            ["checkInId": .id(one.id), "mood": "veryGood", "sleep": "well", "note": "Snow"], as: fixture.noah)
        #expect(changed.mood == .veryGood && changed.note == "Snow" && changed.madeAt == one.madeAt)
        await #expect(throws: Problem.notFound) {
            try await fixture.school.execute(
                EditCheckIn.self, ["checkInId": .id(one.id), "mood": "bad"], as: fixture.mia)
        }
        await #expect(throws: Problem.notFound) {
            try await fixture.school.execute(DeleteCheckIn.self, ["checkInId": .id(one.id)], as: fixture.mia)
        }
        try await fixture.school.execute(DeleteCheckIn.self, ["checkInId": .id(one.id)], as: fixture.noah)
        #expect(try await fixture.school.answer(ListCheckIns.self, as: fixture.noah).items.isEmpty)
    }

    @Test("a child downloads all of their check-ins as a table, in their language")
    func downloads() async throws {
        let fixture = try await WellnessFixture()
        try await fixture.checkIn(.good, note: "=1+1, then \"quiet\"", sleep: .well)
        try await fixture.checkIn(.bad, as: fixture.mia)
        let bytes = try await fixture.school.environment.answer(
            "wellness.download", as: fixture.noah, language: .french)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        #expect(lines.count == 2, "only the child’s own")
        #expect(lines.first == "\u{FEFF}Quand,Humeur,Sommeil,Énergie,Texte")
        #expect(lines.last?.hasSuffix(",Bien,Bien,,\"'=1+1, then \"\"quiet\"\"\"") == true, "\(lines)")
    }

    @Test("switching check-ins off stores no more, deletes nothing and says so")
    func off() async throws {
        let fixture = try await WellnessFixture()
        let one = try await fixture.checkIn(.good, note: "Before")
        try await fixture.share(with: fixture.ruth)
        try await fixture.set(isOn: false)
        await #expect(throws: Problem(409, "wellness.off")) { try await fixture.checkIn(.bad) }
        #expect(try await fixture.home(of: fixture.noah).split(separator: "\n").count == 1, "no section")
        let page = try await fixture.outline("/wellness", as: fixture.noah)
        #expect(page.contains("nothing was deleted") && page.contains("Before") && !page.contains("How are you"))
        // Nobody else reads it meanwhile, and the child still decides.
        await #expect(throws: Problem.notFound) {
            try await fixture.outline("/wellness/shared/\(WellnessFixture.id(fixture.noah).text)", as: fixture.ruth)
        }
        try await fixture.set(isOn: true)
        #expect(
            try await fixture.outline("/wellness/shared/\(WellnessFixture.id(fixture.noah).text)", as: fixture.ruth)
                .contains("Before"))
        try await fixture.set(isOn: false)
        try await fixture.endSharing(with: fixture.ruth)
        try await fixture.school.execute(DeleteCheckIn.self, ["checkInId": .id(one.id)], as: fixture.noah)
        #expect(try await fixture.school.answer(ListCheckIns.self, as: fixture.noah).items.isEmpty)
    }

    @Test(
        "a long list of check-ins is read in pages, for the child, for an adult with whom it is shared, and in the API"
    )
    func pages() async throws {
        let fixture = try await WellnessFixture()
        let (now, child, ids) = (fixture.clock.now, WellnessFixture.id(fixture.noah), fixture.school.ids)
        // Some have equal times, as check-ins that waited on a device may have.
        let all = (0..<620).map { number in
            CheckIn(
                id: ids.id(at: now), mood: .good, sleep: nil, energy: nil, note: "no. \(number);",
                madeAt: now.addingTimeInterval(-3600 * Double(number / 2)))
        }
        // conformance: allow write - prepares a test
        try await fixture.school.database.write { sql in
            for one in all { try CheckInRepository.insert(one, of: child, in: sql) }
        }
        try await fixture.share(with: fixture.ruth)
        func walk(_ path: String, _ caller: Caller) async throws -> [[String]] {
            var (pages, next): ([[String]], PTAction?) = ([], .open(path))
            while case .open(let address)? = next {
                let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
                let place = parts.count == 2 ? parts[1].replacing("after=", with: "") : nil
                let page = try await fixture.school.environment.page(
                    path, as: caller, query: place.map { ["after": $0] } ?? [:])
                let lists = page.components.compactMap { if case .list(let list) = $0 { list } else { nil } }
                let list = try #require(lists.first)
                pages.append(list.cells.compactMap { $0.subtitle?.split(separator: " · ").last.map(String.init) })
                next = list.more?.action
            }
            return pages
        }
        let own = try await walk("/wellness", fixture.noah)
        #expect(own.map(\.count) == [14, 100, 100, 100, 100, 100, 100, 6])
        #expect(Set(own.joined()) == Set(all.map(\.note)), "each once")
        let shared = try await walk("/wellness/shared/\(child.text)", fixture.ruth)
        #expect(shared.map(\.count) == [100, 100, 100, 100, 100, 100, 20])
        #expect(shared.flatMap(\.self) == own.flatMap(\.self))
        let first = try await fixture.school.answer(ListCheckIns.self, as: fixture.noah)
        let second = try await fixture.school.answer(
            ListCheckIns.self, ["after": .text(#require(first.next))], as: fixture.noah)
        #expect(first.items.count == 500 && second.items.count == 120 && second.next == nil)
        #expect((first.items + second.items).map(\.note) == own.flatMap(\.self))
        let wrong = try await problem {
            _ = try await fixture.school.answer(ListCheckIns.self, ["after": "yesterday"], as: fixture.noah)
        }
        #expect(wrong?.faults.map(\.field) == ["after"])
    }

    @Test("the list of a child’s check-ins is read by an index")
    func indexed() async throws {
        let fixture = try await WellnessFixture()
        let id = UUID()
        for place in [nil, CheckInPlace(madeAt: fixture.clock.now, id: id)] {
            try await fixture.school.expectIndexed(
                CheckInRepository.checkIns(of: id, after: place, since: .distantPast, limit: 14))
        }
        try await fixture.school.expectIndexed(
            SharingRepository.checkIns(sharedWith: id, limit: 1),
            // Results of the statement itself.
            allowing: ["sharing", "children", "ranked"])
        try await fixture.school.expectIndexed("SELECT adult_id FROM wellness_readers WHERE person_id = \(id)")
        try await fixture.school.expectIndexed(
            "SELECT * FROM wellness_requests WHERE closed_at IS NULL ORDER BY asked_at, id LIMIT 200",
            // The index has open requests only.
            allowing: ["wellness_requests"])
    }
}
