import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The page that resolves deep links of other programs, a system's search and notifications.
struct OpenScreen: Sendable {
    static let path = "/open"

    let links: [DeepLink]

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .account) { request in
            guard request.context.caller.membership != nil else { return .redirect("/") }
            guard let text = request.query["link"] else { return .redirect("/") }
            guard let address = DeepLinkAddress(text),
                let link = links.first(where: { $0.name == address.name }),
                let path = try await link.path(address.id, request.context)
            else { throw Problem.notFound }
            return .redirect(path)
        }
    }
}
