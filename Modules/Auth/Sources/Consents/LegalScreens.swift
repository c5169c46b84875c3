import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The Terms of Service and the Privacy Policy, which need no account.
enum LegalScreens {
    static let routes = [
        ScreenRoute("/terms", access: .anyone) { .screen(document("terms", parts: 8, $0)) },
        ScreenRoute("/privacy", access: .anyone) { .screen(document("privacy", parts: 9, $0)) },
    ]

    /// Links from the privacy page to the other blocks' pages about stored data.
    private static func links(_ name: String, _ request: ScreenRequest) -> [Component] {
        let entries = request.navigation.filter { $0.placement == .legal }
        guard name == "privacy", !entries.isEmpty else { return [] }
        return [
            .links(
                PTLinks(links: entries.map { .init(title: request.words($0.title), action: .open($0.path)) }))
        ]
    }

    private static func document(_ name: String, parts: Int, _ request: ScreenRequest) -> Screen {
        let words = request.words
        let isSignedIn = request.context.caller.account != nil
        let settings = request.navigation.first { $0.path == "/settings" }?.path
        return Screen(
            title: words("legal.\(name).title"), subtitle: words("legal.\(name).subtitle"),
            layout: isSignedIn ? .page : .focused, back: isSignedIn ? settings ?? "/" : "/sign-up",
            body: links(name, request)
                + (1...parts).map { part in
                    .section(
                        PTSection(
                            title: words("legal.\(name).\(part).title"),
                            body: [.text(PTText(words("legal.\(name).\(part).text")))]))
                })
    }
}
