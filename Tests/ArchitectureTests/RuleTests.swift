import Conformance
import Foundation
import Synchronization
import TestKit
import Testing

/// Runs every rule on the project and on a fixture that breaks it, since a check that cannot fail is a defect.
@Suite("The rules of the project")
struct RuleTests {
    @Test("the project keeps its rules", arguments: RuleTests.names)
    func passing(rule name: String) async throws {
        let broken = try await ProjectTree.violations(of: try rule(name))
        #expect(broken.isEmpty, "\(broken.listed)")
    }

    @Test("the fixture that breaks a rule gives the expected findings", arguments: RuleTests.names)
    func caught(rule name: String) throws {
        let found = try rule(name).violations(in: Fixture(name).tree("bad")).listed
        let expected = try Fixture(name).expected()
        #expect(!expected.isEmpty)
        #expect(found == expected)
    }

    @Test("the fixture that keeps a rule passes", arguments: RuleTests.names)
    func passes(rule name: String) throws {
        let tree = try Fixture(name).tree("good")
        #expect(!tree.texts.isEmpty)
        #expect(try rule(name).violations(in: tree).listed == "")
    }

    @Test("each rule has a fixture, and each fixture a rule")
    func complete() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Fixture.folder.path)
        #expect(Set(folders) == Set(RuleTests.names))
    }

    // Rows of the ledger, each shown by the rules that enforce it.

    @Test(
        "the shared modules build on Linux, and imports of one platform are conditional",
        .requirement("WW-0.03", "TQ-0.03.a", "TQ-0.03.b", "TQ-0.07", "PT-1.01.a", "PT-1.01.b"),
        arguments: ["platform", "restricted-imports"])
    func platforms(rule name: String) async throws {
        try await expectHeld(name)
        let manifest = try #require(try await ProjectTree.tree().text("Package.swift")).text
        #expect(manifest.contains(".iOS(.v17)"), "the oldest system of the app's shell")
        #expect(manifest.hasPrefix("// swift-tools-version: 6.2\n"))
    }

    @Test(
        "tokens, models, sign-in, shell, services and screens depend only on earlier layers",
        arguments: ["layers", "cycles"])
    func order(rule name: String) async throws { try await expectHeld(name) }

    @Test(
        "views import neither storage nor networking", .requirement("PT-1.02.a", "PT-1.02.c"),
        arguments: ["layers", "restricted-imports"])
    func layering(rule name: String) async throws { try await expectHeld(name) }

    @Test("singletons have a written reason", .requirement("WW-0.01.b", "PT-1.03.c"))
    func singletons() async throws { try await expectHeld("singletons") }

    @Test("every picture has its placeholder, because one place draws all pictures", .requirement("WW-18.01.d"))
    func images() async throws { try await expectHeld("images") }

    @Test(
        "no view model is shared by views, each is small, and none reads data, files, the network or the system",
        .requirement("WW-0.01.a", "PT-1.02.b"))
    func viewModels() async throws { try await expectHeld("view-models") }

    @Test(
        "a service is made where its block is put together and comes in through an initializer",
        .requirement("PT-1.03.b"))
    func services() async throws { try await expectHeld("services") }

    @Test("colors, sizes and durations come from the tokens", .requirement("PT-1.04.a", "PT-1.04.c"))
    func style() async throws { try await expectHeld("style-literals") }

    @Test("the code contains no text of a screen", .requirement("WW-10.02"))
    func visibleText() async throws { try await expectHeld("visible-text") }

    @Test(
        "French covers every key, and no key is unused",
        .requirement("WW-10.01.a", "WW-10.01.b", "WW-10.03.a", "WW-10.03.b"))
    func catalogs() async throws { try await expectHeld("catalogs") }

    @Test("dates follow the locale", .requirement("WW-10.04.b"))
    func dates() async throws { try await expectHeld("locale-formats") }

    @Test(
        "engines import Foundation at most, and only adapters import packages",
        .requirement("TQ-0.04.b", "TQ-0.06.a", "TQ-0.06.b"),
        arguments: ["engines", "restricted-imports"])
    func engines(rule name: String) async throws { try await expectHeld(name) }

    // MARK: - Helpers

    static let names = Rule.all.map(\.name)

    private func rule(_ name: String) throws -> Rule { try #require(Rule.all.first { $0.name == name }) }

    /// Expects that the project keeps the rule and that the rule finds its fixture.
    private func expectHeld(_ name: String) async throws {
        let rule = try rule(name)
        #expect(try !rule.violations(in: Fixture(name).tree("bad")).isEmpty)
        let broken = try await ProjectTree.violations(of: rule)
        #expect(broken.isEmpty, "\(broken.listed)")
    }
}

/// The repository of these tests. Reading and checking it takes tens of seconds, so it runs on its own thread and does
/// not block tests of servers and streams.
enum ProjectTree {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func tree() async throws -> SourceTree { try await aside { try read.get() } }

    /// The findings of a rule. Each rule runs once, also if several tests ask.
    static func violations(of rule: Rule) async throws -> [Violation] {
        try await aside {
            if let known = found.withLock({ $0[rule.name] }) { return known }
            let violations = try rule.violations(in: read.get())
            found.withLock { $0[rule.name] = violations }
            return violations
        }
    }

    private static let found = Mutex<[String: [Violation]]>([:])

    /// Read once, since dumping the manifest takes seconds. The facts are those of `tower check`, which runs before the
    /// tests in `make test`: parsing all sources again took 100 seconds of a processor.
    private static let read = Result {
        try SourceTree(at: root, manifest: Manifest(ofPackageAt: root), cache: cache())
    }

    /// The facts that `tower` stored; `nil` if the program was not built.
    private static func cache() throws -> FactCache? {
        let tower = root.appending(path: ".build/debug/tower")
        guard FileManager.default.fileExists(atPath: tower.path) else { return nil }
        return try FactCache(root.appending(path: ".build/conformance/facts.json"), of: tower)
    }

    private static let thread = DispatchQueue(label: "rules")

    private static func aside<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            thread.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}

/// A small source tree in a folder, with files named `X.swift.txt`.
struct Fixture {
    static let folder = ProjectTree.root.appending(path: "Tests/ArchitectureTests/Fixtures")

    let rule: String

    init(_ rule: String) { self.rule = rule }

    func tree(_ kind: String) throws -> SourceTree {
        try SourceTree(fixture: Fixture.folder.appending(path: "\(rule)/\(kind)"))
    }

    func expected() throws -> String {
        try String(contentsOf: Fixture.folder.appending(path: "\(rule)/expected.txt"), encoding: .utf8)
    }
}

extension [Violation] {
    /// One line per violation, as `tower check` prints them.
    var listed: String { map { "\($0)\n" }.joined() }
}
