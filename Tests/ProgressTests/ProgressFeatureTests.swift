import Domain
import FeatureKit
import Testing

@testable import Progress

@Suite("Progress, the block")
struct ProgressFeatureTests {
    @Test("it speaks both languages", arguments: Language.allCases)
    func speaksBothLanguages(language: Language) throws {
        let words = Words(language, [try ProgressFeature.make().catalog])
        #expect(words.has("progress.welcome"))
    }

    @Test("it answers the query that it declares")
    func declaresItsQuery() throws {
        let paths = try ProgressFeature.make().queries.map(\.contract.path)
        #expect(paths == ["/api/v1/progress/welcome"])
    }
}
