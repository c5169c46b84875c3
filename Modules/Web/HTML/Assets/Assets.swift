import DesignSystem
import DesignTokens
public import Domain
public import Foundation
import Synchronization

/// The files that pages load: style sheet, runtime modules, icons, manifest and service worker, each with a hash of its
/// bytes in its name.
///
/// Plain data: a web server serves `subscript(path)` with the file's bytes, type and caching.
public struct Assets: Sendable {
    /// One file that pages load, ready to be served.
    public struct File: Sendable, Hashable {
        /// The path of the file's URL, which begins with a slash.
        public let path: String
        public let contentType: String
        public let bytes: [UInt8]
        /// A strong validator of the file's bytes, with its quotes (RFC 9110 section 8.8.3).
        public let etag: String
        /// Whether the file's name changes with its bytes, so that it may be cached forever.
        public let isImmutable: Bool

        init(path: String, contentType: String, bytes: [UInt8], isImmutable: Bool) {
            self.path = path
            self.contentType = contentType
            self.bytes = bytes
            etag = "\"\(ContentHash(bytes))\""
            self.isImmutable = isImmutable
        }
    }

    /// The files that a page loads for one island, a custom element with a script of its own.
    public struct Island: Sendable, Hashable {
        /// The path of the island's main script module.
        public let module: String
        /// The path of the island's style sheet; `nil` if it has none.
        public let stylesheet: String?
    }

    /// The path of the style sheet that all pages load.
    public let stylesheet: String
    /// The path of the main module of the scripts that all pages load.
    public let runtime: String
    /// The paths of the script modules that the main module imports, directly or through another.
    public let preloads: [String]
    /// The path of the icon sprite; `#i-bell` names an icon in it.
    public let icons: String
    /// Paths of the web app manifest in each language.
    let manifests: [Language: String]
    /// The path of the app's icon as an SVG file.
    public let icon: String
    /// The path of the app's icon for home screens.
    public let touchIcon: String
    /// The paths of the files of each island (a custom element with its own script), by the island's name.
    public let islands: [String: Island]
    /// The path of the service worker, at the root because it serves all pages.
    public static let serviceWorker = "/sw.js"

    private var byPath: [String: File]
    private let colors: [ThemeName: (light: String, dark: String)]

    /// All files that pages load, in the order of their paths.
    public var files: [File] { byPath.values.sorted { $0.path < $1.path } }

    /// Returns the file at the path of a URL; `nil` if there is none.
    public subscript(path: String) -> File? { byPath[path] }

    /// Reads, bundles and names the files of this module and of the feature blocks' islands. Throws when one is missing
    /// or unreadable.
    /// - Parameters:
    ///   - folders: the folder of each island by its name.
    ///   - links: the names of the deep links that the server opens, for the shortcuts of the installed app.
    public init(islands folders: [String: URL] = [:], links: Set<String> = []) throws {
        let tokens = try Tokens()
        var files: [File] = []
        func add(_ name: String, _ type: String, _ bytes: [UInt8], at path: String? = nil) -> String {
            let file = File(
                path: path ?? Assets.hashed(name, bytes), contentType: type, bytes: bytes, isImmutable: path == nil)
            files.append(file)
            return file.path
        }

        stylesheet = add("pinktower.css", "text/css; charset=utf-8", Array(try Stylesheet(tokens).css.utf8))
        icons = add("icons.svg", "image/svg+xml", try Resource.bytes("icons.svg"))
        let drawing = Array(try AppIcon.svg(tokens).utf8)
        icon = add("icon.svg", "image/svg+xml", drawing)
        let small = add("icon-192.png", "image/png", try Resource.bytes("app/icon-192.png"))
        let large = add("icon-512.png", "image/png", try Resource.bytes("app/icon-512.png"))
        let maskable = add("icon-maskable-512.png", "image/png", try Resource.bytes("app/icon-maskable-512.png"))
        touchIcon = small

        var modules = ModuleGraph(
            try Resource.names("js", ending: ".js").filter { $0 != "sw.js" }, first: "main.js"
        ) { try Resource.text("js/\($0)") }
        let ordered = try modules.linked()
        for module in ordered.dropLast() {
            _ = add(module.name, "text/javascript; charset=utf-8", module.bytes)
        }
        guard let main = ordered.last else { throw Resource.Missing(description: "the runtime has no main.js") }
        runtime = add(main.name, "text/javascript; charset=utf-8", main.bytes)
        let early = modules.early
        preloads = ordered.filter { early.contains($0.name) }.map { Assets.hashed($0.name, $0.bytes) }

        let offered = Dictionary(
            ordered.map { ("pinktower/\($0.name)", Assets.hashed($0.name, $0.bytes)) }, uniquingKeysWith: { $1 })
        let common = files.count
        var islands: [String: Island] = [:]
        for (name, folder) in folders.sorted(by: { $0.key < $1.key }) {
            let files = try IslandFiles(name, in: folder, runtime: offered, tokens)
            for module in files.modules.dropLast() {
                _ = add(module.name, "text/javascript; charset=utf-8", module.bytes)
            }
            guard let first = files.modules.last else { continue }
            islands[name] = Island(
                module: add(first.name, "text/javascript; charset=utf-8", first.bytes),
                stylesheet: files.css.map { add("\(name).css", "text/css; charset=utf-8", Array($0.utf8)) })
        }
        self.islands = islands
        let own = Set(files[common...].map(\.path))

        let light = tokens.colors(.pinktower, .light)
        let catalog = try WebHTML.catalog()
        var manifests: [Language: String] = [:]
        for language in Language.allCases {
            let text = AppIcon.manifest(
                Words(language, [catalog]), links: links, background: light[.background].css,
                theme: light[.background].css, icon: icon, small: small, large: large, maskable: maskable)
            // The name of the English one is as old as the product.
            let name = language == .english ? "manifest" : "manifest.\(language.rawValue)"
            manifests[language] = add(
                "\(name).webmanifest", "application/manifest+json", Array(text.utf8), at: "/\(name).webmanifest")
        }
        self.manifests = manifests

        var colors: [ThemeName: (light: String, dark: String)] = [:]
        for theme in ThemeName.allCases {
            let own = PTTheme(rawValue: theme.rawValue) ?? .pinktower
            colors[theme] = (
                tokens.colors(own, .light)[.background].css, tokens.colors(own, .dark)[.background].css
            )
        }
        self.colors = colors

        byPath = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
        // The offline pages and the worker name the files above, so they come last. An island's files are cached with
        // its page, since not everyone needs them.
        let shell = files.map(\.path).filter { path in !own.contains(path) }
        let soFar = self
        var offline: [String: String] = [:]
        for language in Language.allCases {
            let bytes = OfflinePage.bytes(Words(language, [catalog]), soFar)
            let file = File(
                path: Assets.hashed("offline-\(language.rawValue).html", bytes),
                contentType: "text/html; charset=utf-8", bytes: bytes, isImmutable: true)
            offline[language.rawValue] = file.path
            byPath[file.path] = file
        }
        let worker = try ServiceWorker.source(
            shell: (shell + offline.values.sorted()).filter { !manifests.values.contains($0) }, offline: offline)
        byPath[Assets.serviceWorker] = File(
            path: Assets.serviceWorker, contentType: "text/javascript; charset=utf-8",
            bytes: Array(worker.utf8), isImmutable: false)
    }

