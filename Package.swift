// swift-tools-version: 6.2
import PackageDescription

// The house as one table. A block is a line in `features`; everything else follows from the layer
// it stands in. See docs/developers.md ("Add a block in ten minutes").
//
//   FEATURES=Quest,Search   only these blocks, what their interfaces need, and a server with them
//   BLOCK=Quest             only this block, the kernel, its tests and Persistence for them; no server
//   BLOCK=                  only the kernel and the kernel's tests

/// One block: what it offers to others and whose interfaces it reads.
struct Feature {
    let name: String
    /// Whether a folder `Model` holds values that travel over the API.
    var model = false
    var interface = false
    var testing = false
    /// Whether a folder `Fixtures` beside its tests holds files that they read.
    var fixtures = false
    /// Features without which this block cannot be built; its sources import their *Interface*s.
    var needs: [String] = []
    /// Features that this block works with where they are there; of an absent one only the *Interface* is compiled.
    var uses: [String] = []

    var interfaces: [String] { needs + uses }
}

let features: [Feature] = [
    Feature(name: "Auth", interface: true, uses: ["Shell"]),
    Feature(name: "Organization", interface: true, testing: true, needs: ["Auth"], uses: ["Shell"]),
    Feature(
        name: "Classroom", interface: true, testing: true, needs: ["Organization"],
        uses: ["CalendarFeed", "Curriculum", "Insights", "Shell"]),
    Feature(
        name: "Roster", interface: true, testing: true, needs: ["Organization", "Classroom"],
        uses: ["Courses", "Enrollment"]),
    Feature(name: "Records", interface: true, needs: ["Auth", "Organization"]),
    Feature(name: "Notifications", interface: true),
    Feature(name: "Search"),
    Feature(name: "Preferences", uses: ["Auth"]),
    Feature(
        name: "Shell", model: true, interface: true, needs: ["Auth", "Organization"],
        uses: ["CalendarFeed", "Classroom", "Courses", "Reminders"]),
    Feature(name: "Audit", uses: ["Organization"]),
    Feature(name: "Curriculum", interface: true, needs: ["Classroom"], uses: ["Organization"]),
    Feature(
        name: "Insights", interface: true, needs: ["Organization", "Classroom"],
        uses: ["Curriculum", "Shell"]),
    Feature(
        name: "Reports", needs: ["Organization", "Classroom"], uses: ["Courses", "Curriculum", "Grading"]),
    Feature(
        name: "Messaging", model: true, needs: ["Organization"],
        uses: ["Classroom", "Courses", "Notifications", "Shell"]),
    Feature(name: "Quest", model: true, fixtures: true, needs: ["Auth"]),
    Feature(
        name: "Courses", interface: true, testing: true, needs: ["Organization"], uses: ["CalendarFeed", "Shell"]),
    Feature(
        name: "Enrollment", interface: true, needs: ["Organization", "Courses"], uses: ["Classroom", "Shell"]),
    Feature(
        name: "Grading", interface: true, fixtures: true, needs: ["Organization", "Courses"],
        uses: ["Notifications", "Shell"]),
    Feature(name: "Progress", needs: ["Organization", "Courses", "Grading"], uses: ["Shell"]),
    Feature(name: "Residence", model: true, needs: ["Auth", "Organization"], uses: ["CalendarFeed", "Classroom"]),
    Feature(name: "CalendarFeed", interface: true),
    Feature(
        name: "Coursework", model: true, needs: ["Organization", "Courses", "Grading"],
        uses: ["CalendarFeed", "Notifications", "Reminders", "Shell"]),
    Feature(
        name: "Assessment", model: true, needs: ["Organization", "Courses", "Grading"],
        uses: ["CalendarFeed", "Notifications", "Reminders"]),
    Feature(name: "Reminders", interface: true, needs: ["Organization"], uses: ["Notifications"]),
    Feature(name: "Wellness", needs: ["Organization"], uses: ["Shell"]),
    Feature(name: "Materials", uses: ["Shell"]),
    Feature(name: "Practice", fixtures: true, needs: ["Organization"], uses: ["Classroom", "Courses", "Shell"]),
    Feature(name: "Flashcards", model: true, fixtures: true, needs: ["Organization", "Courses"], uses: ["Shell"]),
]

