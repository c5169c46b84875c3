import Domain
import FeatureKit
import Testing

@testable import Grading

@Suite("Grading, the block")
struct GradingFeatureTests {
    @Test("it speaks both languages", arguments: Language.allCases)
    func speaksBothLanguages(language: Language) throws {
        let words = Words(language, [try GradingFeature.make().catalog])
        #expect(words.has("grading.welcome"))
    }

    @Test("it answers the query that it declares")
    func declaresItsQuery() throws {
        let paths = try GradingFeature.make().queries.map(\.contract.path)
        #expect(paths == ["/api/v1/grading/welcome"])
    }
}
