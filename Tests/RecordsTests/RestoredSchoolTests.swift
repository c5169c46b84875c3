import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Records

@Suite("The counts of a restore")
struct RestoredSchoolTests {
    private func counts(_ people: Int, _ classrooms: Int, _ courses: Int) -> SchoolCounts {
        SchoolCounts(
            SchoolContents(
                rows: ["people": people, "classrooms": classrooms, "courses": courses, "habits": 9], seal: nil,
                isWritable: true))
    }

    private func lines(before: SchoolCounts?, _ language: Language) throws -> [String] {
        var root = URL(filePath: #filePath)
        for _ in 1...3 { root.deleteLastPathComponent() }
        let texts = try Data(
            contentsOf: root.appending(path: "Modules/Records/Sources/Resources/Localizable.xcstrings"))
        let words = Words(language, [try StringCatalog(json: texts)])
        return RestoredSchool(id: UUID(), name: "Maple", before: before, after: counts(31, 2, 7)).lines(words)
    }

    @Test("the report counts people, classrooms and courses and compares them with the former ones")
    func compares() throws {
        #expect(
            try lines(before: counts(30, 3, 0), .english) == [
                "People: 31, before 30.", "Classrooms: 2, before 3.", "Courses: 7, before 0.",
            ])
        #expect(
            try lines(before: counts(30, 3, 0), .french) == [
                "Personnes\u{A0}: 31, auparavant 30.", "Classes\u{A0}: 2, auparavant 3.",
                "Cours\u{A0}: 7, auparavant 0.",
            ])
        #expect(try lines(before: nil, .english) == ["People: 31.", "Classrooms: 2.", "Courses: 7."])
    }
}
