import Domain
import FeatureKit
import Foundation

/// The flashcards of the sample school's older students.
extension DemoSchool {
    private static let shapes = """
        equilateral triangle	three equal sides
        isosceles triangle	two equal sides
        scalene triangle	no equal sides
        rhombus	four equal sides
        trapezoid	one pair of parallel sides
        diameter	a line through the center of a circle
        radius	half of the diameter
        chord	a line between two points of a circle
        tangent	a line that touches a circle at one point
        arc	a part of the edge of a circle
        sector	a part of a circle between two radii
        hexagon	a polygon with six sides
        """
    private static let traces = """
        le renard	the fox
        le lièvre	the hare
        la belette	the weasel
        le chevreuil	the roe deer
        la mésange	the tit
        le pic	the woodpecker
        """
    private static let market = """
        le marché	the market
        le pain	the bread
        la pomme	the apple
        le fromage	the cheese
        la monnaie	the change
        combien	how much
        une livre	a pound
        le panier	the basket
        """

    /// Adds a set that the teacher shares in a course, and in the first course a set of the student's own with a week of
    /// reviews.
    func flashcards(
        of student: Caller, in courseId: String, isGeometry: Bool, as teacher: Caller, _ diary: inout DemoDiary
    ) async throws {
        let shared = try await cards(
            isGeometry ? "Parts of a circle" : "Animals of the forest", isGeometry ? Self.shapes : Self.traces,
            languages: isGeometry ? ("en", "en") : ("fr", "en"), in: [courseId], as: teacher)
        guard isGeometry else { return }
        let own = try await cards("Au marché", Self.market, languages: ("fr", "en"), in: [], as: student)
        // The first cards are known, the last ones were hard.
        for (daysAgo, count, offset) in [(6, 5, 0), (5, 8, 0), (4, 6, 2), (2, 9, 0), (1, 10, 1)] {
            let cards = Array((own + shared.prefix(6)).dropFirst(offset).prefix(count))
            diary.add(diary.today.adding(days: -daysAgo), 17, 50) {
                for (place, card) in cards.enumerated() {
                    let rating = place % 5 == 4 ? 1 : place % 3 == 2 ? 4 : 3
                    try await review(card, rating, as: student)
                }
            }
        }
    }

    /// Makes a set and returns the ids of its cards.
    private func cards(
        _ title: String, _ lines: String, languages: (String, String), in courseIds: [String], as caller: Caller
    ) async throws -> [String] {
        let set = Self.text(
            "id",
            of: try await run(
                "flashcards.create",
                [
                    "title": .text(title), "frontLanguage": .text(languages.0), "backLanguage": .text(languages.1),
                    "courseIds": .list(courseIds.map { .text($0) }),
                ], as: caller))
        var ids: [String] = []
        for line in lines.split(separator: "\n") {
            let sides = line.split(separator: "\t").map(String.init)
            let card = try await run(
                "flashcards.addCard",
                ["setId": .text(set), "front": .text(sides[0]), "back": .text(sides[1])], as: caller)
            ids.append(Self.text("id", of: card))
        }
        return ids
    }

    private func review(_ card: String, _ rating: Int, as student: Caller) async throws {
        let id = UUID()
        try await run(
            "flashcards.review",
            [
                "reviewId": .text(id.text), "cardId": .text(card), "rating": .number(Double(rating)),
                "reviewedAt": .text(clock.now.formatted(Date.ISO8601FormatStyle())),
            ], as: student)
    }
}
