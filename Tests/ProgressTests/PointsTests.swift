import TestKit
import Testing

@testable import Progress

@Suite("Points and ranking")
struct PointsTests {
    @Test(
        "a lesson is worth 10 points and a graded piece of work 20, regardless of its score",
        .requirement("WW-0.12.a"))
    func counts() {
        #expect(Points(lessons: 3, work: 2).total == 70)
        #expect(Points(lessons: 0, work: 0).total == 0)
    }

    @Test(
        "levels begin at 0, 100, 300 and 600 points, and the distance to the next level is shown",
        .requirement("WW-0.12.a"),
        arguments: [
            (0, 1, 100), (90, 1, 10), (100, 2, 200), (290, 2, 10), (300, 3, 300), (600, 4, 400), (990, 4, 10),
            (1000, 5, 500),
        ])
    func levels(_ total: Int, _ level: Int, _ missing: Int) {
        let points = Points(total: total)
        #expect(points.level == level)
        #expect(points.missing == missing)
    }

    @Test("more points never lower the level")
    func grows() {
        for total in stride(from: 0, through: 20_000, by: 10) {
            let points = Points(total: total)
            #expect(points.level <= Points(total: total + 10).level)
            #expect(points.missing > 0)
        }
    }

    @Test("students with equal points share a place, and students without points have none")
    func ties() {
        let ranking = Ranking(["a": 50, "b": 30, "c": 30, "d": 10, "e": 0])
        let places = ranking.entries.reduce(into: [:]) { $0[$1.id] = $1.place }
        #expect(places == ["a": 1, "b": 2, "c": 2, "d": 4])
    }
}
