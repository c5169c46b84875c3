import DesignSystem
import Domain
import Foundation
import TestKit
import Testing

@testable import WebHTML

@Suite("Islands")
struct IslandTests {
    private struct Properties: Encodable {
        let child = "Noor <b>"
        let path = "/api/v1/x"
    }

    private func makeFolder(_ files: [String: String]) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "island-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        return folder
    }

    private func makeAssets() throws -> Assets {
        let folder = try makeFolder([
            "kite.js":
                "import { word } from \"pinktower/core.js\";\nimport { wind } from \"./wind.js\";\nwind(word);\n",
            "wind.js": "// blows\nexport const wind = () => {};\n",
            "kite.css":
                "/* flies */ .pt-kite { color: var(--text); }\n@media (min-width: $wide) { .pt-kite { top: 0; } }\n",
        ])
        defer { try? FileManager.default.removeItem(at: folder) }
        return try Assets(islands: ["kite": folder])
    }

    private func makePage(_ assets: Assets) throws -> String {
        let context = PageContext(words: try SharedAssets.words(), assets: assets, path: "/fly")
        let island = try PTIsland("kite", properties: Properties(), fallback: "This page flies with scripts on.")
        return try page(Screen(title: "Fly", layout: .stage, body: [.island(island)]), context)
    }

    @Test("an island's files have hashed names and import the runtime's hashed modules")
    func files() throws {
        let assets = try makeAssets()
        let kite = try #require(assets.islands["kite"])
        let module = String(decoding: try #require(assets[kite.module]).bytes, as: UTF8.self)
        let wind = try #require(assets.files.first { $0.path.hasPrefix("/assets/wind.") })
        let core = try #require(assets.files.first { $0.path.hasPrefix("/assets/core.") })
        #expect(
            module
                == "import{word}from \"\(core.path)\";\nimport{wind}from \"\(wind.path)\";\nwind(word);\n")
        let sheet = try #require(kite.stylesheet)
        let css = String(decoding: try #require(assets[sheet]).bytes, as: UTF8.self)
        #expect(css.hasPrefix(".pt-kite{color:var(--text)}@media (min-width:"))
        #expect(!css.contains("$"))
        #expect(assets[kite.module]?.isImmutable == true)
    }

    @Test("only pages with an island name its files; the shell and other pages do not")
    func onlyWhereNeeded() throws {
        let assets = try makeAssets()
        let kite = try #require(assets.islands["kite"])
        let html = try makePage(assets)
        #expect(html.contains("<link rel=\"stylesheet\" href=\"\(kite.stylesheet ?? "")\">"))
        #expect(html.contains("data-module=\"\(kite.module)\""))
        #expect(
            !(try page(
                Screen(title: "Other"), PageContext(words: try SharedAssets.words(), assets: assets, path: "/other")
            )
            .contains("/assets/kite")))
        let worker = String(decoding: try #require(assets[Assets.serviceWorker]).bytes, as: UTF8.self)
        #expect(!worker.contains("/assets/kite") && !worker.contains("/assets/wind"))
        #expect(worker.contains(assets.runtime))
    }

    @Test("an island has escaped properties in one attribute, its fallback inside, and no frame on a stage")
    func markup() throws {
        let html = try makePage(try makeAssets())
        let all = try tags(html)
        let island = try #require(all.first { $0.name == "pt-kite" })
        #expect(
            island.attributes["data-properties"]
                == "{&quot;child&quot;:&quot;Noor &lt;b&gt;&quot;,&quot;path&quot;:&quot;/api/v1/x&quot;}")
        #expect(html.contains("<p class=\"pt-prose\">This page flies with scripts on.</p></pt-kite></main>"))
        #expect(!all.contains { ["nav", "header", "h1"].contains($0.name) })
        #expect(!html.contains("data-offline hidden") && !html.contains("pt-offline"))
    }

    @Test("an island that no block provides shows only its fallback")
    func missing() throws {
        let html = try render(.island(PTIsland("kite", fallback: "Nothing flies here.")))
        #expect(html.hasPrefix("<div class=\"pt-island\"><p"))
        #expect(html.contains("Nothing flies here."))
    }

    @Test("an invalid element name is refused at the start", arguments: ["Kite", "pt-kite", ""])
    func names(_ name: String) throws {
        let folder = try makeFolder(["\(name).js": ""])
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: Resource.Missing.self) { try Assets(islands: [name: folder]) }
    }

    @Test("equal properties give equal text")
    func stable() throws {
        let one = try PTIsland("kite", properties: ["b": 1, "a": 2], fallback: "x")
        #expect(one.properties == "{\"a\":2,\"b\":1}")
        #expect(Outline([.island(one)]).lines == ["(island kite: {\"a\":2,\"b\":1})"])
    }
}
