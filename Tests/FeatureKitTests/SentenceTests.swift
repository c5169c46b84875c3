import Domain
import Foundation
import TestKit
import Testing

@testable import FeatureKit

@Suite("Texts of the kernel")
struct CatalogTests {
    static let codes = [
        "fault.required", "fault.tooShort", "fault.tooLong", "fault.email", "fault.id", "fault.list",
        "fault.tooMany",
        "fault.choice", "fault.integer", "fault.number", "fault.instant", "fault.time", "fault.outOfRange",
        "fault.flag",
        "fault.object", "fault.text", "fault.nameMissing",
        "fault.control", "fault.day", "fault.dayFar", "fault.unknown", "fault.files", "problem.notFound",
        "problem.signInNeeded",
        "problem.tokenScope", "problem.tokenOnPage", "problem.notAllowed", "problem.invalid",
        "problem.malformedJSON", "problem.objectExpected",
        "problem.idempotencyKey", "problem.cannotWrite", "problem.busy", "problem.tooManyTries", "problem.tooLarge",
        "problem.unsupportedMediaType", "problem.methodNotAllowed", "problem.badRequest", "problem.internal",
        "problem.offsite", "problem.secondFactorNeeded", "problem.schoolClosed",
        "problem.schoolDamaged", "problem.form.changed",
    ]

    @Test("every text exists in every language, ends with a period, and is translated", arguments: codes)
    func complete(_ code: String) throws {
        let catalog = try StringCatalog.featureKit()
        let texts = Language.allCases.map { Words($0, [catalog])(code, 3, 9) }
        for text in texts {
            #expect(!text.contains("«"))
            #expect(!text.contains("%"))
            #expect(text.hasSuffix("."))
        }
        #expect(Set(texts).count == Language.allCases.count)
    }

    @Test("texts with numbers use the plural forms of their language")
    func plurals() throws {
        let catalog = try StringCatalog.featureKit()
        let waits = [1, 30, 60, 61, 3540, 3541, 7201].map(Problem.tooManyTries)
        #expect(
            waits.map { $0.sentence(Words(.english, [catalog])) }
                == ["1 second", "30 seconds", "1 minute", "2 minutes", "59 minutes", "1 hour", "3 hours"]
                .map { "Too many attempts. Try again in \($0)." })
        #expect(
            waits.map { $0.sentence(Words(.french, [catalog])) }
                == ["1 seconde", "30 secondes", "1 minute", "2 minutes", "59 minutes", "1 heure", "3 heures"]
                .map { "Trop d’essais. Réessayez dans \($0)." })
        let fault = Fault("name", "tooLong", [.number(200)])
        #expect(fault.sentence(Words(.english, [catalog])).contains("200 characters"))
        #expect(fault.sentence(Words(.french, [catalog])).contains("200 caractères"))
    }

    @Test("every text of a fault or problem is used")
    func nothingElse() throws {
        let catalog = try StringCatalog.featureKit()
        for language in Language.allCases {
            let sentences = catalog.entries[language, default: [:]].keys.filter {
                $0.hasPrefix("fault.") || $0.hasPrefix("problem.")
            }
            #expect(Set(sentences) == Set(Self.codes))
        }
    }
}
