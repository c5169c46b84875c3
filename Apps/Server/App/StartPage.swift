import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The page at `/` of a server whose blocks have none. It leads to the pages that exist.
enum StartPage {
    private static let signIn = "/sign-in"

    /// Returns a feature with the page.
    /// - Parameter screens: the pages of all blocks.
    static func feature(beside screens: [ScreenRoute]) throws -> Feature {
        var feature = Feature("Server", catalog: try StringCatalog(in: .module))
        let hasSignIn = screens.contains { $0.path == signIn }
        feature.pages.screens = [
            ScreenRoute("/", access: .anyone) { request in
                guard request.context.caller.account == nil, hasSignIn else { return show(request) }
                return .redirect(signIn)
            }
        ]
        return feature
    }

    /// Redirects to the first tab that the person may open; without tabs it lists the other pages.
    private static func show(_ request: ScreenRequest) -> ScreenAnswer {
        // Almost all of these pages need a signed-in account.
        let isSignedIn = request.context.caller.account != nil
        let pages = request.navigation.filter { isSignedIn && !$0.isCommand && !$0.path.contains("{") }
        if let tab = pages.first(where: { $0.placement == .tabs }) { return .redirect(tab.path) }
        let words = request.words
        return .screen(
            Screen(
                title: words("server.start.title"),
                body: pages.isEmpty
                    ? [.text(PTText(words("server.start.empty"), role: .note))]
                    : [
                        .links(
                            PTLinks(links: pages.map { .init(title: words($0.title), action: .open($0.path)) }))
                    ]))
    }
}
