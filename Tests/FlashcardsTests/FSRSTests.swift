import Domain
import FlashcardsModel
import Foundation
import TestKit
import Testing

/// The values are those of py-fsrs 6.3.2 (`Scheduler(enable_fuzzing=False)`, PyPI package fsrs), which implements FSRS-6;
/// the memory after six reviews, 53.62691 and 6.3574867, is also the one in the tests of fsrs-rs.
@Suite("FSRS")
struct FSRSTests {
    private static let start = Date(timeIntervalSince1970: 1_669_725_000)  // 2022-11-29 12:30 UTC
    private static let day: TimeInterval = 86_400
    private let fsrs = FSRS()

    /// Reviews a new card, each time after a wait in seconds.
    private func history(_ reviews: [(Int, TimeInterval)]) -> [CardMemory] {
        var (memory, time): (CardMemory?, Date) = (nil, Self.start)
        return reviews.compactMap { grade, wait in
            time += wait
            memory = CardRating(rawValue: grade).map { fsrs.reviewed(memory, $0, at: time) }
            return memory
        }
    }

    private func expect(
        _ memory: CardMemory, _ phase: CardMemory.Phase, _ step: Int, _ stability: Double, _ difficulty: Double,
        after seconds: TimeInterval, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(memory.phase == phase, sourceLocation: sourceLocation)
        #expect(memory.step == step, sourceLocation: sourceLocation)
        #expect(abs(memory.stability - stability) < 1e-5, "\(memory.stability)", sourceLocation: sourceLocation)
        #expect(abs(memory.difficulty - difficulty) < 1e-5, "\(memory.difficulty)", sourceLocation: sourceLocation)
        #expect(memory.due.timeIntervalSince(memory.reviewedAt) == seconds, sourceLocation: sourceLocation)
    }

    @Test("there are 21 parameters, and a card without reviews has no memory")
    func parameters() {
        #expect(FSRS.defaultParameters.count == 21)
        #expect(fsrs.replayed([]) == nil)
    }

    @Test("the first rating of a card gives its stability, difficulty and first interval")
    func firstRatings() {
        let first = (1...4).map { history([($0, 0)])[0] }
        expect(first[0], .learning, 0, 0.212, 6.4133, after: 60)
        expect(first[1], .learning, 0, 1.2931, 5.112171, after: 330)
        expect(first[2], .learning, 1, 2.3065, 2.118104, after: 600)
        expect(first[3], .review, 0, 8.2956, 1, after: 8 * Self.day)
    }

    @Test("six reviews give the memory that the reference implementations publish")
    func memory() {
        let all = history([
            (1, 0), (3, 0), (3, Self.day), (3, 3 * Self.day), (3, 8 * Self.day), (3, 21 * Self.day),
        ])
        expect(all[1], .learning, 1, 0.246689, 6.402115, after: 600)
        expect(all[2], .review, 0, 2.021477, 6.390941, after: 2 * Self.day)
        expect(all[3], .review, 0, 7.863699, 6.379779, after: 8 * Self.day)
        expect(all[4], .review, 0, 21.917713, 6.368627, after: 22 * Self.day)
        expect(all[5], .review, 0, 53.626903, 6.357487, after: 54 * Self.day)
    }

    @Test("each review at its due time gives the intervals of the reference")
    func intervals() {
        var (memory, time): (CardMemory?, Date) = (nil, Self.start)
        var days: [Int] = []
        for grade in [3, 3, 3, 3, 3, 3, 1, 1, 3, 3, 3, 3, 3] {
            let next = fsrs.reviewed(memory, CardRating(rawValue: grade) ?? .again, at: time)
            days.append(Int(next.due.timeIntervalSince(time) / Self.day))
            (memory, time) = (next, next.due)
        }
        #expect(days == [0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21])
    }

    @Test("a forgotten card is learned again, and every rating moves it as in the reference")
    func forgetting() {
        let all = history([
            (3, 0), (4, 600), (2, 5 * Self.day), (1, 20 * Self.day), (2, 600), (3, 600), (4, Self.day / 2),
        ])
        expect(all[1], .review, 0, 3.946054, 1, after: 4 * Self.day)
        expect(all[2], .review, 0, 15.936678, 4.010609, after: 16 * Self.day)
        expect(all[3], .relearning, 0, 1.821925, 8.016556, after: 600)
        expect(all[4], .relearning, 0, 1.821925, 8.668526, after: 900)
        expect(all[5], .review, 0, 1.840242, 8.655086, after: 2 * Self.day)
        expect(all[6], .review, 0, 3.195494, 8.190907, after: 3 * Self.day)
    }

    @Test("ten easy ratings at one time make a card no easier than 1, and the interval stays finite")
    func bounds() {
        let last = history(Array(repeating: (4, 0), count: 10))[9]
        expect(last, .review, 0, 193.932834, 1, after: 194 * Self.day)
        let years = history(Array(repeating: (4, 3000 * Self.day), count: 60))
        #expect(years.last.map { $0.due.timeIntervalSince($0.reviewedAt) } == FSRS.longestInterval * Self.day)
        let hard = history(Array(repeating: (1, Self.day), count: 200))
        #expect(hard.allSatisfy { (1...10).contains($0.difficulty) && $0.stability >= 0.001 })
    }

    @Test("a review that is dated before the last one counts as one of the same day")
    func backwards() {
        let early = fsrs.reviewed(history([(3, 0)])[0], .good, at: Self.start - 5 * Self.day)
        #expect(early.stability.isFinite && early.stability >= 2.3065)
    }
}

@Suite("Streaks of study")
struct StudyStreakTests {
    private static let today = Day(number: 20_000)

    private func streak(_ ago: [Int]) -> Int {
        StudyStreak(of: ago.map { Self.today.adding(days: -$0) }, on: Self.today).days
    }

    @Test("a streak counts the days with study, and forgives up to two missed days in a row")
    func forgives() {
        #expect(streak([]) == 0)
        #expect(streak([0]) == 1)
        #expect(streak([0, 1, 2]) == 3)
        // Wednesday to Friday, a weekend off, Monday and today.
        #expect(streak([0, 1, 4, 5, 6]) == 5)
        #expect(streak([0, 4, 5]) == 1)
    }

    @Test("a streak waits for today, and ends after three missed days")
    func waits() {
        #expect(streak([1, 2]) == 2)
        #expect(streak([3, 4]) == 2)
        #expect(streak([4, 5]) == 0)
    }

    @Test("days may come twice, in any order, and from a device with a clock in the future")
    func order() {
        #expect(streak([2, 0, 1, 1, 0, -3]) == 3)
    }
}
