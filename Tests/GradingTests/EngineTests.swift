import Domain
import Foundation
import GradingInterface
import TestKit
import Testing

@testable import Grading

@Suite("Grading, the arithmetic")
struct EngineTests {
    private let service = GradeCalculationService()

    @Test("a course begins with the weights of the ledger, and they sum to one", .requirement("WW-6.01"))
    func standardWeights() throws {
        #expect(
            GradeCategory.allCases.map { "\(GradeWeights.standard[$0])" } == ["0.4", "0.3", "0.1", "0.1", "0.1"])
        #expect(GradeWeights.standard.fault == nil)
        let coded = try JSONDecoder().decode(GradeWeights.self, from: JSONEncoder().encode(GradeWeights.standard))
        #expect(coded == .standard)
    }

    @Test("weights that do not sum to one are refused with their sum, and negative ones at once")
    func weightFaults() {
        var weights = GradeWeights.standard
        weights.final = Decimal(15) / 100
        #expect(weights.fault == .sum(percent: 105))
        weights.final = -1
        #expect(weights.fault == .outOfRange)
    }

    @Test("categories without marks are left out and the others' weights renormalised", .requirement("WW-6.02"))
    func renormalises() throws {
        let grade = try #require(
            service.calculateCourseGrade(
                grades: [mark(.assignments, 8, of: 10), mark(.quizzes, 6, of: 10)], weights: .standard))
        // (0.4 x 80 + 0.3 x 60) / 0.7 = 71.428571...
        #expect("\(grade.percentage)".hasPrefix("71.42857142857142857142857"))
        #expect(grade.shown == 71 && grade.letter == .cMinus && grade.color == .yellow)
        #expect(service.calculateCourseGrade(grades: [], weights: .standard) == nil)
    }

    @Test("89.5 is 90 and an A-: rounded once, by the school's rule; 89.45 is not rounded twice")
    func roundsOnce() throws {
        func shown(_ points: String, _ rule: RoundingRule = .standard) throws -> Decimal {
            let scale = GradingScale(cutOffs: GradingScale.standard.cutOffs, rounding: rule)
            let points = try MarkText.number(points)
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

    @Test("letters and colours begin exactly at their cut-offs", .requirement("WW-6.04"))
    func cutOffs() {
        let hundredth = Decimal(1) / 100
        for (index, (letter, cutOff)) in zip(LetterGrade.reached, GradingScale.standard.cutOffs).enumerated() {
            #expect(service.letterGrade(from: cutOff) == letter)
            #expect(service.letterGrade(from: cutOff - hundredth) == LetterGrade.allCases[index + 1])
        }
        #expect(
            [80, Decimal(7999) / 100, 70, 60, Decimal(5999) / 100].map { service.gradeColor(from: $0) } == [
                .green, .yellow, .yellow, .orange, .red,
            ])
    }

    @Test("the average is unweighted and by credits", .requirement("WW-6.03"))
    func average() throws {
        let average = try #require(
            service.calculateGPA(courseGrades: [(.aPlus, 100), (.bMinus, 300), (.f, 0)]))
        // (4 + 2.7 + 0) / 3; (4 x 1 + 2.7 x 3) / 4
        #expect("\(average.unweighted)".hasPrefix("2.2333333333"))
        #expect(average.creditWeighted == Decimal(3025) / 1000)
        #expect(service.calculateGPA(courseGrades: [(.a, 0)])?.creditWeighted == nil)
        #expect(service.calculateGPA(courseGrades: []) == nil)
        #expect(
            LetterGrade.allCases.map { "\($0.gradePoints)" } == [
                "4", "4", "3.7", "3.3", "3", "2.7", "2.3", "2", "1.7", "1.3", "1", "0.7", "0",
            ])
    }

    @Test(
        "the trend is that of the last five marks, whatever came before",
        .requirement("WW-6.08"),
        arguments: [
            ([50, 60], .rising), ([60, 50], .falling), ([70, 70, 70], .steady), ([70], nil),
            ([0, 0, 0, 90, 80, 70, 60, 50], .falling), ([99, 10, 20, 30, 40, 50], .rising),
        ] as [([Decimal], GradeTrend?)])
    func trend(marks: [Decimal], trend: GradeTrend?) {
        #expect(GradeTrend(marks) == trend)
    }

    @Test("a cell is read as people write it, and what it cannot mean is refused")
    func readsMarks() throws {
        func read(_ text: String, extra: Bool = false) throws(MarkText.Fault) -> MarkText? {
            try MarkText.read(text, maximum: 10, isExtraCredit: extra)
        }
        #expect(try read("8,5") == MarkText(points: Decimal(85) / 10, state: .graded))
        #expect(try read(" 7 L ") == MarkText(points: 7, state: .late))
        #expect(try read("ex") == MarkText(points: nil, state: .excused))
        #expect(try read("M") == MarkText(points: nil, state: .missing))
        #expect(try read("  ") == nil)
        #expect(try read("12", extra: true)?.points == 12)
        for (text, fault) in [
            ("-1", .negative), ("10.01", .aboveMaximum), ("8.125", .tooFine), ("abc", .unreadable),
            ("1e3", .unreadable), ("1.2.3", .unreadable), ("٣", .unreadable), (".5", .unreadable),
            ("99999999999", .unreadable), ("NaN", .unreadable),
        ] as [(String, MarkText.Fault)] {
            #expect(throws: fault, "\(text)") { try read(text) }
        }
    }

    private func mark(_ category: GradeCategory, _ points: Decimal, of maximum: Decimal) -> GradeEntry {
        GradeEntry(category: category, points: points, maximum: maximum)
    }
}
