import DesignSystem
import Domain
import Foundation
import Testing

@testable import WebHTML

/// The assets, read once for all tests.
enum SharedAssets {
    static let assets = Result { try Assets() }
    static let catalog = Result { try WebHTML.catalog() }

    static func words(_ language: Language = .english) throws -> Words { Words(language, [try catalog.get()]) }
}

func makeContext(
    _ language: Language = .english, path: String = "/students?filter=all", seq: Int64? = 41,
    feedback: [PTFeedback] = [], openSheet: String? = nil, theme: ThemeName = .pinktower,
    appearance: Appearance = .automatic
) throws -> PageContext {
    PageContext(
        words: try SharedAssets.words(language), assets: try SharedAssets.assets.get(), path: path, theme: theme,
        appearance: appearance, seq: seq, feedback: feedback, openSheet: openSheet, account: "account-1")
}

func render(_ components: Component...) throws -> String {
    String(decoding: HTMLRenderer.fragment(components, context: try makeContext()), as: UTF8.self)
}

func page(_ screen: Screen, chrome: PageChrome? = nil, _ context: PageContext? = nil) throws -> String {
    String(
        decoding: HTMLRenderer.page(screen, chrome: chrome, context: try context ?? makeContext()), as: UTF8.self)
}

/// The gallery page with its frame.
func galleryPage(_ language: Language = .english, theme: ThemeName = .pinktower) throws -> String {
    let words = try SharedAssets.words(language)
    let context = try makeContext(
        language, path: "/gallery",
        feedback: [.toast(PTToast("Saved")), .burst(PTCheckmarkBurst(title: "Done"))], theme: theme)
    return try page(Gallery.screen(words: words, theme: theme), chrome: Gallery.chrome(words: words), context)
}

/// One start or end tag of a page.
struct Tag {
    var name: String
    var isEnd: Bool
    var attributes: [String: String]
    /// The end of the tag in the source.
    var end: String.Index
}

/// The tags of a page, parsed strictly: attributes must be quoted, and a `<` must begin a tag.
func tags(_ html: String) throws -> [Tag] {
    var tags: [Tag] = []
    var rest = html[...]
    while let open = rest.firstIndex(of: "<") {
        rest = rest[rest.index(after: open)...]
        if rest.hasPrefix("!doctype") {
            rest = rest.drop { $0 != ">" }
            continue
        }
        let isEnd = rest.first == "/"
        if isEnd { rest.removeFirst() }
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
        try #require(!name.isEmpty, "a < begins no tag at: \(rest.prefix(60))")
        rest = rest[name.endIndex...]
        var attributes: [String: String] = [:]
        while rest.first == " " {
            rest.removeFirst()
            let key = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" })
            try #require(!key.isEmpty, "no attribute at: \(rest.prefix(60))")
            rest = rest.dropFirst(key.count)
            if rest.hasPrefix("=\"") {
                rest = rest.dropFirst(2)
                let value = rest.prefix { $0 != "\"" }
                #expect(attributes[key] == nil, "\(name) has \(key) twice")
                attributes[key] = String(value)
                rest = rest[value.endIndex...].dropFirst()
            } else {
                attributes[key] = ""
            }
        }
        if rest.first == "/" { rest.removeFirst() }
        try #require(rest.first == ">", "the tag \(name) does not end at: \(rest.prefix(60))")
        rest.removeFirst()
        tags.append(Tag(name: String(name), isEnd: isEnd, attributes: attributes, end: rest.startIndex))
    }
    return tags
}

let voidElements: Set<String> = [
    "meta", "link", "input", "img", "track", "br", "hr", "path", "rect", "circle", "use", "polygon", "ellipse",
]
