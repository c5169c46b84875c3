import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The server's own page at `/`, for a selection of blocks of which none has one: it leads to what there is.
enum StartPage {
    private static let signIn = "/sign-in"

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

    /// Leads to the first tab that the person may open; without one it lists what else they may.
    private static func show(_ request: ScreenRequest) -> ScreenAnswer {
        // Nearly all of these pages want somebody who is signed in.
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
