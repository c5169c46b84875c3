import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

/// The search index of the whole server, into which all blocks write.
@Suite("The content of search")
struct SearchContentTests {
    /// Returns the results for a word in one category.
    private func find(
        _ word: String, in category: String, _ tower: Tower, as person: Tower.Person
    ) async throws -> [[String: Any]] {
        let escaped = word.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try await tower.get("/api/v1/search?q=\(escaped)&category=\(category)", as: person.bearer)
        return try answer.json().list("items").compactMap { $0 as? [String: Any] }
    }

    @Test(
        "courses, assignments, messages, people and lessons are categories, each with its content",
        .requirement("WW-14.04.c"),
        arguments: [
            ("courses", "Algebra"), ("assignments", "Reading log"), ("messages", "take the walk"),
            ("people", "Bea"),
            ("lessons", "Fractions"),
        ])
    func categories(category: String, word: String) async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let found = try await find(word, in: category, tower, as: sample.founder)
            #expect(found.count == 1)
            #expect(found.first?["category"] as? String == category)
        }
    }

    @Test(
        "a course, an assignment and a quiz are found under the identifiers that links open",
        .requirement("WW-1.14.d"))
    func identifiers() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            for (category, word, identifier, path) in [
                ("courses", "Algebra", "course:\(sample.courseId)", "/courses/\(sample.courseId)"),
                (
                    "assignments", "Reading log", "assignment:\(sample.assignmentId)",
                    "/assignments/\(sample.assignmentId)"
                ),
                ("quizzes", "Fractions", "quiz:\(sample.quizId)", "/quizzes/\(sample.quizId)"),
            ] {
                let found = try await find(word, in: category, tower, as: sample.founder)
                #expect(found.map { ($0["identifier"] as? String)?.lowercased() } == [identifier.lowercased()])
                let escaped = identifier.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let opened = try await tower.page("/open?link=\(escaped)", as: sample.founder.browser)
                #expect(opened.headers[.location]?.lowercased() == path.lowercased(), "\(identifier)")
            }
        }
    }
}