// MARK: - Selection

func names(_ variable: String) -> [String]? {
    Context.environment[variable].map { value in
        value.split(separator: ",").map(String.init).filter { !$0.isEmpty }
    }
}

/// The named features and every feature that they need, directly or through another.
func closure(of wanted: [String]) -> [Feature] {
    var seen: Set<String> = []
    var open = wanted
    while let name = open.popLast() {
        guard let feature = features.first(where: { $0.name == name }) else {
            fatalError("no block is named '\(name)'; there are \(features.map(\.name).joined(separator: ", "))")
        }
        if seen.insert(name).inserted { open += feature.needs }
    }
    return features.filter { seen.contains($0.name) }
}

let block = names("BLOCK")
let withAdapters = block == nil
let selected = closure(of: block ?? names("FEATURES") ?? features.map(\.name))

// MARK: - Settings of every target

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// MARK: - Kernel

var dependencies: [Package.Dependency] = [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")
]
var products: [Product] = []
var targets: [Target] = [
    .target(name: "Domain", path: "Modules/Domain/Sources"),
    .target(name: "DesignTokens", path: "Modules/DesignTokens/Sources", resources: [.copy("Resources")]),
    .target(
        name: "DesignSystem", dependencies: ["DesignTokens", "Domain"], path: "Modules/DesignSystem/Sources"),
    // What blocks declare and use, without pages: interfaces import it.
    .target(
        name: "FeatureKit", dependencies: ["Domain"], path: "Modules/FeatureKit/Sources",
        resources: [.copy("Resources")]),
    .target(
        name: "ScreenKit", dependencies: ["Domain", "FeatureKit", "DesignSystem"], path: "Modules/ScreenKit/Sources"
    ),
    // Runs what blocks declare; no block imports it.
    .target(
        name: "FeatureRuntime", dependencies: ["Domain", "FeatureKit", "ScreenKit"],
        path: "Modules/FeatureRuntime/Sources"),
    .target(
        name: "Persistence",
        dependencies: [
            "Domain", "FeatureKit", .product(name: "GRDB", package: "GRDB.swift"),
            .product(name: "GRDBSQLite", package: "GRDB.swift"),
        ],
        path: "Modules/Persistence/Sources"),
    // Shared test kit: the requirement trait, fixed clocks, loud fakes, a temporary school on SQLite.
    .target(
        name: "TestKit",
        dependencies: ["Domain", "FeatureKit", "ScreenKit", "FeatureRuntime", "DesignSystem", "Persistence"],
        path: "Tests/TestKit", exclude: ["README.md"]),
]

// MARK: - Blocks

/// The interfaces that the selected blocks import, their own among them, with the testing kits of these blocks.
let interfaces = Set(selected.flatMap { $0.interfaces + ($0.interface ? [$0.name] : []) })
for name in interfaces.sorted() {
    targets.append(
        .target(
            name: "\(name)Interface", dependencies: ["Domain", "FeatureKit"], path: "Modules/\(name)/Interface"))
    if features.contains(where: { $0.name == name && $0.testing }) {
        targets.append(
            .target(
                name: "\(name)Testing",
                dependencies: ["Domain", "FeatureKit", .init(stringLiteral: "\(name)Interface")],
                path: "Modules/\(name)/Testing"))
    }
}

for feature in selected {
    let root = "Modules/\(feature.name)"
    let interfaces = feature.interfaces.map { Target.Dependency(stringLiteral: "\($0)Interface") }
    let own: [Target.Dependency] =
        (feature.interface ? [.init(stringLiteral: "\(feature.name)Interface")] : [])
        + (feature.model ? [.init(stringLiteral: "\(feature.name)Model")] : [])
    if feature.model {
        targets.append(.target(name: "\(feature.name)Model", dependencies: ["Domain"], path: "\(root)/Model"))
    }
    targets.append(
        .target(
            name: feature.name,
            dependencies: ["Domain", "FeatureKit", "ScreenKit", "DesignSystem"] + own + interfaces,
            path: "\(root)/Sources", resources: [.copy("Resources")]))
}

