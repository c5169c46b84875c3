import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The page that opens links of other programs, a system's search, notifications and shortcuts.
///
/// A link is a deep link or a path of this site.
struct OpenScreen: Sendable {
    let links: [DeepLink]

    var route: ScreenRoute {
        ScreenRoute(DeepLink.opener, access: .account) { request in
            guard request.context.caller.membership != nil else { return .redirect("/") }
            guard let text = request.query["link"] else { return .redirect("/") }
            if let path = LocalPath.checked(text) { return .redirect(path) }
            guard let address = DeepLinkAddress(text),
                let link = links.first(where: { $0.name == address.name }),
                let path = try await link.path(address.id, request.context)
            else { throw Problem.notFound }
            return .redirect(path)
        }
    }
}
