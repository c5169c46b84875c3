/// A library that only some modules may import.
private struct Restriction: Sendable {
    let library: String
    /// Whether modules that begin with its name count too (`HummingbirdTesting`).
    var isFamily = false
    let place: String
    let isAllowed: @Sendable (Module) -> Bool

    func names(_ module: String) -> Bool {
        module == library || isFamily && module.hasPrefix(library)
    }

    /// The table of DESIGN.md sections 2 and 9, by library.
    static let all: [Restriction] =
        [
            Restriction(library: "GRDB", isFamily: true, place: "Persistence and Client") {
                $0.layer == .client || adapter("Persistence")($0)
            },
            Restriction(library: "CLibpq", place: "Persistence", isAllowed: adapter("Persistence")),
            Restriction(library: "CPostgreSQL", place: "Persistence", isAllowed: adapter("Persistence")),
            Restriction(library: "libpq", place: "Persistence", isAllowed: adapter("Persistence")),
            Restriction(library: "Hummingbird", isFamily: true, place: webPlace, isAllowed: web),
            Restriction(library: "NIO", isFamily: true, place: "Integrations, \(webPlace)") {
                web($0) || adapter("Integrations")($0)
            },
            Restriction(library: "AsyncHTTPClient", place: "Integrations and apps") {
                $0.layer == .adapter("Integrations") || $0.layer == .tests("Integrations") || $0.layer == .app
            },
            Restriction(library: "Crypto", isFamily: true, place: "Integrations and tools") {
                $0.layer == .tool || adapter("Integrations")($0)
            },
            Restriction(library: "JWTKit", place: "Integrations", isAllowed: adapter("Integrations")),
            Restriction(library: "FoundationNetworking", place: "Integrations, Client, apps, tests and tools") {
                [.adapter("Integrations"), .client, .app, .tool].contains($0.layer) || $0.layer.isTest
            },
            Restriction(library: "SwiftSyntax", isFamily: true, place: "tools") { $0.layer == .tool },
            Restriction(library: "SwiftParser", isFamily: true, place: "tools") { $0.layer == .tool },
            Restriction(library: "Yams", place: "tools") { $0.layer == .tool },
            Restriction(library: "ArgumentParser", place: "apps and tools") {
                [.app, .clientApp, .tool].contains($0.layer)
            },
            Restriction(library: "Testing", place: "tests") { $0.layer.isTest },
        ]
        + AppleFrameworks.names.sorted().map { library in
            Restriction(library: library, place: "Apps/iOS") { AppleFrameworks.mayImport($0.path) }
        }

    private static let webPlace = "Web, apps and EndToEndTests"
    private static let web: @Sendable (Module) -> Bool = { module in
        module.layer == .adapter("Web") && module.name != "WebHTML" || module.layer == .app
            || module.layer == .systemTests || module.layer == .tests("Web")
    }

    /// Whether a module is the adapter or its tests.
    private static func adapter(_ name: String) -> @Sendable (Module) -> Bool {
        { $0.layer == .adapter(name) || $0.layer == .tests(name) }
    }
}

extension Rule {
    static let restrictedImports = Rule(
        "restricted-imports", "A library is imported only by the adapter, app or tool that it belongs to."
    ) { tree in
        func broken(_ module: Module, _ library: String) -> Restriction? {
            Restriction.all.first { $0.names(library) && !$0.isAllowed(module) }
        }
        let byManifest = tree.manifest.targets.flatMap { target -> [Violation] in
            guard let module = tree.module(named: target.name) else { return [] }
            return target.dependencies.compactMap { library in
                broken(module, library).map {
                    Violation(
                        "Package.swift", tree.lineInManifest(of: target.name),
                        "\(target.name) must not depend on \(library), which belongs to \($0.place)")
                }
            }
        }
        let byImports = tree.inEachSource { file in
            guard let module = tree.module(of: file.path) else { return [] }
            return file.facts.imports.compactMap { found in
                broken(module, found.module).map {
                    Violation(
                        file.path, found.line,
                        "\(module.name) must not import \(found.module), which belongs to \($0.place)")
                }
            }
        }
        return byManifest + byImports
    }

    /// Modules that some platforms lack. The shared modules are built and tested on Linux.
    private static let ofOnePlatform = AppleFrameworks.names.union([
        "Glibc", "Musl", "Darwin", "Security", "os", "OSLog",
    ])

    static let platform = Rule(
        "platform", "Modules of one platform are imported behind '#if canImport'."
    ) { tree in
        tree.inEachSource { file in
            file.facts.imports.compactMap { found in
                guard ofOnePlatform.contains(found.module), !found.isConditional,
                    !AppleFrameworks.mayImport(file.path)
                else { return nil }
                return Violation(
                    file.path, found.line,
                    "\(found.module) is not everywhere: import it inside '#if canImport(\(found.module))'")
            }
        }
    }

    /// Modules of the language, and the domain's own.
    private static let plain: Set<String> = ["Foundation", "FoundationEssentials", "Synchronization", "Domain"]

    static let engines = Rule(
        "engines", "The domain, interfaces and engines (*Engine.swift, Engines/) import Foundation at most."
    ) { tree in
        tree.inEachSource { file in
            guard let layer = file.layer, layer.isPure || file.isEngine && !layer.isTest else { return [] }
            return file.facts.imports.compactMap { found in
                if plain.contains(found.module) { return nil }
                switch tree.module(named: found.module)?.layer {
                case .interface, .model: return nil
                default: break
                }
                // Decision 0034: an interface may import FeatureKit for the transaction that it works in.
                if case .interface = layer, found.module == "FeatureKit" { return nil }
                return Violation(
                    file.path, found.line,
                    "\(found.module) must not come in here: this code is plain values and functions over Foundation"
                )
            }
        }
    }
}

extension SourceFile {
    fileprivate var isEngine: Bool {
        path.hasPrefix("Modules/") && (path.hasSuffix("Engine.swift") || path.contains("/Engines/"))
    }
}