    /// Returns the files that `init(islands:links:)` makes, made once in a process for the same arguments.
    ///
    /// The files that they are made of do not change while a process runs. The tests compose a server several hundred
    /// times in one process, and making the files is a third of a start without optimization.
    public static func shared(islands folders: [String: URL], links: Set<String>) throws -> Assets {
        try made.withLock { made in
            let parts = Parts(islands: folders, links: links)
            if let assets = made[parts] { return assets }
            let assets = try Assets(islands: folders, links: links)
            made[parts] = assets
            return assets
        }
    }

    /// What the files of a server depend on.
    private struct Parts: Hashable {
        let islands: [String: URL]
        let links: Set<String>
    }

    private static let made = Mutex<[Parts: Assets]>([:])

    /// Returns the path of the web app manifest in a language.
    public func manifest(in language: Language) -> String { manifests[language] ?? "/manifest.webmanifest" }

    /// The colors of the browser's own frame around a page.
    func themeColors(_ theme: ThemeName) -> (light: String, dark: String) { colors[theme] ?? ("", "") }

    /// The served path: `/assets/icons.3f2a….svg` for `icons.svg`.
    static func hashed(_ name: String, _ bytes: [UInt8]) -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        return "/assets/\(name[..<dot]).\(ContentHash(bytes).description.prefix(12))\(name[dot...])"
    }
}

/// The texts of the pages' common parts, which `Words` needs besides those of the features.
public enum WebHTML {
    /// Returns the texts of the top bar and tabs, the page scripts and the gallery; their keys begin with `web.` and
    /// `gallery.`.
    public static func catalog() throws -> StringCatalog { try StringCatalog(in: .module) }
}

/// A hash that identifies contents (FNV-1a, 128 bit); for names and validators, not for secrets.
struct ContentHash: CustomStringConvertible {
    let description: String

    init(_ bytes: [UInt8]) {
        // Offset basis of FNV-1a for 128 bit (RFC 9923). The prime is 2^88 + 0x13b, so a product is a sum of two parts.
        // Without optimization, UInt128 made this an eighth of a server's start.
        var (high, low): (UInt64, UInt64) = (0x6c62_272e_07bb_0142, 0x62b8_2175_6295_c58d)
        bytes.withUnsafeBufferPointer { bytes in
            var place = 0
            while place < bytes.count {
                low ^= UInt64(bytes[place])
                let product = low.multipliedFullWidth(by: 0x13b)
                high = high &* 0x13b &+ product.high &+ (low << 24)
                low = product.low
                place += 1
            }
        }
        description = [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// The files of the module's resource folder.
enum Resource {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    static var folder: URL { Bundle.module.bundleURL.appendingPathComponent("Resources") }

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(path)))
    }

    static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    /// The names of the files in a folder with an extension, sorted.
    static func names(_ path: String, ending: String) throws -> [String] {
        try names(in: folder.appendingPathComponent(path), ending: ending)
    }

    static func names(in folder: URL, ending: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(ending) }.sorted()
    }
}
