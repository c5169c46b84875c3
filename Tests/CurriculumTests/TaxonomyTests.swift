import ClassroomInterface
import CurriculumInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Curriculum

@Suite("The school's curriculum")
struct TaxonomyTests {
    let fixture: CurriculumFixture

    init() async throws { fixture = try await CurriculumFixture() }

    func tags(_ language: Language = .english) async throws -> [CurriculumInterface.Tag] {
        let taxonomy = try SchoolTaxonomy()
        return try await fixture.school.database.read { try taxonomy.tags(in: language, $0) }
    }

    func add(_ kind: TagKind, _ name: String, _ more: [String: InputValue] = [:]) async throws -> CurriculumEntry {
        try await fixture.school.execute(
            AddEntry.self,
            .object(more.merging(["kind": .text(kind.rawValue), "name": .text(name)]) { own, _ in own }),
            as: fixture.admin)
    }

    func materials(of subject: String) async throws -> [String] {
        let id = try fixture.id(subject)
        return try await fixture.curriculum().filter { $0.subjectId == id }.map(\.name)
    }

    @Test(
        "a new school has the starter curriculum in the reader's language and stores none of it",
        .requirement("BY-1.17.d"))
    func starter() async throws {
        let english = try await tags()
        #expect(english.count == fixture.lists.count)
        #expect(
            english.first
                == CurriculumInterface.Tag(
                    id: try fixture.id("Practical life"), kind: .subject, name: "Practical life"))
        let french = try await tags(.french)
        #expect(french.map(\.id) == english.map(\.id))
        #expect(french.contains { $0.name == "Tour rose" && $0.kind == .material })
        let stored: Int? = try await fixture.school.database.read {
            try $0.value("SELECT COUNT(*) FROM curriculum_entries")
        }
        #expect(stored == 0)
    }

    @Test("a search finds materials of one or all subjects by a part of either name")
    func searching() async throws {
        func found(_ path: String, _ query: String) async throws -> (tower: Bool, stair: Bool, all: [String]) {
            let lines = try await fixture.outline(path, as: fixture.admin, query: ["q": query])
            return (
                lines.contains { $0.contains("Pink Tower") }, lines.contains { $0.contains("Brown Stair") }, lines
            )
        }
        let sensorial = "/settings/curriculum/\(try fixture.id("Sensorial").text)"
        let child = "/students/\(try await fixture.child("Bea").text)/materials"
        for (path, query) in [("/settings/curriculum", "TOUR rose"), (sensorial, "tower"), (child, "pink")] {
            let answer = try await found(path, query)
            #expect(answer.tower && !answer.stair, "\(path): \(answer.all)")
        }
        #expect(try await found(sensorial, "").stair, "without a search all are there")
        let none = try await found(sensorial, "zzz").all
        #expect(none.contains { $0.contains("No materials found") })
    }

    @Test("added subjects, materials and apps come last", .requirement("BY-1.17.e", "PT-2.29.a"))
    func adding() async throws {
        let yoga = try await add(.subject, "Yoga")
        let tree = try await add(
            .material, "Tree pose", ["subjectId": .id(yoga.id), "nameFrench": "Posture de l’arbre"])
        let app = try await add(.app, "Number app")
        let all = try await tags(.french)
        #expect(
            all.filter { $0.kind == .subject }.last?.name == "Yoga", "the first name where there is no French one")
        #expect(
            all.first { $0.id == tree.id }
                == CurriculumInterface.Tag(
                    id: tree.id, kind: .material, name: "Posture de l’arbre", subjectId: yoga.id))
        #expect(all.last == CurriculumInterface.Tag(id: app.id, kind: .app, name: "Number app"))
        #expect(try await fixture.kinds() == Array(repeating: "curriculum.added", count: 3))
        #expect(
            try await problem { _ = try await add(.material, "Nowhere") }?.faults.first?.field == "subjectId")
        #expect(
            try await problem { _ = try await add(.material, "Nowhere", ["subjectId": .id(app.id)]) } == .notFound)
    }

    @Test("of two administrators who change one entry, the second is refused and shown both texts")
    func twoEditors() async throws {
        for entry in [try fixture.id("Pink Tower"), try fixture.id("Sensorial")] {
            try await fixture.school.environment.expectVersions(
                of: "edit-entry", at: "/settings/curriculum/\(entry.text)/edit", changing: "name",
                as: fixture.admin, code: "curriculum.changed")
        }
    }

    @Test("a starter entry can be renamed and keeps its id and place")
    func renaming() async throws {
        let tower = try fixture.id("Pink Tower")
        let input: InputValue = [
            "entryId": .id(tower), "name": "The Tower", "band": "younger", "requires": .list([]),
        ]
        for _ in 0..<2 { try await fixture.school.execute(UpdateEntry.self, input, as: fixture.admin) }
        #expect(try await fixture.kinds() == ["curriculum.updated"])
        let names = try await materials(of: "Sensorial")
        #expect(names.prefix(6).suffix(2) == ["The Tower", "Brown Stair"])
        #expect(try await tags(.french).first { $0.id == tower }?.name == "The Tower")
    }

    @Test("a hidden entry is not offered, is still found by its id, and can be restored")
    func hiding() async throws {
        let (tower, sensorial) = (try fixture.id("Pink Tower"), try fixture.id("Sensorial"))
        func hide(_ id: UUID, _ isHidden: Bool) async throws {
            try await fixture.school.execute(
                HideEntry.self, ["entryId": .id(id), "hidden": .bool(isHidden)], as: fixture.admin)
        }
        try await hide(tower, true)
        try await hide(tower, true)
        #expect(try await !tags().contains { $0.id == tower })
        let taxonomy = try SchoolTaxonomy()
        let known = try await fixture.school.database.read { try taxonomy.tags([tower], in: .french, $0) }
        #expect(known[tower]?.name == "Tour rose")
        try await hide(sensorial, true)
        #expect(try await !tags().contains { $0.id == sensorial || $0.subjectId == sensorial })
        try await hide(sensorial, false)
        try await hide(tower, false)
        #expect(try await tags().count == fixture.lists.count)
        #expect(
            try await fixture.kinds()
                == ["curriculum.hidden", "curriculum.hidden", "curriculum.restored", "curriculum.restored"])
    }

    @Test(
        "an entry is moved before another or to the end, and moving it there again does nothing",
        .requirement("BY-1.17.e"))
    func moving() async throws {
        let before = try await materials(of: "Sensorial")
        let (rods, tower) = (try fixture.id("Red Rods"), try fixture.id("Pink Tower"))
        for _ in 0..<2 {
            try await fixture.school.execute(
                MoveEntry.self, ["entryId": .id(rods), "before": .id(tower)], as: fixture.admin)
        }
        #expect(try await fixture.kinds() == ["curriculum.moved"])
        var expected = before
        expected.insert(expected.remove(at: try #require(before.firstIndex(of: "Red Rods"))), at: 4)
        #expect(try await materials(of: "Sensorial") == expected)
        try await fixture.school.execute(MoveEntry.self, ["entryId": .id(tower)], as: fixture.admin)
        #expect(try await materials(of: "Sensorial").last == "Pink Tower")
        let foreign: InputValue = ["entryId": .id(tower), "before": .id(try fixture.id("Number rods"))]
        #expect(
            try await problem { try await fixture.school.execute(MoveEntry.self, foreign, as: fixture.admin) }
                == .notFound, "a place in another list")
    }

    @Test("a cycle of prerequisites and an unknown material are refused")
    func cycle() async throws {
        func code(_ name: String, after ids: UUID...) async throws -> String? {
            try await problem {
                try await fixture.school.execute(
                    UpdateEntry.self,
                    ["entryId": .id(fixture.id(name)), "name": .text(name), "requires": .ids(ids)],
                    as: fixture.admin)
            }?.faults.first?.code
        }
        let (tower, rods) = (try fixture.id("Pink Tower"), try fixture.id("Red Rods"))
        #expect(try await code("Pink Tower", after: rods) == "curriculum.circle")
        #expect(try await code("Pink Tower", after: tower) == "curriculum.circle")
        #expect(try await code("Pink Tower", after: try fixture.id("Sensorial")) == "curriculum.unknownMaterial")
        #expect(try await fixture.kinds().isEmpty)
        #expect(try await code("Red Rods", after: tower) == nil)
        #expect(try await code("Brown Stair", after: rods) == nil, "now it may follow the rods")
    }

    @Test("guides can see the curriculum, and its managers have every action, in both languages")
    func pages() async throws {
        let sensorial = try fixture.id("Sensorial")
        let seen = try await fixture.outline("/settings/curriculum")
        #expect(seen[0] == "# Curriculum")
        #expect(seen.contains("  - Sensorial · 37 materials -> /settings/curriculum/\(sensorial.text)"))
        #expect(!seen.contains { $0.contains("menu [") || $0.contains("sheet") })
        let managed = try await fixture.outline("/settings/curriculum", as: fixture.admin, language: .french)
        #expect(managed[0] == "# Programme")
        #expect(managed.contains { $0.contains("[Ajouter une application] -> sheet new-app") })
        #expect(managed.contains { $0.contains("menu [Descendre]") })
        #expect(managed.contains("sheet new-subject: Ajouter un domaine"))
        let materials = try await fixture.outline("/settings/curriculum/\(sensorial.text)", as: fixture.admin)
        let tower = try #require(
            materials.firstIndex { $0.hasPrefix("- Pink Tower · 3–6 · after Cylinder block 1") })
        #expect(
            materials[(tower + 1)...].prefix(4).map { $0.prefix { $0 != "]" } }
                == ["  menu [Edit", "  menu [Move up", "  menu [Move down", "  menu [Hide"])
        let path = "/settings/curriculum/\(try fixture.id("Pink Tower").text)/edit"
        let form = try await fixture.outline(path, as: fixture.admin)
        #expect(form.contains("  <Name: text* = Pink Tower>"))
        #expect(form.contains("  <Name in French: text = Tour rose>"))
        #expect(form.contains("    (*) Cylinder block 1"))
        #expect(form.contains("    ( ) Brown Stair"))
        #expect(try await problem { _ = try await fixture.outline(path) } == .notAllowed)
        #expect(
            try await problem {
                try await fixture.school.execute(
                    HideEntry.self, ["entryId": .id(sensorial), "hidden": true], as: fixture.guide)
            } == .notAllowed)
    }
}
