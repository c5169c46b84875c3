/// Apple's frameworks, which the iOS app uses and which are not on the systems that build the server.
public enum AppleFrameworks {
    /// Frameworks that only the iOS app, its tests and the shapes may import.
    static let names: Set<String> = [
        "ActivityKit", "AppIntents", "AppKit", "ARKit", "AuthenticationServices", "AVFoundation", "AVKit",
        "Combine",
        "CoreData", "CoreMedia", "CoreNFC", "CoreSpotlight", "LocalAuthentication", "MapKit", "PDFKit", "PencilKit",
        "PhotosUI",
        "QuickLook",
        "RealityKit", "Speech", "SpriteKit", "StoreKit", "SwiftData", "SwiftUI", "UIKit", "UniformTypeIdentifiers",
        "UserNotifications",
        "Vision", "VisionKit", "WatchKit", "WebKit", "WidgetKit",
    ]
    static let app = "Apps/iOS/"
    static let tests = "Tests/iOSTests/"
    /// The folder with a target for each framework: declarations of what the app uses (decision 58).
    static let shapes = "Tests/Support/AppleShapes/"
    /// The part of a shape that only tests use.
    static let recording = "/Recording/"
    /// The document with the table of the declarations.
    public static let document = "docs/ios.md"

    static func mayImport(_ path: String) -> Bool {
        [app, tests, shapes].contains { (path + "/").hasPrefix($0) }
    }
}

/// A declaration of one of Apple's frameworks, in the shapes.
struct AppleSymbol: Hashable {
    let framework: String
    let name: String
    /// The title of its page in Apple's documentation.
    let page: String
    /// The first version of iOS that has it.
    let version: String
    let file: String
    let line: Int

    /// Whether an app for iOS 17 may use it.
    var isOldEnough: Bool { (version.split(separator: ".").first.flatMap { Int($0) } ?? .max) <= 17 }

    /// The word by which the app names it.
    var word: String {
        let member = name.split(separator: ".").last ?? ""
        return String(member.prefix { $0 != "(" && $0 != "<" })
    }

    /// The symbols of all shapes, and the lines of public declarations without a page.
    static func all(in tree: SourceTree) -> (symbols: [AppleSymbol], bare: [Violation]) {
        var symbols: [AppleSymbol] = []
        var bare: [Violation] = []
        for file in tree.sources
        where file.path.hasPrefix(AppleFrameworks.shapes) && !file.path.contains(AppleFrameworks.recording) {
            read(file, &symbols, &bare)
        }
        return (symbols, bare)
    }

    /// Requirements of protocols that the shapes meet, without a page of their own.
    private static let witnesses: Set<String> = [
        "record", "body", "Body", "path", "rawValue", "resolve", "items", "contains", "union", "intersection",
        "symmetricDifference", "insert", "remove", "update", "formUnion", "formIntersection",
        "formSymmetricDifference",
        "buildExpression", "buildBlock", "buildIf", "buildEither", "_ConditionalContent",
    ]

    private static func read(_ file: SourceFile, _ symbols: inout [AppleSymbol], _ bare: inout [Violation]) {
        let framework = String(file.path.dropFirst(AppleFrameworks.shapes.count).prefix { $0 != "/" })
        var comment = ""
        // The types around a line, with their indentation.
        var types: [(indent: Int, name: String)] = []
        let attributes = /(?:@\w+(?:\([^)]*\))?\s*)+/
        // Backquotes are around names that are words of the language.
        let modifier = #/(?:@\w+(?:\([^)]*\))?|nonisolated|mutating|public|open|static)\s|`/#
        let declaration = /(struct|enum|class|protocol|extension|func|var|let|init|subscript)\b\??\s*([\w.]*)/
        let source = /Apple: (.+)\. iOS (\d+\.\d+)\./
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, whole) in lines.enumerated() {
            let line = whole.drop(while: \.isWhitespace)
            let indent = whole.count - line.count
            if line.hasPrefix("///") {
                comment += line.dropFirst(3)
                continue
            }
            // A line of attributes stands between a comment and its declaration.
            if line.wholeMatch(of: attributes) != nil { continue }
            defer { comment = "" }
            if !line.isEmpty { types.removeAll { indent <= $0.indent } }
            let plain = line.replacing(modifier, with: "")
            guard let match = plain.prefixMatch(of: declaration) else { continue }
            let (kind, name) = (String(match.1), String(match.2))
            if ["struct", "enum", "class", "protocol", "extension"].contains(kind), line.hasSuffix("{") {
                types.append((indent, name))
            }
            guard let found = comment.firstMatch(of: source) else {
                let isNamed = !witnesses.contains(name) && !["extension", "init"].contains(kind)
                if line.hasPrefix("public "), isNamed {
                    bare.append(
                        Violation(
                            file.path, index + 1,
                            "\(name) has no 'Apple: <title of its page>. iOS <first version>.' in its comment"))
                }
                continue
            }
            let outer = types.filter { $0.indent < indent }.map(\.name)
            // An operator, an initializer or a subscript.
            let own = name.isEmpty ? (kind == "func" ? "+" : kind) : name
            symbols.append(
                AppleSymbol(
                    framework: framework, name: (outer + [own]).joined(separator: "."), page: String(found.1),
                    version: String(found.2), file: file.path, line: index + 1))
        }
    }

    /// The table of all symbols for the document.
    static func table(_ symbols: [AppleSymbol]) -> String {
        let rows = Set(symbols.map { "| \($0.framework) | `\($0.name)` | \($0.page) | \($0.version) |" })
        return
            (["| Framework | Symbol | Page of Apple's documentation | iOS |", "|---|---|---|---|"] + rows.sorted())
            .joined(separator: "\n")
    }
}

