import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import FlashcardsModel
import Foundation
import ScreenKit
import ShellInterface
import TestKit
import Testing

@testable import Flashcards

@Suite("Studying flashcards")
struct StudyTests {
    private static let day: TimeInterval = 86_400

    @Test("a rating is stored once however often it is sent, and the memory follows FSRS")
    func storesOnce() async throws {
        let fixture = try await FlashcardsFixture()
        let (_, cards) = try await fixture.shared()
        let review = fixture.newId()
        for _ in 0..<3 {
            let stored = try await fixture.rate(cards[0], .good, review, as: fixture.mia)
            #expect(stored.isStored)
        }
        let memory = try #require(try await fixture.memory(of: cards[0], fixture.mia))
        #expect(memory == FSRS().reviewed(nil, .good, at: fixture.school.clock.now))
        let count: Int? = try await fixture.school.database.read {
            try $0.value("SELECT COUNT(*) FROM flashcards_reviews")
        }
        #expect(count == 1)
        #expect(try await fixture.memory(of: cards[0], fixture.noah) == nil)
    }

    @Test(
        "a week of ratings on two devices without a network gives the same memories in every order of arrival",
        arguments: 0..<8)
    func merges(_ seed: Int) async throws {
        let fixture = try await FlashcardsFixture()
        let (_, cards) = try await fixture.shared(cards: 3)
        let start = fixture.school.clock.now
        // Device A studies in the morning, device B in the evening; each makes ids of its own.
        var reviews: [(card: Flashcard, rating: CardRating, id: UUID, at: Date)] = []
        for day in 0..<7 {
            for (place, card) in cards.enumerated() {
                for hour in [8.0, 20] {
                    let rating = CardRating(rawValue: (day * 3 + place * 2 + Int(hour)) % 4 + 1) ?? .good
                    reviews.append(
                        (card, rating, fixture.newId(), start + Double(day) * Self.day + hour * 3600))
                }
            }
        }
        fixture.school.clock.advance(by: 8 * Self.day)
        var random = SeededGenerator(seed: UInt64(seed))
        let arrival = seed == 0 ? reviews : reviews.shuffled(using: &random)
        for one in arrival { try await fixture.rate(one.card, one.rating, one.id, at: one.at, as: fixture.mia) }
        // Both send some of them again.
        for one in arrival.prefix(5) {
            try await fixture.rate(one.card, one.rating, one.id, at: one.at, as: fixture.mia)
        }
        for card in cards {
            let expected = FSRS().replayed(
                reviews.filter { $0.card.id == card.id }.map { (rating: $0.rating, at: $0.at) })
            #expect(try await fixture.memory(of: card, fixture.mia) == expected)
        }
    }

    @Test("an undo takes back a rating that was sent, and one that arrives after it")
    func undo() async throws {
        let fixture = try await FlashcardsFixture()
        let card = try await fixture.shared().cards[0]
        let (first, second, late) = (fixture.newId(), fixture.newId(), fixture.newId())
        try await fixture.rate(card, .good, first, as: fixture.mia)
        let before = try await fixture.memory(of: card, fixture.mia)
        fixture.school.clock.advance(by: 600)
        try await fixture.rate(card, .again, second, as: fixture.mia)
        #expect(try await fixture.memory(of: card, fixture.mia) != before)
        try await fixture.undo(card, second, as: fixture.mia)
        #expect(try await fixture.memory(of: card, fixture.mia) == before)
        // The network gave the requests another order, and one came twice.
        try await fixture.undo(card, late, as: fixture.mia)
        try await fixture.rate(card, .again, late, as: fixture.mia)
        try await fixture.rate(card, .again, second, as: fixture.mia)
        #expect(try await fixture.memory(of: card, fixture.mia) == before)
        try await fixture.undo(card, first, as: fixture.mia)
        #expect(try await fixture.memory(of: card, fixture.mia) == nil)
    }

    @Test("nobody undoes the rating of another person")
    func foreignUndo() async throws {
        let fixture = try await FlashcardsFixture()
        let card = try await fixture.shared().cards[0]
        let review = fixture.newId()
        try await fixture.rate(card, .good, review, as: fixture.mia)
        try await fixture.undo(card, review, as: fixture.noah)
        #expect(try await fixture.memory(of: card, fixture.mia) != nil)
        // The same id on another person's device is another review.
        try await fixture.rate(card, .easy, review, as: fixture.noah)
        #expect(try await fixture.memory(of: card, fixture.noah) == nil)
    }

    @Test("a device whose clock is ahead or years behind is bounded, and the answer has the stored time")
    func clocks() async throws {
        let fixture = try await FlashcardsFixture()
        let (_, cards) = try await fixture.shared()
        let now = fixture.school.clock.now
        let ahead = try await fixture.rate(
            cards[0], .good, fixture.newId(), at: now + 90 * Self.day, as: fixture.mia)
        #expect(ahead.reviewedAt == now)
        let behind = try await fixture.rate(
            cards[1], .good, fixture.newId(), at: now - 5000 * Self.day, as: fixture.mia)
        #expect(behind.reviewedAt == now - 366 * Self.day)
    }

