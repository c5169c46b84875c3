import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@Suite("Locks after wrong tries in a row")
struct LockOutTests {
    let start = Date(timeIntervalSince1970: 1_793_631_600)

    @Test(
        "the lock doubles from half a minute up to an hour", .requirement("TQ-2.07"),
        arguments: [
            (0, 0), (4, 0), (5, 30), (6, 60), (7, 120), (8, 240), (9, 480), (10, 960), (11, 1920), (12, 3600),
            (13, 3600), (1_000_000, 3600),
        ])
    func grows(_ failures: Int, _ seconds: Int) {
        #expect(LockOut().duration(after: failures) == TimeInterval(seconds))
    }

    @Test("a locked secret is refused with the remaining seconds, and the try is not counted")
    func refuses() throws {
        let rule = LockOut()
        var state: LockOut.State?
        for _ in 0..<5 { state = try rule.take(state, at: start) }
        #expect(rule.lockedUntil(state, at: start) == start.addingTimeInterval(30))
        let refusal = #expect(throws: Problem.self) { try rule.take(state, at: start.addingTimeInterval(10.5)) }
        #expect(refusal == .tooManyTries(20))
        let later = start.addingTimeInterval(30)
        #expect(rule.lockedUntil(state, at: later) == nil)
        state = try rule.take(state, at: later)
        #expect(state == LockOut.State(failures: 6, lastTry: later))
        #expect(rule.lockedUntil(state, at: later) == later.addingTimeInterval(60))
    }

    @Test("a try whose time was rounded into the future locks nothing by itself")
    func rounded() throws {
        let ahead = LockOut.State(failures: 4, lastTry: start.addingTimeInterval(0.0004))
        #expect(LockOut().lockedUntil(ahead, at: start) == nil)
        #expect(try LockOut().take(ahead, at: start).failures == 5)
    }

    @Test(
        "a lock never lasts longer than its own duration, however far the clock is set back",
        arguments: [1, 30, 3600, 86_400, 400 * 86_400] as [TimeInterval])
    func clockSetBack(_ step: TimeInterval) throws {
        let rule = LockOut()
        for failures in [5, 8, 40] {
            let state = LockOut.State(failures: failures, lastTry: start)
            let now = start.addingTimeInterval(-step)
            let end = try #require(rule.lockedUntil(state, at: now))
            #expect(end == now.addingTimeInterval(rule.duration(after: failures)))
            // The stored state unlocks by the clock that was set back.
            let stored = rule.onClock(state, at: now)
            #expect(rule.lockedUntil(stored, at: end) == nil)
            #expect(stored?.failures == failures, "nothing is forgiven")
        }
    }

    @Test("a day without a try resets the count")
    func resets() throws {
        let rule = LockOut()
        let state = LockOut.State(failures: 40, lastTry: start)
        #expect(try rule.take(state, at: start.addingTimeInterval(86_399)).failures == 41)
        #expect(try rule.take(state, at: start.addingTimeInterval(86_400)).failures == 1)
    }
}
