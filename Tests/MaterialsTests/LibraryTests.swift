import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import ShellInterface
import TestKit
import Testing

@testable import Materials

@Suite("Materials, the library")
struct LibraryTests {
    private static let publicURL = "https://tower.example"

    private func school() async throws -> TestSchool {
        try await TestSchool([try MaterialsFeature.make(qr: TestQRCode(), publicURL: Self.publicURL)])
    }

    private func outline(_ path: String, _ language: Language = .english) async throws -> String {
        let school = try await school()
        return try await school.environment.outline(path, as: school.makeCaller(.student), language: language)
            .description
    }

    @Test("the library is in Tools of every member, and its page leads to each material", .requirement("WW-1.09.a"))
    func library() async throws {
        let feature = try MaterialsFeature.make(qr: TestQRCode(), publicURL: Self.publicURL)
        let entry = try #require(feature.pages.navigation.first)
        #expect(entry.placement == .tools && entry.path == ARLibraryView.path)
        #expect(Role.allCases.allSatisfy { entry.permission?.isGiven(to: [$0]) == true })
        let page = try await outline(entry.path)
        #expect(Material.all.count == 11)
        for material in Material.all { #expect(page.contains("-> /materials/\(material.slug)")) }
        #expect(page.contains("- Pink Tower"))
        #expect(try await outline(entry.path, .french).contains("- Tour rose"))
    }

    @Test(
        "the page of a material has the model for the viewer; without the viewer it shows a picture, parts and sizes"
    )
    func page() async throws {
        let page = try await outline("/materials/pink-tower")
        #expect(page.contains("(island model: ") && page.contains("\"/assets/materials/1/pink-tower.glb\""))
        #expect(page.contains("(picture: Drawing of the material: Pink Tower)"))
        #expect(page.contains("Cube, 10\u{00A0}cm") && page.contains("Cube, 1\u{00A0}cm"))
        #expect(page.contains("Volume: 1,000\u{00A0}cm³"))
        let french = try await outline("/materials/cylinders-1", .french)
        #expect(french.contains("Cylindre, 5,5\u{00A0}×\u{00A0}5,5\u{00A0}cm"))
        #expect(french.contains("Diamètre\u{00A0}: 5,5\u{00A0}cm"))
    }

    @Test("a material that does not exist is not found")
    func unknown() async throws {
        let school = try await school()
        let refused = try await problem {
            _ = try await school.environment.outline("/materials/blue-tower", as: school.makeCaller(.student))
        }
        #expect(refused == .notFound)
    }

    @Test("every text of a material exists in both languages", arguments: Language.allCases)
    func words(language: Language) throws {
        let words = Words(language, [try MaterialsFeature.make(qr: TestQRCode(), publicURL: "").catalog])
        for material in Material.all {
            for key in [material.titleKey, material.tipKey, material.partsKey] { #expect(words.has(key), "\(key)") }
            for part in material.model().parts {
                #expect(words.has("materials.form.\(part.form.name)"), "\(part.form.name)")
                for size in part.form.sizes { #expect(words.has("materials.size.\(size.name)"), "\(size.name)") }
            }
        }
    }

    @Test("parts are told apart: no two of a material have the same short name")
    func shortNames() throws {
        let words = Words(.english, [try MaterialsFeature.make(qr: TestQRCode(), publicURL: "").catalog])
        for material in Material.all where material.slug != "binomial-cube" {
            let short = PartTexts(material.model().parts.map(\.form), words).all.map(\.short)
            #expect(Set(short).count == short.count, "\(material.slug): \(short)")
        }
        let tower = PartTexts(Graded.pinkTower().parts.map(\.form), words).all
        #expect(tower.map(\.short).first == "10\u{00A0}cm")
        let blocks = PartTexts(CylinderBlocks.model(.height).parts.map(\.form), words).all
        #expect(blocks[0].short == "Block of wood" && blocks[1].short == "2.5\u{00A0}×\u{00A0}5.5\u{00A0}cm")
        let chains = PartTexts(Beads.shortChains().parts.map(\.form), words).all
        #expect(chains[0].short == "1\u{00A0}bead" || chains[0].short == "1 bead")
        #expect(chains[9].facts.map(\.value) == ["73\u{00A0}cm", "100"])
    }

    @Test("links and the search name a material by the id that it has in the curriculum")
    func links() async throws {
        let feature = try MaterialsFeature.make(qr: TestQRCode(), publicURL: Self.publicURL)
        let school = try await school()
        let context = try await school.context(of: school.makeCaller(.student))
        let links = Dictionary(uniqueKeysWithValues: feature.pages.deepLinks.map { ($0.name, $0) })
        let tower = try #require(Material.named("pink-tower"))
        #expect(tower.id.text == "0192b5a4-e0e1-7dc8-8cbd-4fc74f95cb57")
        #expect(try await links["materials"]?.path(nil, context) == "/materials")
        #expect(try await links["material"]?.path(tower.id, context) == "/materials/pink-tower")
        #expect(try await links["material"]?.path(UUID(), context) == nil)
        #expect(try await links["material"]?.path(nil, context) == nil)
    }

    @Test("the search finds every material by its English and its French name, for everyone of the school")
    func search() async throws {
        let source = try #require(
            try MaterialsFeature.make(qr: TestQRCode(), publicURL: Self.publicURL).pages.searchSources.first)
        let school = try await school()
        try await school.database.read { sql in
            var found: [UUID] = []
            while true {
                let ids = try source.ids(found.last, 4, sql)
                if ids.isEmpty { break }
                found += ids
            }
            #expect(Set(found) == Set(Material.all.map(\.id)) && found.count == Material.all.count)
            let documents = try source.documents(found, UUID(), sql)
            #expect(documents.allSatisfy { $0.readers == [.school] })
            let tower = try #require(documents.first { $0.path == "/materials/pink-tower" })
            #expect(tower.title == "Pink Tower" && tower.subtitle == "Tour rose")
        }
    }

    @Test("the block stores nothing and has no command")
    func storesNothing() throws {
        let feature = try MaterialsFeature.make(qr: TestQRCode(), publicURL: Self.publicURL)
        #expect(feature.storage.schoolMigrations.isEmpty && feature.storage.directoryMigrations.isEmpty)
        #expect(feature.endpoints.commands.isEmpty && feature.endpoints.queries.isEmpty)
    }
}
