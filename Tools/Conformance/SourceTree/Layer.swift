/// The layer of a target, which follows from its folder.
public enum Layer: Sendable, Hashable {
    case designTokens, domain, designSystem
    /// The kernel module with the types that every feature block declares its parts with, except pages; it knows
    /// nothing of pages.
    case featureKit
    /// The kernel module with the types that feature blocks declare their pages with.
    case screenKit
    /// The kernel module that runs the feature blocks. Blocks must not import it.
    case runtime
    /// Values of a feature that travel over the API.
    case model(String)
    case interface(String)
    case feature(String)
    /// A feature's fixtures for tests of other features.
    case testing(String)
    /// A module that connects the kernel with the outside, by its folder in Modules, which may hold several targets
    /// (Web).
    case adapter(String)
    case client
    case app
    /// An app on a device, which sees the client and nothing of the server.
    case clientApp
    /// The tests of a target, by the target's name.
    case tests(String)
    case testKit
    /// Tests of the whole system or of several feature blocks, which may import as much as an app.
    case systemTests
    case tool

    static let adapters: Set<String> = ["Persistence", "Web", "Integrations"]

    /// Finds the layer of a target; `nil` for a path that belongs to none.
    /// - Parameter path: relative to the root: `Modules/Quest/Sources/Model/Round.swift`.
    public init?(path: String) {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count >= 2 else { return nil }
        switch (parts[0], parts[1]) {
        case ("Modules", "DesignTokens"): self = .designTokens
        case ("Modules", "Domain"): self = .domain
        case ("Modules", "DesignSystem"): self = .designSystem
        case ("Modules", "FeatureKit"): self = .featureKit
        case ("Modules", "ScreenKit"): self = .screenKit
        case ("Modules", "FeatureRuntime"): self = .runtime
        case ("Modules", "Client"): self = .client
        case ("Modules", let name) where Layer.adapters.contains(name): self = .adapter(name)
        case ("Modules", let name):
            switch parts.dropFirst(2).first {
            case "Model": self = .model(name)
            case "Interface": self = .interface(name)
            case "Testing": self = .testing(name)
            case "Sources": self = .feature(name)
            default: return nil
            }
        case ("Apps", "Gate"): self = .clientApp
        case ("Apps", _): self = .app
        case ("Tools", _): self = .tool
        case ("Tests", "TestKit"): self = .testKit
        case ("Tests", "EndToEndTests"), ("Tests", "SchoolTests"), ("Tests", "iOSTests"): self = .systemTests
        case ("Tests", let name) where name.hasSuffix("Tests"): self = .tests(String(name.dropLast(5)))
        default: return nil
        }
    }

    public var isTest: Bool {
        switch self {
        case .tests, .testKit, .systemTests, .testing: true
        default: false
        }
    }

    /// Whether the layer may import Foundation at most.
    var isPure: Bool {
        switch self {
        case .domain, .designTokens, .model, .interface: true
        default: false
        }
    }

    /// The layer's name in messages of the rules.
    public var name: String {
        switch self {
        case .designTokens, .domain: "the ground floor"
        case .designSystem: "the design system"
        case .featureKit: "FeatureKit"
        case .screenKit: "ScreenKit"
        case .runtime: "the runtime"
        case .model: "a model"
        case .interface: "an interface"
        case .feature: "a feature"
        case .testing: "a testing kit"
        case .adapter: "an adapter"
        case .client: "the client"
        case .app: "an app"
        case .clientApp: "an app of a device"
        case .tests: "tests of one target"
        case .testKit: "the test kit"
        case .systemTests: "tests of the system"
        case .tool: "a tool"
        }
    }
}

/// A target, known from the manifest or from its folder.
public struct Module: Sendable, Hashable {
    public let name: String
    public let path: String
    public let layer: Layer

    /// Whether this module may depend on `other` (DESIGN.md section 2).
    public func mayDepend(on other: Module) -> Bool {
        switch (layer, other.layer) {
        case (_, _) where name == other.name: true

        case (.designTokens, _), (.domain, _): false
        case (.designSystem, .designTokens), (.designSystem, .domain): true
        case (.featureKit, .domain): true
        case (.screenKit, .domain), (.screenKit, .featureKit), (.screenKit, .designSystem): true
        case (.runtime, .domain), (.runtime, .featureKit), (.runtime, .screenKit): true
        case (.model, .domain), (.model, .model): true
        // Decision 0034: an interface may import FeatureKit for the caller's transaction, but no pages.
        case (.interface, .domain), (.interface, .featureKit), (.interface, .model): true
        case (.feature, .domain), (.feature, .featureKit), (.feature, .screenKit), (.feature, .designSystem): true
        case (.feature, .interface), (.feature, .model): true
        case (.testing, .domain), (.testing, .featureKit), (.testing, .model): true
        case (.testing(let own), .interface(let name)): own == name
        case (.adapter, .domain), (.adapter, .featureKit), (.adapter, .screenKit), (.adapter, .designSystem): true
        case (.adapter, .designTokens): true
        // The adapter that receives requests.
        case (.adapter("Web"), .runtime): true
        case (.adapter(let own), .adapter(let name)): own == name
        case (.client, .domain), (.client, .model): true

        case (.clientApp, .client), (.clientApp, .domain), (.clientApp, .model), (.clientApp, .clientApp): true
        // The iOS app sees the description of pages, the client and what travels over the API, and nothing of the server.
        case (.app, .model) where path.hasPrefix("Apps/iOS"): true
        case (.app, let layer) where path.hasPrefix("Apps/iOS"):
            [.designTokens, .domain, .designSystem, .client].contains(layer)
                || other.path.hasPrefix("Apps/iOS")
        case (.app, let layer): !layer.isTest && layer != .tool
        case (.systemTests, let layer): layer != .tool
        case (.testKit, let layer):
            [.domain, .featureKit, .screenKit, .runtime, .designSystem, .adapter("Persistence")].contains(layer)
        case (.tests(let tested), .clientApp): other.path.hasPrefix("Apps/\(tested)/")
        case (.tests(let tested), let layer): mayBeTested(tested, with: layer, named: other.name)
        case (.tool, .tool): true
        default: false
        }
    }

    private func mayBeTested(_ tested: String, with layer: Layer, named name: String) -> Bool {
        switch layer {
        case .testKit, .testing, .interface, .model, .domain, .featureKit, .screenKit, .runtime, .designSystem: true
        case .designTokens: true
        case .feature: name == tested
        // An adapter may have several modules, such as the C library that it calls.
        case .adapter(let own): own == tested || name == tested
        case .client: tested == name || Layer(path: "Apps/\(tested)/") == .clientApp
        // The client is tested against the real server.
        case .app: tested == name || tested == "Client"
        case .tool: tested == "Architecture" || tested == name
        case .tests, .systemTests, .clientApp: false
        }
    }
}
