import DesignTokens
import Domain
import Foundation
import TestKit
import Testing

@testable import WebHTML

@Suite("Assets")
struct AssetTests {
    let assets: Assets

    init() throws { assets = try SharedAssets.assets.get() }

    @Test("the style sheet and the runtime stay within their size limits")
    func sizes() throws {
        let css = try #require(assets[assets.stylesheet])
        #expect(try packed(css.bytes) <= 25_000)
        let scripts = assets.files.filter { $0.contentType.hasPrefix("text/javascript") }
        #expect(scripts.count > 8)
        let all = try scripts.reduce(0) { try $0 + packed($1.bytes) }
        // Speech and texts with values are among them since three islands share them.
        #expect(all < 46_500, "with what only some pages load, and none all of, it is \(all) bytes")
        let everywhere = Set(assets.preloads + [assets.runtime, Assets.serviceWorker])
        let runtime = try scripts.filter { everywhere.contains($0.path) }.reduce(0) { try $0 + packed($1.bytes) }
        #expect(runtime < 26_500, "every page loads \(runtime) bytes")
        let first =
            try [css.bytes, try #require(assets[assets.icons]).bytes].reduce(0) { try $0 + packed($1) }
            + scripts.reduce(0) { try $0 + packed($1.bytes) } + packed(Array(try galleryPage().utf8))
        #expect(first <= 100_000, "a first load takes \(first) bytes")
    }

    @Test("a page preloads the modules that its first one imports, and none that it asks for later")
    func preloads() throws {
        let sources = [
            "main.js": "import \"./a.js\";\nif (x) void import(\"./late.js\");\nimport { b } from \"kit/b.js\";\n",
            "a.js": "import { c } from \"./c.js\";\nawait import(\"./c.js\");\n", "c.js": "export const c = 1;\n",
            "late.js": "import { d } from \"./d.js\";\n", "d.js": "export const d = \"./a.js is no import\";\n",
        ]
        var graph = ModuleGraph(sources.keys.sorted(), first: "main.js", offered: ["kit/b.js": "/b.js"]) {
            try #require(sources[$0])
        }
        #expect(try graph.linked().map(\.name) == ["c.js", "a.js", "d.js", "late.js", "main.js"])
        #expect(graph.early == ["a.js", "c.js"])
        let names = assets.preloads.compactMap { $0.split(separator: "/").last?.split(separator: ".").first }
        #expect(names.contains("core") && names.contains("navigate") && !names.contains("outbox"))
    }

    @Test("every file that a page, the manifest or a module names exists")
    func references() throws {
        let named =
            [
                assets.stylesheet, assets.runtime, assets.icons, assets.manifest(in: .english), assets.icon,
                assets.touchIcon,
            ]
            + assets.preloads
        for path in named { #expect(assets[path] != nil, "\(path)") }
        for file in assets.files
        where file.contentType.hasPrefix("text/javascript") || file.path.hasSuffix(".webmanifest") {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for match in text.matches(of: /"(\/assets\/[^"]+)"/) {
                #expect(assets[String(match.1)] != nil, "\(file.path) names \(match.1)")
            }
            #expect(!text.contains("\"./"), "\(file.path) names a file without its hash")
        }
    }

