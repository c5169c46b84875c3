import Foundation

/// Addresses of the same list with one filter changed.
public struct FilterLinks: Sendable {
    /// How far a list is read on is no filter: a new filter begins at the top.
    private static let reading: Set<String> = ["after", "shown"]

    private let path: String
    private let query: [String: String]

    /// - Parameter known: the names of the filters, and of how far the list is read; whatever else stands in the
    ///   address is left behind.
    public init(path: String, query: [String: String], known: Set<String>) {
        self.path = path
        self.query = query.filter { known.contains($0.key) && !$0.value.isEmpty }
    }

    /// The address with `value` for `key`, or without it.
    public func with(_ key: String, _ value: String?) -> String {
        let parts = query.filter { $0.key == key || !Self.reading.contains($0.key) }
            .merging([key: value ?? ""]) { $1 }.filter { !$0.value.isEmpty }
            .sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.encoded($0.value))" }
        return parts.isEmpty ? path : "\(path)?\(parts.joined(separator: "&"))"
    }

    /// Whoever reads a query takes a plus sign for a space and ends a value at `&` and `;`: they are not left as they
    /// are, whatever a URL allows.
    private static func encoded(_ value: String) -> String {
        value.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// What a new search keeps.
    public var kept: [String: String] { query.filter { $0.key != "q" && !Self.reading.contains($0.key) } }
}
