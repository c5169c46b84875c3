import Domain
import FeatureKit
import Testing

@testable import Residence

@Suite("Residence, the block")
struct ResidenceFeatureTests {
    @Test("it speaks both languages", arguments: Language.allCases)
    func speaksBothLanguages(language: Language) throws {
        let words = Words(language, [try ResidenceFeature.make().catalog])
        #expect(words.has("residence.welcome"))
    }

    @Test("it answers the query that it declares")
    func declaresItsQuery() throws {
        let paths = try ResidenceFeature.make().endpoints.queries.map(\.contract.path)
        #expect(paths == ["/api/v1/residence/welcome"])
    }
}