    @Test("ratings of a deleted card or set, or of a set of others, are answered and not stored")
    func gone() async throws {
        let fixture = try await FlashcardsFixture()
        let (set, cards) = try await fixture.shared()
        try await fixture.rate(cards[0], .good, fixture.newId(), as: fixture.mia)
        #expect(try await !fixture.rate(cards[0], .good, fixture.newId(), as: fixture.stranger).isStored)
        try await fixture.school.execute(DeleteCard.self, ["cardId": .id(cards[0].id)], as: fixture.teacher)
        #expect(try await !fixture.rate(cards[0], .good, fixture.newId(), as: fixture.mia).isStored)
        try await fixture.school.execute(DeleteSet.self, ["setId": .id(set.id)], as: fixture.teacher)
        #expect(try await !fixture.rate(cards[1], .good, fixture.newId(), as: fixture.mia).isStored)
        let rows: Int? = try await fixture.school.database.read {
            try $0.value(
                """
                SELECT (SELECT COUNT(*) FROM flashcards_reviews) + (SELECT COUNT(*) FROM flashcards_states)
                    + (SELECT COUNT(*) FROM flashcards_learners) + (SELECT COUNT(*) FROM flashcards_cards)
                """)
        }
        #expect(rows == 0)
    }

    @Test("ratings that were given before a set was taken out of the course are stored for when it comes back")
    func unshared() async throws {
        let fixture = try await FlashcardsFixture()
        let (set, cards) = try await fixture.shared()
        try await fixture.rate(cards[0], .good, fixture.newId(), as: fixture.mia)
        try await fixture.school.execute(
            UpdateSet.self, ["setId": .id(set.id), "title": .text(set.title)], as: fixture.teacher)
        #expect(try await fixture.rate(cards[1], .good, fixture.newId(), as: fixture.mia).isStored)
        #expect(try await !fixture.page("/flashcards", as: fixture.mia).contains("Au marché"))
        let refused = try await problem {
            _ = try await fixture.page("/flashcards/sets/\(set.id.text)", as: fixture.mia)
        }
        #expect(refused == .notFound)
        try await fixture.school.execute(
            UpdateSet.self,
            ["setId": .id(set.id), "title": .text(set.title), "courseIds": .ids([fixture.course.id])],
            as: fixture.teacher)
        #expect(try await fixture.memory(of: cards[1], fixture.mia) != nil)
        #expect(try await fixture.page("/flashcards", as: fixture.mia).contains("Au marché"))
    }

    @Test("ratings leave no entry in the change log")
    func silent() async throws {
        let fixture = try await FlashcardsFixture()
        let card = try await fixture.shared().cards[0]
        let before = try await fixture.school.changes().count
        let review = fixture.newId()
        try await fixture.rate(card, .good, review, as: fixture.mia)
        try await fixture.undo(card, review, as: fixture.mia)
        #expect(try await fixture.school.changes().count == before)
    }

    @Test("home and the list of sets show the cards for today, at most twenty new ones a day")
    func today() async throws {
        let fixture = try await FlashcardsFixture()
        let (_, cards) = try await fixture.shared(cards: 25)
        #expect(try await fixture.page("/flashcards", as: fixture.mia).contains("Shared with me"))
        try await fixture.rate(cards[0], .easy, fixture.newId(), as: fixture.mia)
        let page = try await fixture.page("/flashcards", as: fixture.mia)
        // One was begun today; it is known and due in eight days.
        #expect(page.contains("19 cards today") && page.contains("1 set, about 7 min"))
        #expect(page.contains("1 day in a row"))
        let home = try await fixture.school.environment.sections(about: .home, as: fixture.mia)
        #expect(home.outline.description.contains("19 cards today"))
        fixture.school.clock.advance(by: 9 * Self.day)
        #expect(try await fixture.page("/flashcards", as: fixture.mia).contains("21 cards today"))
    }

    @Test("the page of study holds the cards of the next days, with their memories and the languages")
    func properties() async throws {
        let fixture = try await FlashcardsFixture()
        let (set, cards) = try await fixture.shared(cards: 3)
        try await fixture.rate(cards[0], .easy, fixture.newId(), as: fixture.mia)
        try await fixture.rate(cards[1], .good, fixture.newId(), as: fixture.mia)
        fixture.school.clock.advance(by: 2 * Self.day)
        let screen = try await fixture.school.environment.page(SetPath.study(set.id), as: fixture.mia)
        let island = try #require(
            screen.components.compactMap { component -> PTIsland? in
                if case .island(let island) = component { island } else { nil }
            }.first)
        let found = try JSONDecoder().decode(Properties.self, from: Data(island.properties.utf8))
        #expect(found.cards.map(\.id) == [cards[1], cards[0], cards[2]].map(\.id.text))
        #expect(found.cards.map { $0.memory?.phase } == ["learning", "review", nil])
        #expect(found.sets[set.id.text]?.frontName == "French")
        #expect(found.begun == 0 && found.newPerDay == 20)
        #expect(found.sets[set.id.text]?.mayEdit == false)
    }

    private struct Properties: Decodable {
        struct Card: Decodable {
            struct Memory: Decodable { let phase: String }
            let id: String
            let memory: Memory?
        }
        struct Source: Decodable {
            let frontName: String?
            let mayEdit: Bool
        }
        let cards: [Card]
        let sets: [String: Source]
        let begun: Int
        let newPerDay: Int
    }

    @Test("the statements of study use indexes")
    func plans() async throws {
        let fixture = try await FlashcardsFixture()
        let (set, cards) = try await fixture.shared()
        let person = FlashcardsFixture.id(fixture.mia)
        try await fixture.school.expectIndexed(ReviewRepository.reviews(of: cards[0].id, by: person))
        try await fixture.school.expectIndexed(
            ReviewRepository.counts(of: [set.id], by: person, dueBefore: fixture.school.clock.now))
        try await fixture.school.expectIndexed(CardRepository.page(of: set.id, after: 0, limit: 100))
    }
}