/// Test targets may also use the Testing kit of the features that they need.
for feature in selected where block == nil || block!.contains(feature.name) {
    let kits = ([feature.name] + feature.interfaces).filter { name in
        features.contains { $0.name == name && $0.testing }
    }
    let seen = ([feature.name] + feature.interfaces).filter { name in
        features.contains { $0.name == name && $0.interface }
    }
    targets.append(
        .testTarget(
            name: "\(feature.name)Tests",
            dependencies: [
                .init(stringLiteral: feature.name), "Domain", "FeatureKit", "ScreenKit", "FeatureRuntime",
                "DesignSystem", "TestKit",
            ]
                + seen.map { .init(stringLiteral: "\($0)Interface") }
                + (feature.model ? [.init(stringLiteral: "\(feature.name)Model")] : [])
                + kits.map { .init(stringLiteral: "\($0)Testing") },
            path: "Tests/\(feature.name)Tests", exclude: feature.fixtures ? ["Fixtures"] : []))
}

/// Several blocks together on a real school, without a server: what no block can show alone.
let together = ["Organization", "Classroom", "Roster"]
if block?.contains("Roster") ?? true, together.allSatisfy({ name in selected.contains { $0.name == name } }) {
    targets.append(
        .testTarget(
            name: "SchoolTests",
            dependencies: [
                "Domain", "FeatureKit", "ScreenKit", "FeatureRuntime", "DesignSystem", "Persistence", "TestKit",
                "AuthInterface", "CoursesInterface", "EnrollmentInterface", "RosterTesting",
            ]
                + together.flatMap { [.init(stringLiteral: $0), .init(stringLiteral: "\($0)Interface")] },
            path: "Tests/SchoolTests"))
}

func kernelTests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.init(stringLiteral: name), "TestKit"] + (name == "Domain" ? [] : ["Domain"]) + dependencies,
        path: "Tests/\(name)Tests")
}

if withAdapters || block?.isEmpty == true {
    targets += [
        kernelTests("Domain"),
        kernelTests("DesignTokens"),
        kernelTests("DesignSystem", ["DesignTokens"]),
        kernelTests("FeatureKit"),
        kernelTests("ScreenKit", ["FeatureKit", "DesignSystem"]),
        kernelTests("FeatureRuntime", ["FeatureKit", "ScreenKit", "DesignSystem"]),
        kernelTests("Persistence", ["FeatureKit", "FeatureRuntime", "crashprobe"]),
        // Writes until it is killed; PersistenceTests look at what is left.
        .executableTarget(
            name: "crashprobe", dependencies: ["FeatureKit", "FeatureRuntime", "Persistence"],
            path: "Tests/Support/CrashProbe"),
    ]
}

// MARK: - Client

