import DesignSystem
import Domain
import Foundation
import TestKit
import Testing

@testable import WebHTML

@Suite("Escaping")
struct EscapingTests {
    /// A text that closes a text, an attribute, a comment and a script, and opens new ones.
    static let hostile = "\"'><script>alert('1')</script><img src=x onerror=alert(2)>&<!-- javascript:alert(3)"

    @Test("a hostile text in any field of any component adds no markup")
    func everyField() throws {
        let context = try makeContext()
        var replaced = 0
        let screen = Gallery.screen(words: try SharedAssets.words())
        for component in try Self.leaves(screen.body) {
            let (hostile, harmless, count) = try Self.replaceTexts(of: component)
            replaced += count
            let bad = String(decoding: HTMLRenderer.fragment([hostile], context: context), as: UTF8.self)
            let good = String(decoding: HTMLRenderer.fragment([harmless], context: context), as: UTF8.self)
            for mark in ["<", ">", "\""] as [Character] {
                #expect(
                    bad.count { $0 == mark } == good.count { $0 == mark },
                    "\(mark) in \(String(describing: component).prefix(60))")
            }
            #expect(!bad.contains("<script"))
            #expect(!bad.contains("<img src=x"))
            for tag in try tags(bad) {
                for name in ["href", "src", "action", "formaction"] {
                    #expect(tag.attributes[name].map { !$0.hasPrefix("javascript:") } ?? true)
                }
                #expect(!tag.attributes.keys.contains { $0.hasPrefix("on") || $0 == "style" })
            }
        }
        #expect(replaced > 500, "only \(replaced) texts were replaced")
    }

    @Test("the frame, sheets, paths and feedback are escaped too")
    func everythingAround() throws {
        let bad = Self.hostile
        let item = PTMenuItem(title: bad, action: .open("javascript:alert(1)"))
        let chrome = PageChrome(
            navigation: [PTNavigationEntry(title: bad, icon: .home, path: bad)],
            account: PTAccountMenu(
                name: bad, detail: bad, initials: bad, tint: .leaf, imageURL: bad, items: [item]),
            unread: 3, searchPath: bad, notificationsPath: "//evil.example", home: "/\\evil.example")
        let screen = Screen(
            title: bad, subtitle: bad, back: bad, live: [bad],
            floatingButton: PTFloatingActionButton(title: bad, label: bad, fan: [item]),
            sheets: [
                PTBottomSheet(
                    id: bad, title: bad, subtitle: bad, body: [.button(PTButton(title: bad, action: .present(bad)))]
                )
            ],
            search: PTSearchField(
                path: bad, name: bad, value: bad, placeholder: bad, label: bad, keeping: [bad: bad]))
        let context = try makeContext(path: "/x?q=\(bad)", feedback: [.toast(PTToast(bad))], openSheet: bad)
        let html = try page(screen, chrome: chrome, context)
        let all = try tags(html)
        #expect(all.count { $0.name == "script" && !$0.isEnd } == 1)
        #expect(!all.contains { $0.attributes.keys.contains { $0.hasPrefix("on") || $0 == "style" } })
        #expect(!html.contains("href=\"javascript:"))
        #expect(!html.contains("href=\"//evil"))
        #expect(!html.contains("href=\"/\\evil"))
    }

    @Test(
        "an address must be a local path, a fragment or a web address",
        arguments: [
            ("/students?x=1", true), ("#main", true), ("?sheet=a", true), ("https://a.example/", true),
            ("mailto:ana@school.org", true), ("tel:+33612345678", true), ("javascript:alert(1)", false),
            ("JaVaScRiPt:alert(1)", false),
            ("data:text/html,x", false), ("//evil.example", false), ("/\\evil.example", false),
            ("\u{1}javascript:alert(1)", false), ("", false),
        ])
    func addresses(_ address: String, _ isAllowed: Bool) {
        #expect(HTML.isAllowed(address) == isAllowed)
    }

    @Test("values in an address are percent-encoded")
    func query() {
        var html = HTML(capacity: 8)
        html.query("a b&c=é\"")
        #expect(String(decoding: html.bytes, as: UTF8.self) == "a%20b%26c%3D%C3%A9%22")
    }

    @Test("long and many texts survive the growth of the buffer")
    func growth() {
        var html = HTML(capacity: 1)
        let text = String(repeating: "é<", count: 5000)
        for _ in 0..<20 { html.text(text) }
        #expect(String(decoding: html.bytes, as: UTF8.self) == String(repeating: "é&lt;", count: 100_000))
    }

    // MARK: -

    /// The components of a page, including those within sections and cards.
    private static func leaves(_ components: [Component]) throws -> [Component] {
        try components.flatMap { component in
            switch component {
            case .section(let section): try leaves(section.body) + [.sectionHeader(section.header)]
            default: [component]
            }
        }
    }

    /// The component with every free text replaced, once by hostile and once by harmless text.
    private static func replaceTexts(of component: Component) throws -> (Component, Component, Int) {
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode([component]))
        var paths: [[Any]] = []
        collect(json, [], &paths)
        var result: [[Any]] = []
        for path in paths where decodes(replace(json, path, with: "zz")) { result.append(path) }
        func all(_ text: String) throws -> Component {
            let changed = result.reduce(json) { replace($0, $1, with: text) }
            return try JSONDecoder().decode(
                [Component].self, from: JSONSerialization.data(withJSONObject: changed))[0]
        }
        return (try all(hostile), try all("zz"), result.count)
    }

    private static func decodes(_ json: Any) -> Bool {
        guard let data = try? JSONSerialization.data(withJSONObject: json) else { return false }
        return (try? JSONDecoder().decode([Component].self, from: data)) != nil
    }

    private static func collect(_ json: Any, _ path: [Any], _ paths: inout [[Any]]) {
        if let object = json as? [String: Any] {
            for (key, value) in object { collect(value, path + [key], &paths) }
        } else if let array = json as? [Any] {
            for (index, value) in array.enumerated() { collect(value, path + [index], &paths) }
        } else if json is String {
            paths.append(path)
        }
    }

    private static func replace(_ json: Any, _ path: [Any], with text: String) -> Any {
        guard let first = path.first else { return text }
        let rest = Array(path.dropFirst())
        if var object = json as? [String: Any], let key = first as? String, let value = object[key] {
            object[key] = replace(value, rest, with: text)
            return object
        }
        if var array = json as? [Any], let index = first as? Int {
            array[index] = replace(array[index], rest, with: text)
            return array
        }
        return json
    }
}
