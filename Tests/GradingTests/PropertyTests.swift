import Foundation
import GradingInterface
import TestKit
import Testing

@testable import Grading

@Suite("Properties of the grade calculation")
struct PropertyTests {
    /// Makes random gradebooks from a fixed seed.
    ///
    /// - Parameter extraCredit: whether some entries are extra credit.
    private func books(_ count: Int, extraCredit: Bool = true) -> [GeneratedGradebook] {
        var random = SeededGenerator(seed: 6_02)
        return (0..<count).map { _ in GeneratedGradebook(using: &random, extraCredit: extraCredit) }
    }

    @Test("the order of the entries does not change the grade")
    func orderIsNothing() {
        var random = SeededGenerator(seed: 17)
        for book in books(500) {
            let shuffled = book.entries.shuffled(using: &random)
            #expect(book.service.calculateCourseGrade(grades: shuffled, weights: book.weights) == book.grade)
        }
    }

    @Test("a full score never lowers the grade while no category exceeds 100 %")
    func fullMarkNeverLowers() {
        for book in books(500, extraCredit: false) {
            for category in GradeCategory.allCases where book.weights[category] > 0 {
                let full = GradeEntry(category: category, points: 7, maximum: 7)
                let after = book.service.calculateCourseGrade(
                    grades: book.entries + [full], weights: book.weights)
                #expect((after?.percentage ?? Quotient(0)) >= (book.grade?.percentage ?? Quotient(0)))
            }
        }
    }

    @Test("renormalized weights sum to exactly 1")
    func weightsSumToOne() {
        for book in books(500) {
            let categories = Set(book.entries.map(\.category))
            let weights = categories.map { book.weights[$0] }.filter { $0 > 0 }
            let shares = GradeWeights.renormalized(weights)
            #expect(shares.isEmpty || shares.reduce(0) { $0 + $1.units } == Quotient(1).units)
            #expect(shares.allSatisfy { $0 > Quotient(0) })
        }
    }

    @Test("an excused or ungraded entry does not change the grade", .requirement("WW-6.02.c"))
    func excusedIsNothing() {
        for book in books(300) {
            for idle in [GradeEntry.State.excused, .graded] {
                let entry = GradeEntry(
                    category: .quizzes, points: idle == .excused ? 3 : nil, maximum: 10, state: idle)
                let grade = book.service.calculateCourseGrade(grades: book.entries + [entry], weights: book.weights)
                #expect(grade == book.grade)
            }
        }
    }

    @Test("each category adds its percentage times its weight, and rounding is separate")
    func additionsAreTrue() {
        for book in books(1000) {
            guard let grade = book.grade else { continue }
            #expect(grade.shares.reduce(.zero) { $0 + $1.shownAddition } + grade.rounding == grade.shown)
            for share in grade.shares {
                let product = Double(share.percentage.units) / 1e20 * Double(share.weight.units) / 1e20
                #expect(abs(Double(share.addition.units) / 1e20 - product) < 1e-9)
                #expect(share.percentage.units > 0 || share.addition.units == 0)
            }
            // Rounding moves the grade by at most 1 %, and each shown addition by at most a hundredth.
            #expect(grade.rounding.count.magnitude <= 100 + grade.shares.count)
            #expect(grade.shares.reduce(0) { $0 + $1.weight.units } == Quotient(1).units)
        }
    }

    @Test("sums that are updated entry by entry equal sums from scratch")
    func incrementalEqualsScratch() {
        var random = SeededGenerator(seed: 99)
        for book in books(100) {
            var entries = book.entries
            var tally = CourseTally(entries)
            for _ in 0..<40 {
                if !entries.isEmpty, Bool.random(using: &random) {
                    tally.remove(entries.remove(at: Int.random(in: 0..<entries.count, using: &random)))
                } else {
                    let entry = GeneratedGradebook.entry(extraCredit: true, using: &random)
                    entries.append(entry)
                    tally.add(entry)
                }
                #expect(tally == CourseTally(entries))
            }
        }
    }

    @Test(
        "ten thousand random gradebooks have the grades that Python's decimal module calculates",
        .requirement("WW-6.02.a", "WW-6.04.a"))
    func agreesWithPython() throws {
        let books = books(10_000)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/grades.py")
        let input = FileManager.default.temporaryDirectory.appending(path: "grades-\(UUID().uuidString).json")
        defer {
            // A leftover file in the temporary folder does no harm.
            try? FileManager.default.removeItem(at: input)
        }
        try JSONSerialization.data(withJSONObject: books.map(\.json)).write(to: input)
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", script.path]
        python.standardInput = try FileHandle(forReadingFrom: input)
        let output = Pipe()
        python.standardOutput = output
        try python.run()
        let answer = try #require(try output.fileHandleForReading.readToEnd())
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
        let lines = String(decoding: answer, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == books.count)
        for (book, line) in zip(books, lines) {
            let parts = line.split(separator: " ").map(String.init)
            guard let grade = book.grade else {
                #expect(line == "-")
                continue
            }
            #expect(parts.dropFirst() == [grade.shown.text(places: book.rounding.places), grade.letter.rawValue])
            let theirs = try #require(Int128(parts[0].replacing(".", with: "")))
            // Both values are rounded at the last place.
            #expect((theirs - 1...theirs + 1).contains(grade.percentage.units))
        }
        #expect(lines.filter { $0 != "-" }.count > 9000)
    }
}
