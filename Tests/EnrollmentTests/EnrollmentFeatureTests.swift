import Domain
import FeatureKit
import Testing

@testable import Enrollment

@Suite("Enrollment, the block")
struct EnrollmentFeatureTests {
    @Test("it speaks both languages", arguments: Language.allCases)
    func speaksBothLanguages(language: Language) throws {
        let words = Words(language, [try EnrollmentFeature.make().catalog])
        #expect(words.has("enrollment.welcome"))
    }

    @Test("it answers the query that it declares")
    func declaresItsQuery() throws {
        let paths = try EnrollmentFeature.make().queries.map(\.contract.path)
        #expect(paths == ["/api/v1/enrollment/welcome"])
    }
}