    @Test("a file's name changes with its bytes, and only such files are immutable")
    func names() {
        #expect(Assets.hashed("a.css", [1]) != Assets.hashed("a.css", [2]))
        #expect(Assets.hashed("a.css", [1]).hasPrefix("/assets/a."))
        for file in assets.files { #expect(file.isImmutable == file.path.hasPrefix("/assets/"), "\(file.path)") }
        #expect(assets[Assets.serviceWorker]?.isImmutable == false)
        #expect(Set(assets.files.map(\.etag)).count == assets.files.count)
        #expect(assets.files.allSatisfy { $0.etag.hasPrefix("\"") && $0.etag.hasSuffix("\"") })
    }

    @Test("the worker caches the shell and an offline page in both languages")
    func serviceWorker() throws {
        let source = String(decoding: try #require(assets[Assets.serviceWorker]).bytes, as: UTF8.self)
        #expect(source.contains("\"\(assets.stylesheet)\""))
        #expect(source.contains("\"\(assets.runtime)\""))
        #expect(!source.contains("@shell"))
        for language in Language.allCases {
            let offline = try #require(assets.files.first { $0.path.contains("offline-\(language.rawValue)") })
            #expect(source.contains(offline.path))
            #expect(String(decoding: offline.bytes, as: UTF8.self).contains("lang=\"\(language.rawValue)\""))
        }
    }

    @Test("browsers can install the manifest, and it accepts links of other programs", .requirement("WW-1.12.d"))
    func manifest() throws {
        struct Manifest: Decodable {
            struct Icon: Decodable { let src, sizes, type: String }
            struct Handler: Decodable, Equatable { let `protocol`, url: String }
            let name, display: String
            let icons: [Icon]
            let handlers: [Handler]

            enum CodingKeys: String, CodingKey {
                case name, display, icons
                case handlers = "protocol_handlers"
            }
        }
        let file = try #require(assets[assets.manifest(in: .english)])
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(file.bytes))
        #expect(manifest.display == "standalone")
        #expect(Set(manifest.icons.map(\.sizes)).isSuperset(of: ["192x192", "512x512"]))
        #expect(manifest.handlers == [.init(protocol: "web+wolfwhale", url: "/open?link=%s")])
    }

    @Test(
        "the manifest has shortcuts to the places that the server opens, in its language",
        .requirement("WW-1.13"),
        arguments: zip(
            Language.allCases, [["Schedule", "Messages", "Grades"], ["Emploi du temps", "Messages", "Notes"]]))
    func shortcuts(language: Language, names: [String]) throws {
        struct Manifest: Decodable {
            struct Shortcut: Decodable { let name, url: String }
            let lang: String
            let shortcuts: [Shortcut]
        }
        let assets = try Assets(links: ["schedule", "messages", "grades", "lesson"])
        let file = try #require(assets[assets.manifest(in: language)])
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(file.bytes))
        #expect(manifest.lang == language.rawValue)
        #expect(manifest.shortcuts.map(\.name) == names)
        #expect(
            manifest.shortcuts.map(\.url) == ["/open?link=schedule", "/open?link=messages", "/open?link=grades"])
    }

    @Test("rules take colors, text sizes and durations from tokens", .requirement("PT-1.04.b", "PT-1.26.b"))
    func noLiterals() throws {
        for name in Stylesheet.order {
            let css = try Resource.text("css/\(name).css")
            #expect(!css.contains(/#[0-9a-fA-F]{3,8}\b/), "\(name) has a color")
            #expect(!css.contains(/rgba?\(|hsla?\(/), "\(name) has a color")
            #expect(!css.contains(/[1-9][0-9.]*m?s\b/), "\(name) has a duration")
            #expect(!css.contains("font-size:"), "\(name) has a text size")
        }
    }

    @Test("every custom property that a rule reads is defined", .requirement("PT-1.04.b"))
    func properties() throws {
        let css = String(decoding: try #require(assets[assets.stylesheet]).bytes, as: UTF8.self)
        let defined = Set(css.matches(of: /(--[a-z0-9-]+):/).map { String($0.1) })
        // Set by the runtime while a keyboard covers the page.
        let fromScript: Set<String> = ["--keyboard"]
        for match in css.matches(of: /var\((--[a-z0-9-]+)/) {
            let name = String(match.1)
            #expect(defined.contains(name) || fromScript.contains(name), "\(name)")
        }
        for match in css.matches(of: /animation: ?(pt-[a-z-]+)/) {
            #expect(css.contains("@keyframes \(match.1)"), "\(match.1)")
        }
    }

    @Test("skeletons shimmer, except with reduced motion", .requirement("WW-16.05.b"))
    func shimmer() throws {
        let css = String(decoding: try #require(assets[assets.stylesheet]).bytes, as: UTF8.self)
        #expect(css.contains(#/\.pt-skeleton::after\{[^}]*animation:pt-shimmer /#))
        #expect(css.contains("@keyframes pt-shimmer{"))
        let less = try #require(css.range(of: "@media (prefers-reduced-motion:reduce)")).upperBound
        #expect(css[less...].contains(".pt-skeleton::after{display:none"))
    }

    @Test("a list is a surface on the page's background", .requirement("WW-0.05.c"))
    func groupedGround() throws {
        let css = String(decoding: try #require(assets[assets.stylesheet]).bytes, as: UTF8.self)
        #expect(css.contains(#/[}\/]body\{[^}]*background:var\(--background\)/#))
        #expect(css.contains(#/}\.pt-list\{[^}]*background:var\(--surface\)/#))
    }

    @Test("motion stops with reduced motion")
    func reducedMotion() throws {
        let css = String(decoding: try #require(assets[assets.stylesheet]).bytes, as: UTF8.self)
        #expect(
            css.contains("@media (prefers-reduced-motion: reduce)")
                || css.contains("@media (prefers-reduced-motion:reduce)"))
        #expect(css.contains("@media (prefers-contrast:more)"))
        #expect(css.contains("@media (forced-colors:active)"))
    }

    @Test("every icon of the design system is in the sprite")
    func icons() throws {
        let sprite = try Resource.text("icons.svg")
        for icon in DesignIcons.all { #expect(sprite.contains("id=\"i-\(icon)\""), "\(icon)") }
    }

    @Test("the minifier keeps significant characters")
    func minifier() {
        #expect(
            Stylesheet.minified(
                "/* a */ .a > .b , c { width: calc(1px + 2px); content: \"  ; \"; }\n @media (x: y) { d { e: f } }")
                == ".a > .b,c{width:calc(1px + 2px);content:\"  ; \"}@media (x:y){d{e:f}}")
    }

    @Test("stripping a module removes comments, indentation and blanks around signs, but not in strings")
    func stripping() {
        let source =
            "// note\n/**\n * doc\n */\nexport function a() {\n  /* one */\n  return \"// no note\"; // kept\n}\n"
        #expect(ModuleGraph.stripped(source) == "export function a(){\nreturn \"// no note\";// kept\n}\n")
        let cast = "const b = /** @type {Map<string, A>} */ (c ? \"x : \\\" y\" : `${d} => e`) + -f / 2;\n"
        #expect(ModuleGraph.stripped(cast) == "const b=(c?\"x : \\\" y\":`${d} => e`)+ -f / 2;\n")
        let nested = "a = `[${all.map((one) => `${one} 0 {R}`).join(\" , \")}] => { b }`;"
        #expect(ModuleGraph.stripped(nested) == "a=`[${all.map((one)=>`${one} 0 {R}`).join(\" , \")}] => { b }`;\n")
    }

    @Test(
        "stripping a module keeps the blanks and quotes of regular expressions",
        arguments: [
            (#"a = b.replace(/(^| )1 /, "c");"#, #"a=b.replace(/(^| )1 /,"c");"#),
            (#"return /[/ ] ,\/ "/.test(a) && b;"#, #"return /[/ ] ,\/ "/.test(a)&&b;"#),
            (#"a = b / (c) / d; // e, f"#, #"a=b /(c)/ d;// e,f"#),
        ])
    func regularExpressions(_ line: String, _ stripped: String) {
        #expect(ModuleGraph.stripped(line) == stripped + "\n")
    }

    @Test("the hash in a file's name is FNV-1a with 128 bits")
    func hash() {
        // Values of RFC 9923 for the empty text, "a" and "foobar".
        #expect(ContentHash([]).description == "6c62272e07bb014262b821756295c58d")
        #expect(ContentHash(Array("a".utf8)).description == "d228cb696f1a8caf78912b704e4a8964")
        #expect(ContentHash(Array("foobar".utf8)).description == "343e1662793c64bf6f0d3597ba446f18")
    }

    @Test("the runtime's types check", .enabled(if: Tool.path(of: "tsc") != nil, "tsc is not installed"))
    func types() throws {
        let folder = Resource.folder.appendingPathComponent("js")
        let shared = ["--checkJs", "--allowJs", "--noEmit", "--strict", "--target", "es2022"]
        let modules = try Resource.names("js", ending: ".js").filter { $0 != "sw.js" }
        let page = try Tool.run(
            "tsc",
            shared + ["--module", "es2022", "--moduleResolution", "node", "--lib", "es2022,dom,dom.iterable"]
                + modules,
            in: folder)
        #expect(page.status == 0, "\(page.output)")
        let worker = try Tool.run("tsc", shared + ["--lib", "es2022,webworker", "sw.js"], in: folder)
        #expect(worker.status == 0, "\(worker.output)")
    }

    /// The size after gzip.
    private func packed(_ bytes: [UInt8]) throws -> Int {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try Tool.run("gzip", ["-9", "-c", file.path], in: file.deletingLastPathComponent()).bytes
    }
}