// The stores of native apps: what travels over the API and a file on the device, no server.
let clientModels = ["Residence", "Messaging", "Shell", "Quest"]
let withClient = withAdapters && clientModels.allSatisfy { name in selected.contains { $0.name == name } }
if withClient {
    let models = clientModels.map { Target.Dependency(stringLiteral: "\($0)Model") }
    targets += [
        .target(
            name: "Client",
            dependencies: ["Domain", .product(name: "GRDB", package: "GRDB.swift")] + models,
            path: "Modules/Client", exclude: ["README.md"], resources: [.copy("Resources")]),
        // Makes changes until it is killed; ClientTests look at what is left.
        .executableTarget(
            name: "clientprobe", dependencies: ["Client", "Domain"] + models, path: "Tests/Support/ClientProbe"),
        .testTarget(
            name: "ClientTests", dependencies: ["Client", "Domain", "TestKit", "clientprobe"] + models,
            path: "Tests/ClientTests"),
    ]
    products.append(.library(name: "Client", targets: ["Client"]))
    // The program of a small computer at a residence's door: the client with a reader, no server.
    targets += [
        .target(
            name: "GateApp", dependencies: ["Client", "Domain", "ResidenceModel"], path: "Apps/Gate/App",
            resources: [.copy("Resources")]),
        .executableTarget(
            name: "pinktower-gate",
            dependencies: [
                "GateApp", "Domain", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Apps/Gate/Command"),
        .testTarget(
            name: "GateTests", dependencies: ["GateApp", "Client", "Domain", "ResidenceModel", "TestKit"],
            path: "Tests/GateTests"),
    ]
    products.append(.executable(name: "pinktower-gate", targets: ["pinktower-gate"]))
}

// MARK: - Adapters, apps and tools

if withAdapters {
    dependencies += [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: [.defaults, "YAML"]),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ]
    targets += [
        .systemLibrary(
            name: "CArchive", path: "Modules/Integrations/CArchive", pkgConfig: "libarchive",
            providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(
            name: "CQRencode", path: "Modules/Integrations/CQRencode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(
            name: "CZBar", path: "Modules/Integrations/CZBar", pkgConfig: "zbar",
            providers: [.apt(["libzbar-dev"])]),
        .systemLibrary(
            name: "CCMark", path: "Modules/Integrations/CCMark", pkgConfig: "libcmark-gfm",
            providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),
        .systemLibrary(
            name: "CPango", path: "Modules/Integrations/CPango", pkgConfig: "pangocairo",
            providers: [.apt(["libpango1.0-dev"])]),
        .systemLibrary(
            name: "CGD", path: "Modules/Integrations/CGD", pkgConfig: "gdlib",
            providers: [.apt(["libgd-dev"])]),
        .systemLibrary(
            name: "CInflate", path: "Modules/Integrations/CInflate", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CZlib", path: "Modules/Web/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "Integrations",
            dependencies: [
                "Domain", "FeatureKit", "ScreenKit", "DesignSystem", "DesignTokens", "CArchive", "CQRencode",
                "CCMark", "CInflate", "CPango", "CGD", "CZBar",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Modules/Integrations/Sources"),
        .target(
            name: "WebHTML", dependencies: ["Domain", "DesignSystem", "DesignTokens"],
            path: "Modules/Web/HTML", exclude: ["README.md"], resources: [.copy("Resources")]),
        .target(
            name: "Web",
            dependencies: [
                "Domain", "FeatureKit", "ScreenKit", "FeatureRuntime", "DesignSystem", "WebHTML",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                "CZlib",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Modules/Web/Sources", resources: [.copy("Resources")]),
        .target(
            name: "ServerApp",
            dependencies: [
                "Domain", "FeatureKit", "ScreenKit", "FeatureRuntime", "DesignSystem", "Persistence",
                "Integrations", "Web",
                "WebHTML",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "SystemPackage", package: "swift-system"),
            ] + selected.map { .init(stringLiteral: $0.name) }
                + interfaces.sorted().map { .init(stringLiteral: "\($0)Interface") },
            path: "Apps/Server/App",
            // The wiring of blocks that are not selected is not compiled.
            exclude: features.map(\.name).filter { name in !selected.contains { $0.name == name } }
                .map { "Wiring/\($0)Wiring.swift" },
            resources: [.copy("Resources")]),
        .executableTarget(
            name: "pinktower",
            dependencies: [
                "ServerApp", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Apps/Server/Command"),
        .executableTarget(
            name: "bench",
            // Quest, Grading and Flashcards for their engines, which are measured by themselves.
            dependencies: (selected.contains { $0.name == "Quest" } ? ["QuestModel"] : [])
                + (selected.contains { $0.name == "Grading" } ? ["Grading", "GradingInterface"] : [])
                + (selected.contains { $0.name == "Flashcards" } ? ["FlashcardsModel"] : [])
                + (withClient ? ["Client", "ResidenceModel"] : []) + [
                    "ServerApp", "DesignSystem", "Domain", "FeatureKit", "ScreenKit", "FeatureRuntime",
                    "Integrations", "Persistence", "Web",
                    .product(name: "Hummingbird", package: "hummingbird"),
                    .product(name: "AsyncHTTPClient", package: "async-http-client"),
                    .product(name: "NIOCore", package: "swift-nio"),
                    .product(name: "NIOFoundationCompat", package: "swift-nio"),
                    .product(name: "NIOHTTP1", package: "swift-nio"),
                    .product(name: "ArgumentParser", package: "swift-argument-parser"),
                ],
            path: "Apps/Bench", exclude: ["README.md"],
            swiftSettings: selected.map { .define("WITH_\($0.name.uppercased())") }),
        // The rules of DESIGN.md section 2, as code that reads the manifest and the sources.
        .target(
            name: "Conformance",
            dependencies: [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
            ],
            path: "Tools/Conformance", exclude: ["README.md"]),
        .executableTarget(
            name: "tower",
            dependencies: [
                "Conformance", .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Yams", package: "Yams"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
            ],
            path: "Tools/tower", exclude: ["README.md"]),
        .testTarget(
            name: "ArchitectureTests", dependencies: ["Conformance", "Domain", "TestKit", "tower"],
            path: "Tests/ArchitectureTests", exclude: ["Fixtures", "Samples"]),
        // Apple's side of Sign in with Apple, which the browser tests run as a process, and of its push service.
        .executableTarget(
            name: "standinapple",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/Support/StandInApple"),
        kernelTests(
            "Integrations",
            [
                "DesignSystem", "FeatureKit", "ScreenKit", "FeatureRuntime", "CGD", "standinapple",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"), .product(name: "JWTKit", package: "jwt-kit"),
            ]),
        kernelTests("WebHTML", ["DesignSystem", "DesignTokens"]),
        kernelTests("Web", ["FeatureKit", "ScreenKit", "FeatureRuntime"]),
        // The server as a process of its own, and a network with faults in front of it.
        .target(name: "ServerProcess", dependencies: ["TestKit"], path: "Tests/Support/ServerProcess"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "ServerApp", "ServerProcess", "Domain", "FeatureKit", "ScreenKit", "FeatureRuntime", "DesignSystem",
                "Web",
                "WebHTML",
                "TestKit", "Persistence",
                "pinktower", "bench", "Integrations", "standinapple",
            ] + (withClient ? ["Client", "ResidenceModel", "pinktower-gate"] : []) + [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Tests/EndToEndTests",
            exclude: withClient ? [] : ["Client"]),
    ]
    products += [
        .executable(name: "pinktower", targets: ["pinktower"]),
        .executable(name: "tower", targets: ["tower"]),
        .executable(name: "bench", targets: ["bench"]),
    ]
}

// MARK: - The iOS app

#if os(Linux)
    // Declarations of what the app uses of Apple's frameworks (decision 58), and what each needs of the others.
    let shapes: [(name: String, needs: [String])] = [
        ("UniformTypeIdentifiers", []), ("UIKit", ["UniformTypeIdentifiers"]), ("CoreMedia", []), ("CoreNFC", []),
        ("PhotosUI", ["UIKit"]), ("WebKit", ["SwiftUI", "UIKit"]),
        ("UserNotifications", []), ("SwiftUI", ["UIKit"]), ("AuthenticationServices", ["SwiftUI"]),
        ("WidgetKit", ["SwiftUI"]), ("QuickLook", ["SwiftUI"]), ("VisionKit", ["UIKit"]), ("PDFKit", ["UIKit"]),
        ("PencilKit", ["UIKit"]), ("AVFoundation", ["CoreMedia"]), ("AVKit", ["AVFoundation", "UIKit"]),
        ("Speech", ["AVFoundation"]), ("CoreSpotlight", ["UniformTypeIdentifiers"]),
    ]
    let buildsApp = true
#else
    // The views are for iOS only, so that a build of the package for a Mac leaves them out. Xcode, and IOS=1, select them.
    let shapes: [(name: String, needs: [String])] = []
    let buildsApp =
        names("IOS") != nil || Context.environment["__CFBundleIdentifier"] == "com.apple.dt.Xcode"
#endif

// Only with all blocks, and compiled only with the tests or by name: no product of the server contains it.
if block == nil, names("FEATURES") == nil, buildsApp {
    func frameworks(_ used: String...) -> [Target.Dependency] {
        used.filter { name in shapes.contains { $0.name == name } }.map { .init(stringLiteral: $0) }
    }
    for shape in shapes {
        targets.append(
            .target(
                name: shape.name, dependencies: shape.needs.map { .init(stringLiteral: $0) },
                path: "Tests/Support/AppleShapes/\(shape.name)"))
    }
    targets += [
        .target(name: "AppRouter", path: "Apps/iOS/Router"),
        .target(
            name: "ScreenUI", dependencies: ["Domain", "DesignTokens", "DesignSystem"] + frameworks("SwiftUI"),
            path: "Apps/iOS/ScreenUI", resources: [.copy("Resources")]),
        // Views on the stores of Client.
        .target(
            name: "NativeViews",
            dependencies: [
                "Client", "Domain", "DesignSystem", "DesignTokens", "MessagingModel", "QuestModel",
                "ResidenceModel",
                "ScreenUI",
            ] + frameworks("SwiftUI"),
            path: "Apps/iOS/Native", resources: [.copy("Resources")]),
        // The tools of the device, in place of web views.
        .target(
            name: "AppleTools",
            dependencies: ["ScreenUI", "DesignSystem", "DesignTokens", "Domain"]
                + frameworks(
                    "SwiftUI", "UIKit", "VisionKit", "PDFKit", "PencilKit", "AVFoundation", "AVKit", "CoreMedia",
                    "QuickLook", "CoreSpotlight", "UniformTypeIdentifiers", "CoreNFC", "AuthenticationServices",
                    "PhotosUI", "Speech"),
            path: "Apps/iOS/Apple"),
        .target(
            name: "Widgets",
            dependencies: ["AppRouter", "ScreenUI", "DesignSystem", "DesignTokens", "Domain", "ShellModel"]
                + frameworks("SwiftUI", "WidgetKit"),
            path: "Apps/iOS/Widget", resources: [.copy("Resources")]),
        // The app around the views: sign-in, tabs, pages, notifications.
        .target(
            name: "AppShell",
            dependencies: [
                "AppRouter", "Client", "Domain", "DesignSystem", "DesignTokens", "NativeViews", "ScreenUI",
            ] + frameworks("SwiftUI", "UIKit", "UserNotifications", "WebKit"),
            path: "Apps/iOS/Shell", resources: [.copy("Resources")]),
        // The one target that names the implementations of what the shell asks for.
        .target(
            name: "AppComposition",
            dependencies: ["AppShell", "AppleTools", "Client", "Domain", "ScreenUI", "ShellModel", "Widgets"]
                + frameworks("AuthenticationServices", "SwiftUI"),
            path: "Apps/iOS/Composition"),
    ]
    #if os(Linux)
        // Xcode compiles the programs of the app and of the widgets itself (Apps/iOS/project.yml).
        targets += [
            .executableTarget(
                name: "PinkTowerProgram", dependencies: ["AppComposition", "SwiftUI"], path: "Apps/iOS/App",
                exclude: [
                    "Assets.xcassets", "Info.plist", "PinkTower.entitlements", "PrivacyInfo.xcprivacy", "en.lproj",
                    "fr.lproj",
                ]),
            .executableTarget(
                name: "PinkTowerWidgets", dependencies: ["Widgets", "SwiftUI"],
                path: "Apps/iOS/WidgetExtension", exclude: ["Info.plist", "PinkTowerWidgets.entitlements"]),
        ]
        // The tests read what the shapes recorded, so they exist only on Linux.
        targets.append(
            .testTarget(
                name: "iOSTests",
                dependencies: [
                    "AppComposition", "AppRouter", "AppShell", "AppleTools", "Client", "NativeViews",
                    "PinkTowerProgram", "PinkTowerWidgets", "ScreenUI",
                    "Widgets", "Domain", "DesignTokens", "DesignSystem", "FeatureKit", "FeatureRuntime",
                    "MessagingModel", "QuestModel", "ResidenceModel", "ShellModel", "ScreenKit", "Web", "WebHTML",
                    "ServerApp", "ServerProcess", "TestKit", "standinapple",
                ] + shapes.map { .init(stringLiteral: $0.name) },
                path: "Tests/iOSTests"))
    #else
        // Xcode links the app with a library for each of its targets (Apps/iOS/project.yml).
        for target in targets where target.path?.hasPrefix("Apps/iOS/") == true {
            products.append(.library(name: target.name, targets: [target.name]))
        }
    #endif
}

for target in targets where target.type != .system {
    target.swiftSettings = settings + (target.swiftSettings ?? [])
}

let package = Package(
    name: "PinkTower",
    defaultLocalization: "en",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: products,
    dependencies: dependencies,
    targets: targets)
