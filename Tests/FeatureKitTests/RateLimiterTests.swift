import Domain
import Foundation
import TestKit
import Testing

@testable import FeatureKit

@Suite("Limits on tries")
struct RateLimiterTests {
    let start = Date(timeIntervalSince1970: 1000)

    @Test("a key is refused after too many failures, with the seconds to wait, and other keys are not")
    func locks() throws {
        let limiter = RateLimiter(limit: 3, period: 60)
        for second in 0..<3 { try limiter.take(["ip", "ana"], at: start.addingTimeInterval(Double(second))) }
        let problem = #expect(throws: Problem.self) {
            try limiter.take(["ana"], at: start.addingTimeInterval(20.5))
        }
        #expect(problem == .tooManyTries(40))
        #expect(throws: Problem.self) { try limiter.take(["bo", "ip"], at: start.addingTimeInterval(59)) }
        // The refused tries were not counted.
        for _ in 0..<3 { try limiter.take(["bo"], at: start.addingTimeInterval(59)) }
        try limiter.take(["ana", "ip"], at: start.addingTimeInterval(60))
    }

    @Test("failures can be cleared, a success can be uncounted, and the count starts again after the period")
    func clears() throws {
        let limiter = RateLimiter(limit: 2, period: 60)
        try limiter.take(["ana"], at: start)
        try limiter.take(["ana"], at: start)
        limiter.giveBack(["ana"])
        try limiter.take(["ana"], at: start)
        #expect(throws: Problem.self, "the first failure still counts") { try limiter.take(["ana"], at: start) }
        limiter.forgive(["ana"])
        for _ in 0..<2 { try limiter.take(["ana"], at: start) }
        #expect(throws: Problem.self) { try limiter.take(["ana"], at: start.addingTimeInterval(59)) }
        try limiter.take(["ana"], at: start.addingTimeInterval(61))
    }

    @Test("a refusal never lasts longer than the period, however far the clock is set back")
    func clockSetBack() throws {
        let limiter = RateLimiter(limit: 1, period: 60)
        let later = start.addingTimeInterval(86_400)
        try limiter.take(["ana"], at: later)
        let refusal = #expect(throws: Problem.self) { try limiter.take(["ana"], at: start) }
        #expect(refusal == .tooManyTries(60))
        try limiter.take(["ana"], at: start.addingTimeInterval(60))
    }

    @Test("simultaneous tries are all counted")
    func atOnce() async {
        let limiter = RateLimiter(limit: 5, period: 60)
        let admitted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { [start] in
                    do {
                        try limiter.take(["ana"], at: start)
                        return true
                    } catch { return false }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(admitted == 5)
    }
}
