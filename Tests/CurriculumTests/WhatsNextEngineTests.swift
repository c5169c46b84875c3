import Foundation
import TestKit
import Testing

@testable import Curriculum

@Suite("The suggestion engine")
struct WhatsNextEngineTests {
    typealias Engine = WhatsNextEngine<Int>

    static let a = UUID(), b = UUID()
    /// a1 → a2 → a3, a4 after a1; b1 → b2.
    static let ids = Dictionary(
        uniqueKeysWithValues: ["a1", "a2", "a3", "a4", "b1", "b2"].map { ($0, UUID()) })
    static let names = Dictionary(uniqueKeysWithValues: ids.map { ($1, $0) })

    static func material(_ name: String, _ area: UUID, after: String...) throws -> Engine.Material {
        try .init(id: #require(ids[name]), area: area, requires: after.map { try #require(ids[$0]) })
    }

    static func suggest(
        _ progress: [String: (ProgressState, Int)], without excluded: Set<String> = [], only: Set<String>? = nil
    ) throws -> [String] {
        let materials = try [
            material("a1", a), material("a2", a, after: "a1"), material("a3", a, after: "a2"),
            material("a4", a, after: "a1"), material("b1", b), material("b2", b, after: "b1", "a1"),
        ].filter { material in only?.contains(names[material.id] ?? "") ?? true }
        let engine = try Engine(
            materials: materials,
            progress: Dictionary(
                uniqueKeysWithValues: progress.map { name, progress in
                    (try #require(ids[name]), .init(state: progress.0, day: progress.1))
                }),
            excluded: Set(excluded.map { try #require(ids[$0]) }))
        return engine.suggestions.map { suggestion in
            let reasons = suggestion.because.map { "\(names[$0.material] ?? "?")@\($0.progress.day)" }
            return ([names[suggestion.material] ?? "?"] + reasons).joined(separator: " ")
        }
    }

    @Test("a child without records gets the first step of each area")
    func first() throws { #expect(try Self.suggest([:]) == ["a1", "b1"]) }

    @Test(
        "prerequisites must be practiced or mastered", .requirement("BY-1.08.a"),
        arguments: [
            (ProgressState.notStarted, ["a1", "b1"]), (.presented, ["b1"]),
            (.practicing, ["b1", "a2 a1@5", "a4 a1@5"]), (.mastered, ["b1", "a2 a1@5", "a4 a1@5"]),
        ])
    func states(_ state: ProgressState, _ expected: [String]) throws {
        #expect(try Self.suggest(["a1": (state, 5)]) == expected)
    }

    @Test("all prerequisites must be met, in every area", .requirement("BY-1.08.a"))
    func everyPrerequisite() throws {
        #expect(try Self.suggest(["b1": (.mastered, 3)]) == ["a1"], "b2 waits for a1")
        #expect(
            try Self.suggest(["b1": (.mastered, 3), "a1": (.practicing, 4)])
                == ["a2 a1@4", "b2 b1@3 a1@4", "a4 a1@4"])
    }

    @Test("areas with the least begun work come first in turn, and begun materials are not suggested")
    func balance() throws {
        #expect(
            try Self.suggest(["a1": (.mastered, 1), "a2": (.presented, 2), "b1": (.mastered, 3)])
                == ["b2 b1@3 a1@1", "a4 a1@1"])
    }

    @Test(
        "within an area the latest work is continued first, then the sequence decides",
        .requirement("BY-1.08.a"))
    func recency() throws {
        #expect(
            try Self.suggest(["a1": (.mastered, 1), "a2": (.practicing, 9), "b1": (.presented, 1)])
                == ["a3 a2@9", "a4 a1@1"])
    }

    @Test("planned and dismissed materials are not suggested, also as a first step")
    func excluded() throws {
        #expect(try Self.suggest([:], without: ["a1"]) == ["b1"])
        #expect(try Self.suggest(["a1": (.mastered, 1)], without: ["a2", "b1"]) == ["a4 a1@1"])
    }

    @Test("a hidden material is no prerequisite")
    func hidden() throws {
        #expect(try Self.suggest([:], only: ["a2", "a3", "b2"]) == ["a2", "b2"])
        #expect(try Self.suggest(["a1": (.mastered, 1)], only: ["a2", "b2"]) == ["a2", "b2"])
    }

    @Test("there are at most three suggestions per area and five in all, always the same")
    func bounds() throws {
        let (first, second) = (UUID(), UUID())
        let roots = [UUID(), UUID()]
        let materials =
            [
                Engine.Material(id: roots[0], area: first, requires: []),
                Engine.Material(id: roots[1], area: second, requires: []),
            ]
            + (0..<20).map {
                Engine.Material(id: UUID(), area: $0 < 10 ? first : second, requires: [roots[$0 < 10 ? 0 : 1]])
            }
        let progress = Engine.Progress(state: .mastered, day: 1)
        let engine = Engine(
            materials: materials, progress: [roots[0]: progress, roots[1]: progress], excluded: [])
        let found = engine.suggestions
        #expect(found.map(\.area) == [first, second, first, second, first])
        #expect(found.map(\.material) == [2, 12, 3, 13, 4].map { materials[$0].id })
        let alone = Engine(
            materials: materials.filter { $0.area == first }, progress: [roots[0]: progress], excluded: [])
        #expect(alone.suggestions.count == 3)
        for _ in 0..<20 { #expect(engine.suggestions == found) }
    }
}
