import ClassroomInterface
import CurriculumInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Curriculum

@Suite("Progress with the materials")
struct ProgressTests {
    let fixture: CurriculumFixture
    let bea: UUID

    init() async throws {
        fixture = try await CurriculumFixture()
        bea = try await fixture.child("Bea Ruiz")
    }

    func history() async throws -> [MaterialProgress] {
        let (bea, tower) = (bea, try fixture.id("Pink Tower"))
        return try await fixture.school.database.read { try ProgressRepository.history(of: bea, tower, in: $0) }
    }

    @Test(
        "a record changes the child's state in either direction, and the history keeps all records with author and time",
        .requirement("BY-1.17.a"))
    func moves() async throws {
        let tower = try fixture.id("Pink Tower")
        #expect(try await fixture.progress(of: bea).isEmpty)
        for state in [ProgressState.presented, .practicing, .mastered, .practicing, .notStarted] {
            fixture.school.clock.advance(by: 60)
            let recorded = try await fixture.note(bea, "Pink Tower", state)
            #expect(recorded.recordedBy == fixture.guide.membership?.personId)
            #expect(recorded.recordedAt == fixture.school.clock.now)
            #expect(recorded.day == fixture.today)
            #expect(try await fixture.progress(of: bea) == [tower: state])
        }
        #expect(
            try await history().map(\.state) == [.notStarted, .practicing, .mastered, .practicing, .presented])
        #expect(try await fixture.kinds() == Array(repeating: "curriculum.recorded", count: 5))
    }

    @Test("the record of the latest day is the current state, whenever it was entered")
    func backdated() async throws {
        try await fixture.note(bea, "Pink Tower", .practicing, daysAgo: 3)
        try await fixture.note(bea, "Pink Tower", .presented, daysAgo: 10)
        #expect(try await fixture.progress(of: bea).values.map(\.self) == [.practicing])
        #expect(try await history().map(\.state) == [.practicing, .presented])
        try await fixture.note(bea, "Pink Tower", .mastered, daysAgo: 3)
        #expect(try await fixture.progress(of: bea).values.map(\.self) == [.mastered])
    }

    @Test("recording the same state again keeps the first record and logs nothing")
    func twice() async throws {
        let first = try await fixture.note(bea, "Pink Tower", .presented)
        fixture.school.clock.advance(by: 60)
        let again = try await fixture.note(bea, "Pink Tower", .presented, as: fixture.admin)
        #expect(again == first)
        #expect(try await fixture.kinds().count == 1)
        #expect(try await history() == [first])
    }

    @Test("thirty concurrent taps make one record")
    func atOnce() async throws {
        let (fixture, bea) = (fixture, bea)
        let answers = try await withThrowingTaskGroup(of: MaterialProgress.self) { group in
            for _ in 0..<30 { group.addTask { try await fixture.note(bea, "Pink Tower", .presented) } }
            return try await group.reduce(into: Set<MaterialProgress>()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
        #expect(try await history().count == 1)
    }

    @Test("progress can be recorded for today and the last year")
    func days() async throws {
        func code(_ daysAgo: Int) async throws -> String? {
            try await problem { try await fixture.note(bea, "Pink Tower", .presented, daysAgo: daysAgo) }?
                .faults.first?.code
        }
        #expect(try await code(-1) == "curriculum.future")
        #expect(try await code(366) == "curriculum.tooOld")
        #expect(try await history().isEmpty)
        #expect(try await code(365) == nil)
        #expect(try await code(0) == nil)
    }

    @Test("a guide of another class can neither read nor record progress")
    func otherGuide() async throws {
        try await fixture.note(bea, "Pink Tower", .presented)
        let other = fixture.otherGuide
        let student: InputValue = ["studentId": .text(bea.text)]
        let tower = try fixture.id("Pink Tower")
        let both: InputValue = ["studentId": .id(bea), "materialId": .id(tower)]
        #expect(
            try await problem { try await fixture.note(bea, "Pink Tower", .mastered, as: other) } == .notFound)
        #expect(
            try await problem { try await fixture.school.execute("curriculum.accept", both, as: other) }
                == .notFound)
        #expect(
            try await problem { try await fixture.school.execute("curriculum.dismiss", both, as: other) }
                == .notFound
        )
        #expect(
            try await problem { _ = try await fixture.school.answer(StudentProgress.self, student, as: other) }
                == .notFound)
        #expect(
            try await problem { _ = try await fixture.school.answer(StudentSuggestions.self, student, as: other) }
                == .notFound)
        #expect(
            try await problem {
                _ = try await fixture.school.answer(
                    ClassProgress.self, ["classroomId": .text(fixture.maple.text)], as: other)
            } == .notFound)
        for path in [
            "/classrooms/\(fixture.maple.text)/progress", "/students/\(bea.text)/materials",
            "/students/\(bea.text)/materials/\(tower.text)",
        ] {
            #expect(try await problem { _ = try await fixture.outline(path, as: other) } == .notFound, "\(path)")
            #expect(try await fixture.outline(path, as: fixture.admin).count > 3, "\(path)")
        }
        #expect(fixture.record.lessons.isEmpty)
    }

    @Test("parents, students and wardens cannot use progress", arguments: [Role.parent, .student, .warden])
    func outsiders(_ role: Role) async throws {
        let caller = fixture.school.makeCaller(role)
        #expect(
            try await problem { try await fixture.note(bea, "Pink Tower", .presented, as: caller) } == .notAllowed)
        #expect(
            try await problem { _ = try await fixture.school.answer(ListCurriculum.self, as: caller) }
                == .notAllowed)
        #expect(
            try await problem { _ = try await fixture.outline("/settings/curriculum", as: caller) } == .notAllowed)
    }

    @Test("an unknown material or a subject in its place is not found")
    func noMaterial() async throws {
        for id in [bea, try fixture.id("Sensorial")] {
            let input: InputValue = ["studentId": .id(bea), "materialId": .id(id), "state": "presented"]
            #expect(
                try await problem {
                    try await fixture.school.execute(RecordProgress.self, input, as: fixture.guide)
                }
                    == .notFound)
        }
    }

    @Test("the pages of the child and of her classes are refreshed, for people who see the child")
    func topics() async throws {
        try await fixture.note(bea, "Pink Tower", .presented)
        let change = try #require(try await fixture.school.changes().first?.change)
        #expect(change.topics == ["student:\(bea.text)", "curriculum:\(fixture.maple.text)"])
        #expect(Set(change.audience) == [.role(.superAdmin), .role(.admin), .classroom(fixture.maple)])
        #expect(change.payload["state"] == "presented")
    }

    @Test("a class is read with one indexed query, and a child's records are deleted with the child")
    func rows() async throws {
        let elsewhere = try await fixture.child("Cleo", in: fixture.birch)
        try await fixture.note(bea, "Pink Tower", .presented)
        try await fixture.note(elsewhere, "Pink Tower", .mastered, as: fixture.otherGuide)
        try await fixture.note(bea, "Number rods", .mastered)
        try await fixture.school.expectIndexed(
            ProgressRepository.query("*", [bea, elsewhere], [try fixture.id("Pink Tower")]))
        func found(_ subject: String?) async throws -> [MaterialProgress] {
            var input: [String: InputValue] = ["classroomId": .text(fixture.maple.text)]
            if let subject { input["subjectId"] = .text(try fixture.id(subject).text) }
            return try await fixture.school.answer(ClassProgress.self, .object(input), as: fixture.guide).items
        }
        #expect(try await found("Sensorial").map(\.state) == [.presented])
        #expect(try await found(nil).count == 2)
        try await fixture.school.database.write { [bea] in
            try $0.execute("DELETE FROM students WHERE id = \(bea)")
        }
        let left: [Int?] = try await fixture.school.database.read { sql in
            try [
                sql.value("SELECT COUNT(*) FROM material_records"),
                sql.value("SELECT COUNT(*) FROM material_progress"),
            ]
        }
        #expect(left == [1, 1], "those of the other child")
    }

    @Test(
        "the grid shows one subject, with a shade and a link to record for each child and material",
        .requirement("BY-1.17.b"))
    func grid() async throws {
        _ = try await fixture.child("Ana")
        try await fixture.note(bea, "Pink Tower", .practicing)
        let sensorial = try fixture.id("Sensorial")
        let path = "/classrooms/\(fixture.maple.text)/progress"
        let lines = try await fixture.outline(path, query: ["subject": sensorial.text, "band": "younger"])
        #expect(lines[0] == "# Progress with the materials · Maple room")
        #expect(lines[1] == "[Back] -> /classrooms/\(fixture.maple.text)")
        #expect(lines[2] == "live: classroom:\(fixture.maple.text) curriculum:\(fixture.maple.text) curriculum")
        #expect(lines[3] == "Subject: Practical life | *Sensorial* | Language | Mathematics | Cultural")
        #expect(lines[4] == "Ages: All ages | *3–6* | 6–9")
        let heads = try #require(lines.first { $0.hasPrefix("grid ") }?.components(separatedBy: " | "))
        let tower = try #require(heads.firstIndex(of: "Pink Tower"))
        #expect(!heads.contains("Number rods") && !heads.contains("Tone bars"))
        let rows = lines.filter { $0.hasSuffix("/materials") }.map { $0.components(separatedBy: " | ") }
        #expect(rows.map { $0[0] } == ["  Ana", "  Bea Ruiz"])
        #expect(rows.map { $0[tower] } == ["Not started", "Practicing"])
        #expect(rows.allSatisfy { $0.count == heads.count })
        #expect(
            lines.last
                == "  each -> /students/{row}/materials/{column}?classroom=\(fixture.maple.text)&band=younger")
        let french = try await fixture.outline(path, query: ["subject": sensorial.text], language: .french)
        #expect(french[0] == "# Progression dans le matériel · Maple room")
        #expect(french.contains { $0.contains("Tour rose | Escalier marron | Barres rouges") })
        #expect(french.contains { $0.contains("En pratique") })
        let first = try await fixture.outline(path)
        #expect(first[3].contains("*Practical life*"), "the first subject where none is chosen")
    }

    @Test("the page of a class without children says so")
    func emptyClass() async throws {
        let lines = try await fixture.outline(
            "/classrooms/\(fixture.birch.text)/progress", as: fixture.otherGuide, language: .french)
        #expect(lines.contains { $0.hasPrefix("! empty: Aucun enfant") })
    }

    @Test(
        "the page of a material records one of four states, also for an earlier day, and leads back to the grid")
    func recordPage() async throws {
        try await fixture.note(bea, "Brown Stair", .presented, daysAgo: 2)
        try await fixture.note(bea, "Pink Tower", .mastered, daysAgo: 4)
        let stair = try fixture.id("Brown Stair")
        let path = "/students/\(bea.text)/materials/\(stair.text)"
        let lines = try await fixture.outline(path, query: ["classroom": fixture.maple.text, "band": "younger"])
        let sensorial = try fixture.id("Sensorial").text
        #expect(lines[0] == "# Brown Stair · Bea Ruiz")
        #expect(
            lines[1] == "[Back] -> /classrooms/\(fixture.maple.text)/progress?subject=\(sensorial)&band=younger")
        #expect(lines.contains { $0.hasPrefix("Presented since ") })
        for state in ["Not started", "Presented", "Practicing", "Mastered"] {
            #expect(lines.contains("[\(state)] -> POST /api/v1\(path)"))
        }
        #expect(lines.contains("> Record an earlier day"))
        #expect(lines.contains("    <Day: date* = \(fixture.today)>"))
        #expect(lines.contains { $0.contains("- Pink Tower") && $0.contains("{Mastered}") })
        #expect(lines.contains("## History"))
        let french = try await fixture.outline(path, language: .french)
        #expect(french[0] == "# Escalier marron · Bea Ruiz")
        #expect(french[1] == "[Back] -> /students/\(bea.text)/materials?subject=\(sensorial)")
        #expect(french.contains { $0.hasPrefix("[En pratique]") })
    }

    @Test("the child's list and the section of her page show her progress", .requirement("BY-1.17.c"))
    func childPages() async throws {
        let here = "/students/\(bea.text)"
        let untouched = try await fixture.outline(here)
        #expect(untouched.contains { $0.contains("No records yet.") })
        try await fixture.note(bea, "Cylinder block 1", .mastered, daysAgo: 9)
        try await fixture.note(bea, "Pink Tower", .practicing, daysAgo: 4)
        try await fixture.note(bea, "Sound game", .presented, daysAgo: 1)
        let page = try await fixture.outline(here)
        #expect(page.contains("## Materials"))
        #expect(page.contains("[All materials] -> \(here)/materials"))
        let rows = page.filter { $0.hasPrefix("  - ") }
        #expect(
            rows.map { $0.contains("Sound game") } == [true, false], "the latest first, mastered ones left out")
        #expect(page.contains("  Sensorial: Practicing: 1 · Mastered: 1"))
        #expect(page.contains("  Language: Presented: 1"))
        #expect(page.contains("## What’s next"))
        let list = try await fixture.outline(
            "\(here)/materials", query: ["subject": fixture.id("Sensorial").text], language: .french)
        #expect(list[0] == "# Matériel · Bea Ruiz")
        #expect(list.contains { $0.hasPrefix("- Tour rose · ") && $0.contains("{En pratique}") })
        #expect(list.contains { $0.hasPrefix("- Escalier marron {Pas commencé} -> \(here)/materials/") })
    }

    @Test(
        "other blocks read the records between two days in their order and in the reader's language")
    func materialRecord() async throws {
        try await fixture.note(bea, "Pink Tower", .mastered, daysAgo: 9)
        try await fixture.note(bea, "Pink Tower", .presented, daysAgo: 4)
        try await fixture.note(bea, "Pink Tower", .practicing, daysAgo: 4)
        try await fixture.note(bea, "Sound game", .notStarted, daysAgo: 3)
        try await fixture.note(bea, "Brown Stair", .presented, daysAgo: 2)
        let record = SQLMaterialRecord(taxonomy: try SchoolTaxonomy())
        let (today, id) = (fixture.today, bea)
        let steps = try await fixture.school.database.read {
            try record.steps(
                of: id, from: today.adding(days: -4), through: today.adding(days: -2), in: .french, $0)
        }
        #expect(steps.map(\.name) == ["Tour rose", "Escalier marron"])
        #expect(steps.map(\.state) == [.practicing, .presented], "what was said last of a day counts")
        #expect(steps.map(\.day) == [today.adding(days: -4), today.adding(days: -2)])
    }

    @Test("the class's page links to the grid for people who may see it")
    func link() async throws {
        let lines = try await fixture.outline("/classrooms/\(fixture.maple.text)")
        #expect(lines.last == "[Progress with the materials] -> /classrooms/\(fixture.maple.text)/progress")
    }
}
