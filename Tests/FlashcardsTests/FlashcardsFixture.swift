import CoursesInterface
import CoursesTesting
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import FlashcardsModel
import Foundation
import OrganizationInterface
import OrganizationTesting
import TestKit
import Testing

@testable import Flashcards

/// The block in a school with one course, its teacher, two of its students and a student outside.
struct FlashcardsFixture: SchoolFixture {
    let school: TestSchool
    let feature: Feature
    let teacher: Caller
    let stranger: Caller
    let mia: Caller
    let noah: Caller
    let parent: Caller
    let course: Course

    init(images: any ImageShrinking = TestImages()) async throws {
        feature = try FlashcardsFeature.make(
            courses: TestCourses(), roster: TestCourses(), people: TestPeople(), images: images)
        let school = try await TestSchool(
            [TestPeople.feature(), TestCourses.feature(), feature], clock: FixedClock())
        self.school = school
        func person(_ role: Role, _ name: String) async throws -> Caller {
            try await TestPeople.add(school.makeCaller(role), name, to: school.database)
        }
        teacher = try await person(.guide, "Tea Cher")
        stranger = try await person(.student, "Olga Other")
        mia = try await person(.student, "Mia Roy")
        noah = try await person(.student, "Noah Roy")
        parent = try await person(.parent, "Pat Roy")
        course = try await TestCourses.addAlgebra(
            school.ids.id(at: school.clock.now), taughtBy: [Self.id(teacher)], to: [mia, noah].map(Self.id),
            at: school.clock.now, in: school.database)
    }

    /// Creates a set, shared in the course or private.
    func set(_ title: String = "Au marché", as person: Caller, isShared: Bool = false) async throws -> CardSet {
        try await school.execute(
            CreateSet.self,
            [
                "title": .text(title), "frontLanguage": "fr", "backLanguage": "en",
                "courseIds": .ids(isShared ? [course.id] : []),
            ], as: person)
    }

    @discardableResult
    func card(
        _ front: String = "le marché", _ back: String = "the market", in set: CardSet, as person: Caller
    ) async throws -> Flashcard {
        try await school.execute(
            AddCard.self, ["setId": .id(set.id), "front": .text(front), "back": .text(back)], as: person)
    }

    /// A set of the teacher that is shared in the course, with cards.
    func shared(cards count: Int = 2) async throws -> (set: CardSet, cards: [Flashcard]) {
        let set = try await set(as: teacher, isShared: true)
        var cards: [Flashcard] = []
        for number in 1...count {
            cards.append(try await card("mot \(number)", "word \(number)", in: set, as: teacher))
        }
        return (set, cards)
    }

    @discardableResult
    func rate(
        _ card: Flashcard, _ rating: CardRating, _ review: UUID, at instant: Date? = nil, as person: Caller
    ) async throws -> StoredReview {
        try await school.execute(
            ReviewCard.self,
            [
                "reviewId": .id(review), "cardId": .id(card.id), "rating": .number(Double(rating.rawValue)),
                "reviewedAt": .text((instant ?? school.clock.now).formatted(Self.time)),
            ], as: person)
    }

    @discardableResult
    func undo(_ card: Flashcard, _ review: UUID, as person: Caller) async throws -> StoredReview {
        try await school.execute(
            UndoReview.self, ["reviewId": .id(review), "cardId": .id(card.id)], as: person)
    }

    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The stored memory of a card.
    func memory(of card: Flashcard, _ person: Caller) async throws -> CardMemory? {
        let id = Self.id(person)
        return try await school.database.read { sql in
            try ReviewRepository.due(
                of: [card.setId], by: id, before: .distantFuture.addingTimeInterval(-1e9), limit: 1000, in: sql
            ).first { $0.cardId == card.id }?.memory
        }
    }

    func newId() -> UUID { school.ids.id(at: school.clock.now) }

    /// The outline of a page.
    func page(_ path: String, as person: Caller, query: [String: String] = [:]) async throws -> String {
        try await school.environment.outline(path, as: person, query: query).description
    }
}
