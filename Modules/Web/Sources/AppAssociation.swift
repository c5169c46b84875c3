import FeatureKit
import FeatureRuntime
import Foundation
import ScreenKit

/// The file with which a domain names its app for Apple's devices ("Supporting associated domains").
///
/// A link to the start or to a page that needs a session opens in the app. Pages for everyone, such as a mailed link to a new password,
/// stay in the browser, because the app has no session for them, and so do downloads. Passkeys of the domain work in the
/// app.
struct AppAssociation: Encodable {
    static let path = "/.well-known/apple-app-site-association"

    private struct Links: Encodable {
        struct Detail: Encodable {
            let appIDs: [String]
            let components: [Component]
        }
        /// A pattern of paths. The first one that matches a link decides.
        struct Component: Encodable {
            let path: String
            let exclude: Bool?

            enum CodingKeys: String, CodingKey {
                case path = "/"
                case exclude
            }
        }
        let details: [Detail]
    }

    private struct Credentials: Encodable { let apps: [String] }

    private let applinks: Links
    private let webcredentials: Credentials

    /// - Parameter appId: the id of the app, team and bundle.
    init(_ appId: String, _ features: FeatureSet) {
        let downloads = features.features.flatMap(\.endpoints.downloads).map { ($0.path, false) }
        let screens = features.features.flatMap(\.pages.screens).map { screen in
            (screen.path, screen.access != .anyone || screen.path == "/")
        }
        applinks = Links(details: [.init(appIDs: [appId], components: Self.components(of: downloads + screens))])
        webcredentials = Credentials(apps: [appId])
    }

    /// The patterns of routes: `/students/?*` for `/students/{studentId}`.
    ///
    /// A wildcard matches slashes too. Routes with more segments come first, so that no shorter one decides for them.
    private static func components(of routes: [(path: String, isInApp: Bool)]) -> [Links.Component] {
        let patterns = routes.map { path, isInApp in
            (path: path.replacing(#/\{[^}]*\}/#, with: "?*"), isInApp: isInApp)
        }
        func order(_ path: String) -> (Int, Int, String) {
            (-path.count { $0 == "/" }, path.count { $0 == "*" }, path)
        }
        return patterns.sorted { order($0.path) < order($1.path) }
            .map { Links.Component(path: $0.path, exclude: $0.isInApp ? nil : true) }
    }

    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self)
        }
    }
}
