import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Records

@Suite("The name of an erased person in what others wrote")
struct NameReplacementTests {
    private let replacement = NameReplacement(
        of: PersonName(given: "Zoé", family: "d’Aubigné-Ito", preferred: "Zo"), by: "former member")

    @Test(
        "the full name is replaced in either order, as a whole word, and nothing else is",
        arguments: [
            ("Zoé d’Aubigné-Ito sang.", "former member sang."), ("With Zo d’Aubigné-Ito!", "With former member!"),
            ("d’Aubigné-Ito, Zoé: absent", "former member: absent"),
            ("zoé d’aubigné-ito and Zoé d’Aubigné-Ito", "former member and former member"),
            ("Zoé sang.", nil), ("Zoé d’Aubigné-Itos", nil), ("Xzoé d’Aubigné-Ito", nil), ("", nil),
        ] as [(String, String?)])
    func replaces(_ text: String, _ expected: String?) { #expect(replacement.replaced(text) == expected) }

    @Test("a name of one word is not looked for: it may be anybody's")
    func oneWord() {
        let names = NameReplacement(of: PersonName(given: "Hanako", family: ""), by: "former member").names
        #expect(names.isEmpty)
    }
}