extension AppleFrameworks {
    private static let begin = "<!-- symbols: written by 'tower check --accept-symbols' -->"
    private static let end = "<!-- end of symbols -->"

    /// The document with the present table of symbols; `nil` if it has no place for the table.
    public static func document(in tree: SourceTree) -> String? {
        guard let text = tree.text(document)?.text, let start = text.firstRange(of: begin),
            let stop = text[start.upperBound...].firstRange(of: end)
        else { return nil }
        let table = AppleSymbol.table(AppleSymbol.all(in: tree).symbols)
        return text[..<start.upperBound] + "\n\n" + table + "\n\n" + text[stop.lowerBound...]
    }
}

extension Rule {
    /// Names that reach the network. The app's views act through `ActionHandler`.
    private static let networking = [
        "URLSession", "URLRequest", "URLSessionConfiguration", "NWConnection", "CFSocket", "AsyncImage",
    ]
    private static let networkingModules: Set<String> = [
        "FoundationNetworking", "Network", "CFNetwork", "AsyncHTTPClient",
    ]

    static let apple = Rule(
        "apple",
        "The iOS app reaches no network, and uses of Apple's frameworks what the shapes declare, each with its page."
    ) { tree in
        let app = tree.sources.filter { $0.path.hasPrefix(AppleFrameworks.app) }
        let recorded = tree.sources.filter {
            $0.path.hasPrefix(AppleFrameworks.shapes) && $0.path.contains(AppleFrameworks.recording)
        }.reduce(into: Set<String>()) { $0.formUnion($1.facts.declared) }
        let inApp = app.flatMap { file -> [Violation] in
            let names = networking.compactMap { name in
                file.facts.identifiers[name].map {
                    Violation(file.path, $0, "\(name) reaches the network: let the app's handler or a store do it")
                }
            }
            let modules = file.facts.imports.filter { networkingModules.contains($0.module) }.map {
                Violation(
                    file.path, $0.line, "\($0.module) reaches the network: let the app's handler or a store do it")
            }
            let own = recorded.sorted().compactMap { name in
                file.facts.identifiers[name].map {
                    Violation(file.path, $0, "\(name) is a part of the shapes that Apple's frameworks do not have")
                }
            }
            return names + modules + own
        }
        let (symbols, bare) = AppleSymbol.all(in: tree)
        let used = app.reduce(into: Set<String>()) { $0.formUnion($1.facts.identifiers.keys) }
        let inShapes = symbols.flatMap { symbol -> [Violation] in
            var found: [Violation] = []
            if !symbol.isOldEnough {
                found.append(
                    Violation(
                        symbol.file, symbol.line, "\(symbol.name) needs iOS \(symbol.version); the app runs on 17.0"
                    ))
            }
            let isMember = symbol.word.first?.isLowercase ?? false
            let isImplied = [
                "init", "subscript", "callAsFunction", "body", "wrappedValue", "projectedValue", "defaultValue",
            ].contains(
                symbol.word)
            if isMember, !isImplied, !used.contains(symbol.word) {
                found.append(
                    Violation(symbol.file, symbol.line, "\(symbol.name) is not used by the app: remove it"))
            }
            return found
        }
        guard !symbols.isEmpty else { return inApp + bare }
        let isStale =
            AppleFrameworks.document(in: tree).map { $0 != tree.text(AppleFrameworks.document)?.text } ?? true
        let stale =
            isStale
            ? [
                Violation(
                    AppleFrameworks.document, 1,
                    "is not the table of the shapes: run 'tower check --accept-symbols'")
            ] : []
        return inApp + inShapes + bare + stale
    }
}
