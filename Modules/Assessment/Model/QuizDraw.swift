public import Foundation

/// A part of a quiz whose questions are drawn from the question bank, once for each attempt.
public struct QuizDraw: Identifiable, Codable, Sendable, Hashable {
    /// The most questions that the draws of a quiz ask together.
    public static let most = 100

    public let id: UUID
    public let quizId: UUID
    /// The tag of the questions.
    public let tag: String
    /// The number of drawn questions.
    public let count: Int
    /// The points of each drawn question in hundredths; `nil` for the quiz's default.
    public let points: Int?

    public init(id: UUID, quizId: UUID, tag: String, count: Int, points: Int?) {
        self.id = id
        self.quizId = quizId
        self.tag = tag
        self.count = count
        self.points = points
    }
}

/// A question that was drawn for an attempt.
public struct DrawnQuestion: Codable, Sendable, Hashable {
    /// The id of the question, which is that of the question of the bank.
    public let id: UUID
    /// The points of the question in the attempt, in hundredths.
    public let points: Int

    public init(id: UUID, points: Int) {
        self.id = id
        self.points = points
    }
}

/// The random choice of questions.
public enum QuestionDrawing {
    /// Fills places with questions, so that no question is in two of them and as many as possible are filled.
    ///
    /// If all places have the same candidates, each selection is equally likely. Otherwise a place gives up its question
    /// for one that has no other (augmenting paths of a bipartite matching).
    /// - Parameter places: the candidates of each place.
    /// - Returns: the question of each place; `nil` for a place that stays empty.
    public static func draw(
        _ places: [[UUID]], using generator: inout some RandomNumberGenerator
    ) -> [UUID?] {
        let orders = places.map { $0.shuffled(using: &generator) }
        var taken: [UUID: Int] = [:]
        func fill(_ place: Int, _ seen: inout Set<UUID>) -> Bool {
            for candidate in orders[place] where seen.insert(candidate).inserted {
                if let other = taken[candidate], !fill(other, &seen) { continue }
                taken[candidate] = place
                return true
            }
            return false
        }
        for place in places.indices {
            var seen: Set<UUID> = []
            _ = fill(place, &seen)
        }
        var drawn = [UUID?](repeating: nil, count: places.count)
        for (question, place) in taken { drawn[place] = question }
        return drawn
    }
}
