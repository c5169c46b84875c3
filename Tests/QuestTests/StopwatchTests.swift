import Foundation
import QuestModel
import TestKit
import Testing

/// The stopwatch of native apps, with the cases of the island's (`Fixtures/stage.mjs`).
@Suite("The stopwatch of an app")
struct StopwatchTests {
    private static let launch = UUID()
    private static let restart = UUID()
    private static let begin = Stopwatch.Moment(wall: 1000, steady: 0.5, launch: launch)

    private static func later(_ wall: Double, _ steady: Double, _ launch: UUID = launch) -> Stopwatch.Moment {
        Stopwatch.Moment(wall: 1000 + wall, steady: 0.5 + steady, launch: launch)
    }

    private static func after(_ moments: Stopwatch.Moment...) -> Stopwatch {
        moments.reduce(into: Stopwatch(at: begin)) { $0.read($1) }
    }

    @Test("the time is right while both clocks run, also if they differ a little")
    func agree() {
        #expect(Self.after(Self.later(1, 1), Self.later(90, 90)).spent == 90)
        #expect(Self.after(Self.later(90.4, 90)).spent == 90)
    }

    @Test("the time of a sleeping device counts, and beyond ten minutes the child is asked")
    func sleep() {
        let short = Self.after(Self.later(240, 4))
        #expect(short.spent == 240 && short.doubt == nil)
        #expect(Self.after(Self.later(1500, 4)).doubt == .long)
    }

    @Test("a clock that is set back during the task changes nothing")
    func setBack() {
        #expect(Self.after(Self.later(30, 30), Self.later(-3600, 40)).spent == 40)
        #expect(Self.after(Self.later(-3600, 40)).doubt == nil)
    }

    @Test("an app that was closed in the middle goes on by the wall clock")
    func restart() {
        let again = Self.after(Self.later(30, 30), Stopwatch.Moment(wall: 1045, steady: 0.02, launch: Self.restart))
        #expect(again.spent == 45 && again.doubt == nil)
        // A device that started again counts from 0 in the same launch of the app.
        let anew = Self.after(Self.later(30, 30), Stopwatch.Moment(wall: 1040, steady: 0, launch: Self.launch))
        #expect(anew.spent == 40)
    }

    @Test("a clock that is set back while the app is closed leads to a question, and never to less time")
    func both() {
        let both = Self.after(Self.later(30, 30), Stopwatch.Moment(wall: 400, steady: 0.02, launch: Self.restart))
        #expect(both.spent == 30 && both.doubt == .clock)
    }

    @Test("a pause counts for nothing")
    func pause() {
        var watch = Self.after(Self.later(10, 10))
        watch.resume(at: Self.later(300, 300))
        watch.read(Self.later(305, 305))
        #expect(watch.spent == 15)
    }

    @Test("more than an hour is asked about")
    func hour() { #expect(Self.after(Self.later(3700, 3700)).doubt == .long) }

    @Test("a reading never makes the measured time shorter, whatever times the clocks show")
    func forwards() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var watch = Stopwatch(at: Self.begin)
            for _ in 0..<20 {
                let before = watch.spent
                watch.read(
                    Stopwatch.Moment(
                        wall: 1000 + .random(in: -50_000...50_000, using: &random),
                        steady: .random(in: 0...10_000, using: &random),
                        launch: Int.random(in: 0..<5, using: &random) == 0 ? Self.restart : Self.launch))
                #expect(watch.spent >= before && watch.spent.isFinite)
            }
        }
    }
}
