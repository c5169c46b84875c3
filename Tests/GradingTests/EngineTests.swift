import Domain
import Foundation
import GradingInterface
import TestKit
import Testing

@testable import Grading

@Suite("The arithmetic of grades")
struct EngineTests {
    private let service = GradeCalculationService()

    @Test("a new course has the ledger's weights, which sum to 100 %", .requirement("WW-6.01.a"))
    func standardWeights() {
        #expect(GradeCategory.allCases.map { GradeWeights.standard[$0] } == [40, 30, 10, 10, 10])
        #expect(GradeWeights.standard.fault == nil)
    }

    @Test("weights that do not sum to 100 % are refused with their sum, and negative ones are out of range")
    func weightFaults() {
        var weights = GradeWeights.standard
        weights.final = 15
        #expect(weights.fault == .sum(percent: 105))
        weights.final = -1
        #expect(weights.fault == .outOfRange)
    }

    @Test(
        "categories without scores are left out, and the weights of the others are renormalized",
        .requirement("WW-6.02.a", "WW-6.02.b"))
    func renormalizes() throws {
        let grade = try #require(
            service.calculateCourseGrade(
                grades: [mark(.assignments, 8, of: 10), mark(.quizzes, 6, of: 10)], weights: .standard))
        // (0.4 x 80 + 0.3 x 60) / 0.7 = 71.428571...
        #expect(grade.percentage.units == 71_42857_14285_71428_57143)
        #expect(grade.shown == 71 && grade.letter == .cMinus && grade.color == .yellow)
        #expect(service.calculateCourseGrade(grades: [], weights: .standard) == nil)
    }

    @Test("each category adds its percentage times its weight, and rounding is listed by itself")
    func addsUp() throws {
        let grade = try #require(
            service.calculateCourseGrade(
                grades: [mark(.assignments, 4, of: 7), mark(.quizzes, 0, of: 10)],
                weights: GradeWeights(assignments: 70, quizzes: 30, participation: 0, midterm: 0, final: 0)))
        #expect(grade.shown == 40)
        #expect(grade.shares.map(\.category) == [.assignments, .quizzes])
        #expect(grade.shares.map { $0.percentage.rounded(places: 2, .halfUp).text() } == ["57.14", "0"])
        #expect(grade.shares.map { $0.shownAddition.text() } == ["40", "0"])
        #expect(grade.rounding == .zero)
        let other = try #require(
            service.calculateCourseGrade(
                grades: [mark(.assignments, 5, of: 7), mark(.quizzes, 1, of: 3)],
                weights: GradeWeights(assignments: 70, quizzes: 30, participation: 0, midterm: 0, final: 0)))
        #expect(other.shares.map { $0.shownAddition.text() } == ["50", "10"])
        let third = try #require(
            service.calculateCourseGrade(
                grades: [mark(.assignments, 2, of: 3), mark(.quizzes, 0, of: 10)], weights: .standard))
        // 0.4 / 0.7 x 66.666... = 38.095..., shown as 38.
        #expect(third.shares.map { $0.shownAddition.text() } == ["38.1", "0"])
        #expect(third.rounding.text() == "-0.1" && third.shown == 38)
    }

    @Test("a grade is rounded once by the school's rule: 89.5 is 90 and an A-, 89.45 is 89")
    func roundsOnce() throws {
        func shown(_ points: String, _ rule: RoundingRule = .standard) throws -> Hundredths {
            let scale = GradingScale(cutOffs: GradingScale.standard.cutOffs, rounding: rule)
            let points = try ScoreText.number(points)
            return try #require(
                GradeCalculationService(scale: scale).calculateCourseGrade(
                    grades: [GradeEntry(category: .final, points: points, maximum: 100)], weights: .standard)
            ).shown
        }
        #expect(try shown("89.5") == 90)
        #expect(try shown("89.45") == 89)
        #expect(try shown("90.5", RoundingRule(places: 0, mode: .halfEven)) == 90)
        #expect(try shown("89.99", RoundingRule(places: 0, mode: .down)) == 89)
        #expect(service.letterGrade(from: 90) == .aMinus)
    }

    @Test("letters and colors begin exactly at their cut-offs", .requirement("WW-6.04.c"))
    func cutOffs() {
        let hundredth = Hundredths(count: 1)
        for (index, (letter, cutOff)) in zip(LetterGrade.reached, GradingScale.standard.cutOffs).enumerated() {
            #expect(service.letterGrade(from: cutOff) == letter)
            #expect(service.letterGrade(from: cutOff - hundredth) == LetterGrade.allCases[index + 1])
        }
        #expect(
            [80, Hundredths(count: 7999), 70, 60, Hundredths(count: 5999)].map { service.gradeColor(from: $0) } == [
                .green, .yellow, .yellow, .orange, .red,
            ])
    }

    @Test("a percentage of exactly the cut-off gets its letter, for each whole percentage")
    func wholeCutOffs() throws {
        for percent in 1...100 {
            let cutOffs = LetterGrade.reached.indices.map { Hundredths(count: (percent - $0) * 100) }
            let service = GradeCalculationService(scale: GradingScale(cutOffs: cutOffs, rounding: .standard))
            let letters = try [percent, percent - 1].map { points in
                try #require(
                    service.calculateCourseGrade(
                        grades: [
                            GradeEntry(category: .final, points: Hundredths(count: points * 100), maximum: 100)
                        ],
                        weights: .standard)
                ).letter
            }
            #expect(letters == [.aPlus, .a], "\(percent)")
        }
    }

    @Test(
        "the grade point average is calculated without weights and by credits",
        .requirement("WW-6.03.a", "WW-6.03.b", "WW-6.03.c"))
    func average() throws {
        let average = try #require(
            service.calculateGPA(courseGrades: [(.aPlus, 100), (.bMinus, 300), (.f, 0)]))
        // (4 + 2.7 + 0) / 3; (4 x 1 + 2.7 x 3) / 4
        #expect(average.unweighted == Hundredths("2.23"))
        #expect(average.creditWeighted == Hundredths("3.03"))
        #expect(service.calculateGPA(courseGrades: [(.a, 0)])?.creditWeighted == nil)
        #expect(service.calculateGPA(courseGrades: []) == nil)
        #expect(
            LetterGrade.allCases.map { "\($0.gradePoints)" } == [
                "4", "4", "3.7", "3.3", "3", "2.7", "2.3", "2", "1.7", "1.3", "1", "0.7", "0",
            ])
    }

    @Test(
        "the trend follows from the last five scores only",
        .requirement("WW-6.08.a"),
        arguments: [
            ([50, 60], .rising), ([60, 50], .falling), ([70, 70, 70], .steady), ([70], nil),
            ([0, 0, 0, 90, 80, 70, 60, 50], .falling), ([99, 10, 20, 30, 40, 50], .rising),
        ] as [([Int], GradeTrend?)])
    func trend(scores: [Int], trend: GradeTrend?) {
        #expect(GradeTrend(scores.map { Quotient($0) }) == trend)
    }

    @Test("a typed score is read with its state, and an invalid one is refused")
    func readsScores() throws {
        func read(_ text: String, extra: Bool = false) throws(ScoreText.Fault) -> ScoreText? {
            try ScoreText.read(text, maximum: 10, isExtraCredit: extra)
        }
        #expect(try read("8,5") == ScoreText(points: Hundredths(count: 850), state: .graded))
        #expect(try read(" 7 L ") == ScoreText(points: 7, state: .late))
        #expect(try read("ex") == ScoreText(points: nil, state: .excused))
        #expect(try read("M") == ScoreText(points: nil, state: .missing))
        #expect(try read("  ") == nil)
        #expect(try read("10\u{3000}") == ScoreText(points: 10, state: .graded))
        #expect(try read("12", extra: true)?.points == 12)
        for (text, fault) in [
            ("-1", .negative), ("10.01", .aboveMaximum), ("8.125", .tooFine), ("abc", .unreadable),
            ("1e3", .unreadable), ("1.2.3", .unreadable), ("٣", .unreadable), (".5", .unreadable),
            ("99999999999", .unreadable), ("NaN", .unreadable), ("１０", .unreadable), ("1O", .unreadable),
        ] as [(String, ScoreText.Fault)] {
            #expect(throws: fault, "\(text)") { try read(text) }
        }
    }

    @Test("a number with at most two decimal places is read and written exactly, and any other text is refused")
    func hundredths() {
        for text in ["0", "8.5", "8.05", "20", "999999999.99"] { #expect(Hundredths(text)?.text() == text) }
        #expect(Hundredths("8.50")?.text() == "8.5")
        #expect(Hundredths(3).text(places: 2) == "3.00" && Hundredths(count: -5).text() == "-0.05")
        for text in ["", ".", "8.", ".5", "8.125", "-1", "1e3", "٣", "1234567890", "1.2.3", "8,5"] {
            #expect(Hundredths(text) == nil, "\(text)")
        }
    }

    @Test("a grade of very many large scores does not overflow")
    func largest() throws {
        let entries = GradeCategory.allCases.map {
            GradeEntry(category: $0, points: Hundredths(count: 1_000_000_000_000), maximum: Hundredths(count: 1))
        }
        let grade = try #require(service.calculateCourseGrade(grades: entries, weights: .standard))
        #expect(grade.shown == Hundredths(100_000_000_000_000))
    }

    private func mark(_ category: GradeCategory, _ points: Hundredths, of maximum: Hundredths) -> GradeEntry {
        GradeEntry(category: category, points: points, maximum: maximum)
    }
}
