import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("The password rule")
struct PasswordRuleTests {
    @Test(
        "a common password is refused, also with digits, signs and capitals around it",
        arguments: [
            "password12", "Password123!", "P@ssw0rd2026", "password password", "qwertyuiop", "Azertyuiop1",
            "motdepasse2026",
            "MotDePasse!", "bonjour12345", "welcome2026", "iloveyou!!", "1qaz2wsx3edc",
        ])
    func common(_ password: String) {
        let weakness = PasswordRule().weakness(of: password, of: [])
        #expect(weakness != nil, "\(password)")
    }

    @Test(
        "a password made of the person's name or address or of the school's or the product's name is refused",
        arguments: [
            "PinkTower2026", "Montessori1!", "timequest99", "anakovac1990", "ana.kovač!!", "Kovac-Ana-2026",
            "maplemontessori",
            "wolfwhale-lms",
        ])
    func own(_ password: String) {
        let terms = ["ana.kovac@maple.example", "Ana Kovač", "Maple Montessori"]
        #expect(PasswordRule().weakness(of: password, of: terms) == .own)
    }

    @Test(
        "a repetitive, sequential or all-digit password is refused",
        arguments: [
            "aaaaaaaaaa", "ababababab", "abcabcabcabc", "abcdefghijk", "0987654321", "5145550142", "xyzxyzxyzxyz",
        ])
    func simple(_ password: String) {
        #expect(PasswordRule().weakness(of: password, of: []) != nil)
    }

    @Test(
        "unrelated words are accepted, and so are generated passwords",
        arguments: [
            "a few words in a row", "correct horse battery staple", "quatre mots sans rapport", "Tr0ub4dor&3xyz",
            "another long password", "g7#Kq2!mVx", "un tower rose pour Ana", "the school bus is late",
        ])
    func accepted(_ password: String) {
        let terms = ["ana.kovac@maple.example", "Ana Kovač", "Maple Montessori"]
        #expect(PasswordRule().weakness(of: password, of: terms) == nil)
    }
}
