public import FeatureKit
public import Foundation

/// A short name of a page or a thing: `grades`, `course:{id}`.
///
/// Deep links are used in addresses of other programs (`wolfwhale://course/{id}`), in search indexes of systems and
/// in notifications. `/open?link=` resolves them.
public struct DeepLink: Sendable {
    /// The name of the deep link, such as "course".
    public let name: String
    /// Returns the path of a thing's page, or of the link's own page if there is no id; `nil` for an unknown thing.
    ///
    /// The page checks the caller's rights.
    public let path: @Sendable (UUID?, RequestContext) async throws -> String?

    public init(_ name: String, _ path: @escaping @Sendable (UUID?, RequestContext) async throws -> String?) {
        self.name = name
        self.path = path
    }

    /// The path of the page that opens links of other programs, notifications and shortcuts.
    public static let opener = "/open"

    /// Returns the address that opens a link: a deep link or a path of this site.
    public static func address(of link: String) -> String {
        "\(opener)?link=\(link.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
    }

    /// Creates a deep link to a page that always has the same path.
    public static func place(_ name: String, _ path: String) -> DeepLink {
        DeepLink(name) { id, _ in id == nil ? path : nil }
    }
}

/// A deep link that was received: a name, and an id if it names a thing.
public struct DeepLinkAddress: Sendable, Hashable {
    public let name: String
    public let id: UUID?

    /// Reads `wolfwhale://course/{id}`, `web+wolfwhale://grades`, `course/{id}` and `course:{id}`; `nil` for any
    /// other text.
    public init?(_ text: String) {
        guard text.utf8.count <= 200 else { return nil }
        var rest = text.trimmingCharacters(in: .whitespacesAndNewlines)[...]
        if let scheme = rest.range(of: "://") {
            guard ["wolfwhale", "web+wolfwhale"].contains(rest[..<scheme.lowerBound].lowercased()) else {
                return nil
            }
            rest = rest[scheme.upperBound...]
        }
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        let parts = rest.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "/" || $0 == ":" }
        guard let first = parts.first, !first.isEmpty, first.utf8.allSatisfy({ (97...122).contains($0) }) else {
            return nil
        }
        if parts.count == 2 {
            guard let id = UUID(uuidString: String(parts[1])) else { return nil }
            self.id = id
        } else {
            id = nil
        }
        name = String(first)
    }
}
