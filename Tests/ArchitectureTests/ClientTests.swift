import Conformance
import Foundation
import TestKit
import Testing

/// What the source of the client library shows.
@Suite("The source of the client")
struct ClientSourceTests {
    @Test(
        "the client, its stores and the models of Residence and Messaging are where DESIGN.md puts them",
        .requirement("PG-9.01.a"))
    func layout() async throws {
        let tree = try await ProjectTree.tree()
        let paths = Set(tree.sources.map(\.path))
        for path in [
            "Stores/AppStore", "Stores/Store", "PGStore/PGStore", "PGStore/PGStoreState",
            "PGStore/Models/StudentDto",
            "ChatStore/ChatStore", "ChatStore/ChatStoreState",
        ] {
            #expect(paths.contains("Modules/Client/\(path).swift"))
        }
        for path in ["Residence/Model/Room", "Messaging/Model/Conversation"] {
            #expect(paths.contains("Modules/\(path).swift"))
        }
        for name in ["ResidenceModel", "MessagingModel"] {
            #expect(tree.manifest.targets.first { $0.name == name }?.dependencies == ["Domain"])
        }
    }

    @Test(
        "every operation of a store is called by a test of the client, on that store and without a network",
        .requirement("PG-8.06.a", "PG-7.01.a"),
        arguments: [
            ("AppStore", "store"), ("PGStore", "pg|pgStore"), ("ChatStore", "chat|chatStore"),
            ("AttendanceStore", "attendanceStore"), ("FoodStore", "foodStore"), ("PageStore", "pageStore"),
            ("GateStore", "door.store"), ("QuestStore", "quests|questStore"),
        ])
    func operations(of store: String, calledOn names: String) async throws {
        let tree = try await ProjectTree.tree()
        let text = try #require(
            tree.texts.first { $0.path.hasPrefix("Modules/Client/") && $0.path.hasSuffix("/\(store).swift") }
        ).text
        let tests = tree.texts.filter { $0.path.hasPrefix("Tests/ClientTests/") }.map(\.text).joined(
            separator: "\n")
        let operations = Set(text.matches(of: /public func (\w+)/).map { String($0.1) })
        #expect(!operations.isEmpty)
        let untested = try operations.filter { operation in
            try !tests.contains(Regex("[^A-Za-z](\(names))(\\.state)?\\.\(operation)\\("))
        }
        #expect(untested.sorted() == [])
        // The stores of these tests are built from fakes; the live managers and sockets are tested elsewhere.
        #expect(tests.contains("AppStore.open("))
        for live in ["URLSession", "LiveAPIManager(", "LiveAuthManager("] { #expect(!tests.contains(live)) }
    }

    @Test(
        "every store has a documentation comment and its place in the client's README", .requirement("PG-6.05.b"),
        arguments: ["AppStore", "PGStore", "ChatStore", "AttendanceStore", "FoodStore", "PageStore", "QuestStore"])
    func documented(store: String) async throws {
        let texts = try await ProjectTree.tree().texts
        let source = try #require(
            texts.first { $0.path.hasPrefix("Modules/Client/") && $0.path.hasSuffix("/\(store).swift") }
        ).text
        let declaration = try Regex("///[^\\n]+\\n(@[^\\n]+\\n)*public final class \(store)\\b")
        #expect(source.contains(declaration))
        #expect(texts.first { $0.path == "Modules/Client/README.md" }?.text.contains("`\(store)`") == true)
    }

    @Test(
        "no view of the app holds a copy of a store's data, a manager of its own or a call of the API",
        .requirement("PG-6.05.a", "PG-1.01.b", "PG-1.01.c"))
    func views() async throws {
        let tree = try await ProjectTree.tree()
        let rules = Rule.all.filter { ["store-copies", "apple"].contains($0.name) }
        #expect(rules.count == 2)
        for rule in rules {
            let found = try await ProjectTree.violations(of: rule).filter { $0.file.hasPrefix("Apps/iOS/") }
            #expect(found.listed == "")
        }
        // Requests are made by the client alone.
        let sources = tree.sources.filter { $0.path.hasPrefix("Apps/iOS/") }
        #expect(sources.contains { $0.path.hasSuffix("View.swift") })
        for name in ["APIRequest", "LiveAPIManager"] {
            let users = sources.filter { $0.facts.identifiers[name] != nil }.map(\.path)
            // The one place that connects the session with a server.
            #expect(users.filter { $0 != "Apps/iOS/Shell/Session/AppSession.swift" } == [], "\(name)")
        }
    }

    @Test(
        "the app draws what the server describes: its renderer knows the design alone, and the app is a tenth of the code at most",
        .requirement("PT-1.01.c"))
    func thin() async throws {
        let tree = try await ProjectTree.tree()
        let design: Set = [
            "DesignSystem", "DesignTokens", "Domain", "Foundation", "Observation", "SwiftUI",
        ]
        let app = tree.sources.filter { $0.path.hasPrefix("Apps/iOS/") }
        let renderer = app.filter { $0.path.hasPrefix("Apps/iOS/ScreenUI/") }
        #expect(renderer.count > 20)
        for file in renderer {
            let others = Set(file.facts.imports.map(\.module)).subtracting(design)
            #expect(others == [], "\(file.path)")
        }
        func lines(_ files: [SourceFile]) -> Int { files.reduce(0) { $0 + $1.lineCount } }
        let product = tree.sources.filter { $0.path.hasPrefix("Modules/") || $0.path.hasPrefix("Apps/") }
        #expect(lines(app) * 10 < lines(product), "\(lines(app)) lines of \(lines(product))")
        #expect(lines(renderer) < 5000, "\(lines(renderer)) lines of the renderer")
    }

    @Test("pages and native views ask the store who the person is, not the auth manager", .requirement("PG-1.05.c"))
    func person() async throws {
        let tree = try await ProjectTree.tree()
        let views = tree.sources.filter { source in
            ["Native/", "Shell/Pages/", "ScreenUI/"].contains { source.path.hasPrefix("Apps/iOS/\($0)") }
                // This file declares the value that the root puts into the environment.
                && source.path != "Apps/iOS/Native/NativePage.swift"
        }
        #expect(views.count > 30)
        for name in ["auth", "authManager", "AuthManager", "SignInManager"] {
            #expect(views.filter { $0.facts.identifiers[name] != nil }.map(\.path) == [], "\(name)")
        }
    }

    @Test(
        "the client is compiled in the Swift 6 language mode, and a warning fails its build",
        .requirement("PG-8.05.b"))
    func concurrency() async throws {
        let manifest = try #require(try await ProjectTree.tree().text("Package.swift")).text
        #expect(manifest.contains(".swiftLanguageMode(.v6),\n    .treatAllWarnings(as: .error),"))
        #expect(manifest.contains("target.swiftSettings = settings +"))
    }
}
