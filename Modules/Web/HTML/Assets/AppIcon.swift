import DesignSystem
import DesignTokens
import Domain

/// The app's icon and its manifest (W3C Web Application Manifest).
enum AppIcon {
    /// The icon as SVG, in the colors of the tokens.
    static func svg(_ tokens: Tokens) throws -> String {
        let colors = tokens.colors(.pinktower, .light)
        var svg = try Resource.text("app/icon.svg")
        for (name, color) in [
            ("$ground", colors[.berry, 1]), ("$top", colors[.cubeTop]), ("$side", colors[.cubeSide]),
            ("$shade", colors[.cubeShade]),
        ] { svg.replace(name, with: color.css) }
        return svg
    }

    /// The places that shortcuts open, by the names of their deep links, in this order.
    static let shortcuts: [(link: String, title: String)] = [
        // What widgets show comes first: systems show only the first shortcuts, Android four of them.
        ("assignments", "web.shortcut.assignments"), ("schedule", "web.shortcut.schedule"),
        ("messages", "web.shortcut.messages"), ("grades", "web.shortcut.grades"),
        ("courses", "web.shortcut.courses"),
    ]

    /// - Parameter links: the names of the deep links that the server opens.
    static func manifest(
        _ words: Words, links: Set<String>, background: String, theme: String, icon: String, small: String,
        large: String, maskable: String
    ) -> String {
        let shortcuts = shortcuts.filter { links.contains($0.link) }.map { link, title in
            "{\"name\":\"\(words(title))\",\"url\":\"/open?link=\(link)\"}"
        }.joined(separator: ",")
        return """
            {"name":"PinkTower","short_name":"PinkTower","lang":"\(words.language.rawValue)","id":"/",\
            "start_url":"/","scope":"/","shortcuts":[\(shortcuts)],\
            "protocol_handlers":[{"protocol":"web+wolfwhale","url":"/open?link=%s"}],\
            "display":"standalone","background_color":"\(background)","theme_color":"\(theme)","icons":[\
            {"src":"\(icon)","sizes":"any","type":"image/svg+xml"},\
            {"src":"\(small)","sizes":"192x192","type":"image/png"},\
            {"src":"\(large)","sizes":"512x512","type":"image/png"},\
            {"src":"\(maskable)","sizes":"512x512","type":"image/png","purpose":"maskable"}]}
            """
    }
}

/// The page that the service worker shows without a network and without a cached page.
enum OfflinePage {
    static func bytes(_ words: Words, _ assets: Assets) -> [UInt8] {
        let screen = Screen(
            title: words("web.product"), layout: .focused,
            body: [
                .error(
                    ErrorStateView(
                        icon: .cloudOff, title: words("web.offline"), message: words("web.offline.noPage"),
                        retry: PTButton(title: words("web.retry"), action: .open("?"))))
            ])
        return HTMLRenderer.page(screen, chrome: nil, context: PageContext(words: words, assets: assets, path: "/"))
    }
}

/// The service worker's source with the paths of the files that it caches.
enum ServiceWorker {
    static func source(shell: [String], offline: [String: String]) throws -> String {
        var source = ModuleGraph.stripped(try Resource.text("js/sw.js"))
        let list = shell.sorted().map { "\"\($0)\"" }.joined(separator: ",")
        let pages = offline.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(
            separator: ",")
        let version = ContentHash(Array(list.utf8)).description.prefix(12)
        for (slot, value) in [
            ("\"@shell\"", "[\(list)]"), ("\"@offline\"", "{\(pages)}"), ("\"@version\"", "\"\(version)\""),
        ] {
            guard source.contains(slot) else {
                throw Resource.Missing(description: "sw.js has no place for \(slot)")
            }
            source.replace(slot, with: value)
        }
        return source
    }
}
