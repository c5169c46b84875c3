import Hummingbird
import WebHTML

struct AssetRoutes: Sendable {
    let assets: Assets
    func add(to router: Router<WebContext>) {}
}
