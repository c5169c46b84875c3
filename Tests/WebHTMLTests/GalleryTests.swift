import DesignSystem
import Domain
import Foundation
import TestKit
import Testing

@testable import WebHTML

@Suite("Gallery")
struct GalleryTests {
    @Test("the gallery shows every component", .requirement("PT-1.26.a"))
    func everyComponent() throws {
        var shown: Set<String> = []
        func look(_ components: [Component]) {
            for component in components {
                shown.insert(name(component))
                switch component {
                case .section(let section): look(section.body)
                case .card(let card): look(card.body)
                case .disclosure(let disclosure): look(disclosure.body)
                case .columns(let columns): for part in columns.parts { look(part) }
                default: break
                }
            }
        }
        let screen = Gallery.screen(words: try SharedAssets.words())
        look(screen.body)
        shown.insert(name(.actionBar(PTActionBar(next: PTButton(title: "Next", action: .open("/"))))))
        #expect(shown.count == 47, "shown: \(shown.sorted())")
        #expect(Outline(screen).lines.count > 150)
    }

    @Test("no text is missing in any language", arguments: Language.allCases)
    func everyText(_ language: Language) throws {
        let html = try galleryPage(language)
        #expect(!html.contains("«web."))
        #expect(!html.contains("«gallery."))
        #expect(html.contains("lang=\"\(language.rawValue)\""))
    }

    @Test("both languages have the same texts with the same placeholders")
    func catalogs() throws {
        let catalog = try SharedAssets.catalog.get()
        let english = try #require(catalog.entries[.english])
        let french = try #require(catalog.entries[.french])
        #expect(Set(english.keys) == Set(french.keys))
        func gaps(_ entry: StringCatalog.Entry) -> [Int] {
            let texts: [String] =
                switch entry {
                case .text(let text): [text]
                case .plural(let forms): forms.sorted { $0.key < $1.key }.map(\.value)
                }
            return texts.map { $0.count { $0 == "%" } }
        }
        for (key, entry) in english {
            let other = try #require(french[key])
            #expect(gaps(entry).max() == gaps(other).max(), "\(key)")
        }
    }

    @Test(
        "the gallery has no inline style or script, closes every tag and uses every id once",
        arguments: ThemeName.allCases)
    func wellFormed(_ theme: ThemeName) throws {
        let html = try galleryPage(theme: theme)
        let all = try tags(html)
        var open: [String] = []
        var ids: [String: Int] = [:]
        for tag in all {
            #expect(tag.attributes["style"] == nil)
            #expect(!tag.attributes.keys.contains { $0.hasPrefix("on") })
            if let id = tag.attributes["id"] { ids[id, default: 0] += 1 }
            guard !voidElements.contains(tag.name) else { continue }
            if tag.isEnd {
                #expect(open.popLast() == tag.name)
            } else {
                if tag.name == "form" { #expect(!open.contains("form"), "a form stands in a form") }
                if tag.name == "a" || tag.name == "button" {
                    #expect(!open.contains("a") && !open.contains("button"), "a control stands in a control")
                }
                open.append(tag.name)
            }
        }
        #expect(open.isEmpty)
        #expect(all.count { $0.name == "script" && !$0.isEnd } == 1)
        #expect(all.first { $0.name == "script" }?.attributes["src"]?.hasPrefix("/assets/") == true)
        for (id, count) in ids { #expect(count == 1, "the id \(id) stands \(count) times") }
        for tag in all {
            for name in ["for", "aria-labelledby", "aria-describedby", "form"] {
                for id in (tag.attributes[name] ?? "").split(separator: " ") {
                    #expect(ids[String(id)] != nil, "\(name) names \(id), which is not there")
                }
            }
        }
    }

    @Test("every control has a spoken name", .requirement("PT-3.44.a"), arguments: Language.allCases)
    func spokenNames(_ language: Language) throws {
        let html = try galleryPage(language)
        let all = try tags(html)
        for (index, tag) in all.enumerated() where ["a", "button", "summary"].contains(tag.name) && !tag.isEnd {
            guard tag.attributes["aria-hidden"] == nil else { continue }
            let end = try #require(all[index...].first { $0.name == tag.name && $0.isEnd })
            let inside = String(html[tag.end..<end.end])
                .replacingOccurrences(of: "<[^>]*>", with: "", options: .regularExpression)
                .trimmingCharacters(in: .whitespaces)
            let label = tag.attributes["aria-label"] ?? ""
            #expect(!label.isEmpty || !inside.isEmpty, "no name: \(tag.attributes)")
        }
        for tag in all where ["input", "select", "textarea"].contains(tag.name) && !tag.isEnd {
            guard tag.attributes["type"] != "hidden", tag.attributes["aria-label"] == nil,
                !["radio", "checkbox"].contains(tag.attributes["type"])
            else { continue }
            let id = try #require(tag.attributes["id"])
            #expect(all.contains { $0.name == "label" && $0.attributes["for"] == id }, "\(id) has no label")
        }
    }

    @Test("every class that the renderer writes has a rule or belongs to the runtime")
    func classesHaveRules() throws {
        let css = String(decoding: try #require(try sheet()).bytes, as: UTF8.self)
        let bare: Set<String> = ["pt-search", "pt-sheet__body", "pt-fab--label"]
        for tag in try tags(try galleryPage()) {
            for name in (tag.attributes["class"] ?? "").split(separator: " ") where !bare.contains(String(name)) {
                #expect(css.contains("." + name), "no rule for .\(name)")
            }
        }
    }

    private func sheet() throws -> Assets.File? {
        let assets = try SharedAssets.assets.get()
        return assets[assets.stylesheet]
    }

    /// The name of a case; the exhaustive switch keeps the list complete.
    private func name(_ component: Component) -> String {
        switch component {
        case .greeting: "greeting"
        case .sectionHeader: "sectionHeader"
        case .section: "section"
        case .text: "text"
        case .richText: "richText"
        case .definitionList: "definitionList"
        case .table: "table"
        case .progressGrid: "progressGrid"
        case .progressCards: "progressCards"
        case .agenda: "agenda"
        case .columns: "columns"
        case .rooms: "rooms"
        case .week: "week"
        case .disclosure: "disclosure"
        case .divider: "divider"
        case .button: "button"
        case .buttons: "buttons"
        case .submit: "submit"
        case .links: "links"
        case .actionBar: "actionBar"
        case .avatar: "avatar"
        case .list: "list"
        case .cardGrid: "cardGrid"
        case .card: "card"
        case .file: "file"
        case .note: "note"
        case .audio: "audio"
        case .video: "video"
        case .image: "image"
        case .codeCard: "codeCard"
        case .attendance: "attendance"
        case .ring: "ring"
        case .chart: "chart"
        case .illustration: "illustration"
        case .island: "island"
        case .talk: "talk"
        case .form: "form"
        case .search: "search"
        case .segments: "segments"
        case .chips: "chips"
        case .stepper: "stepper"
        case .banner: "banner"
        case .empty: "empty"
        case .error: "error"
        case .skeleton: "skeleton"
        case .toast: "toast"
        case .burst: "burst"
        }
    }
}
