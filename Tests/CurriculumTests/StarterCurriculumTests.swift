import ClassroomInterface
import CurriculumInterface
import Domain
import Foundation
import TestKit
import Testing

@testable import Curriculum

@Suite("The starter curriculum")
struct StarterCurriculumTests {
    let entries: [CurriculumEntry]
    let materials: [CurriculumEntry]

    init() throws {
        entries = try StarterCurriculum.entries()
        materials = entries.filter { $0.kind == .material }
    }

    @Test("there are five subjects and more than 160 materials for both ages", .requirement("BY-1.17.d"))
    func size() throws {
        let subjects = entries.filter { $0.kind == .subject }
        #expect(
            subjects.map(\.name) == ["Practical life", "Sensorial", "Language", "Mathematics", "Cultural"])
        #expect(subjects.map(\.nameFrench) == ["Vie pratique", "Sensoriel", "Langage", "Mathématiques", "Culture"])
        #expect(materials.count >= 160)
        for subject in subjects {
            let mine = materials.filter { $0.subjectId == subject.id }
            #expect(mine.count { $0.band == .younger } >= 15, "\(subject.name)")
            #expect(mine.contains { $0.band == .older }, "\(subject.name)")
        }
        #expect(materials.allSatisfy { material in subjects.contains { $0.id == material.subjectId } })
    }

    @Test("every entry has a unique name in both languages and a stable id")
    func names() {
        #expect(Set(entries.map(\.id)).count == entries.count)
        for names in [entries.map(\.name), entries.map { $0.nameFrench ?? "" }] {
            #expect(names.allSatisfy { !$0.isEmpty && $0 == $0.trimmingCharacters(in: .whitespaces) })
            #expect(Set(names).count == names.count)
        }
        let french = entries.compactMap(\.nameFrench)
        #expect(french.allSatisfy { !$0.contains("'") && !$0.contains(" :") }, "typographic signs")
        let tower = materials.first { $0.name == "Pink Tower" }
        #expect(tower?.id.text == "0192b5a4-e0e1-7dc8-8cbd-4fc74f95cb57", "schools have recorded with it")
        #expect(tower?.nameFrench == "Tour rose")
        #expect(
            entries.allSatisfy { $0.id.text.dropFirst(14).first == "7" }, "the API writes such ids in small letters"
        )
    }

    @Test("prerequisites come first, form no cycle, exist, and are not for older children")
    func prerequisites() throws {
        let places = Dictionary(uniqueKeysWithValues: materials.enumerated().map { ($1.id, $0) })
        for (place, material) in materials.enumerated() {
            #expect(Set(material.requires).count == material.requires.count)
            for id in material.requires {
                let before = try #require(places[id], "\(material.name)")
                #expect(before < place, "\(material.name)")
                if material.band == .younger { #expect(materials[before].band == .younger, "\(material.name)") }
            }
            if material.band == .older { #expect(!material.requires.isEmpty, "\(material.name) begins nowhere") }
        }
    }

    @Test(
        "the order follows Montessori",
        arguments: [
            ("Pink Tower", ["Cylinder block 1"]), ("Brown Stair", ["Pink Tower"]), ("Red Rods", ["Brown Stair"]),
            ("Number rods", ["Red Rods"]), ("Spindle box", ["Number rods", "Sandpaper numerals"]),
            ("Stamp game: addition", ["Bank: addition"]),
            ("Checkerboard", ["Large bead frame", "Multiplication charts"]),
            ("Grammar box: adjective", ["Grammar box: article"]), ("Timeline of life", ["Clock of eras"]),
            ("Puzzle map of the world", ["Globe of the continents"]),
        ])
    func order(_ name: String, _ before: [String]) throws {
        let material = try #require(materials.first { $0.name == name })
        #expect(material.requires.map { id in materials.first { $0.id == id }?.name } == before)
    }
}
