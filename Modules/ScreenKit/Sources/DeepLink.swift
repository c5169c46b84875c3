public import FeatureKit
public import Foundation

/// A short name of the product for a place or a thing of it: `grades`, `course:{id}`. The same in addresses of other
/// programs (`wolfwhale://course/{id}`), in what systems index, and in notifications; `/open?link=` resolves them all.
public struct DeepLink: Sendable {
    /// What the link is called: "course".
    public let name: String
    /// The page of the thing, or of the place where the link names none; `nil` where there is no such thing. Rights are
    /// the page's own.
    public let path: @Sendable (UUID?, RequestContext) async throws -> String?

    public init(_ name: String, _ path: @escaping @Sendable (UUID?, RequestContext) async throws -> String?) {
        self.name = name
        self.path = path
    }

    /// A place that is always the same.
    public static func place(_ name: String, _ path: String) -> DeepLink {
        DeepLink(name) { id, _ in id == nil ? path : nil }
    }
}

/// A deep link as it came: a name, and an id where it names a thing.
public struct DeepLinkAddress: Sendable, Hashable {
    public let name: String
    public let id: UUID?

    /// Reads `wolfwhale://course/{id}`, `web+wolfwhale://grades`, `course/{id}` and `course:{id}`; `nil` for anything
    /// else.
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
