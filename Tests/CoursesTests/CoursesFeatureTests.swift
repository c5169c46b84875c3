import Domain
import FeatureKit
import Testing

@testable import Courses

@Suite("Courses, the block")
struct CoursesFeatureTests {
    @Test("it speaks both languages", arguments: Language.allCases)
    func speaksBothLanguages(language: Language) throws {
        let words = Words(language, [try CoursesFeature.make().catalog])
        #expect(words.has("courses.welcome"))
    }

    @Test("it answers the query that it declares")
    func declaresItsQuery() throws {
        let paths = try CoursesFeature.make().queries.map(\.contract.path)
        #expect(paths == ["/api/v1/courses/welcome"])
    }
}
