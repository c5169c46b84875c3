import Foundation

/// Builds addresses of the same list with one filter changed.
public struct FilterLinks: Sendable {
    /// Parameters that say how far a list was read. They are dropped with every new filter, which starts at the top.
    private static let reading: Set<String> = ["after", "shown"]

    private let path: String
    private let query: [String: String]

    /// Creates links from the address of the list.
    /// - Parameter known: the names of the filters and of the parameters that say how far the list was read. Other
    ///   parameters are dropped.
    public init(path: String, query: [String: String], known: Set<String>) {
        self.path = path
        self.query = query.filter { known.contains($0.key) && !$0.value.isEmpty }
    }

    /// Returns the address of the list with a value for a filter, or without the filter if the value is `nil`.
    public func with(_ key: String, _ value: String?) -> String {
        let parts = query.filter { $0.key == key || !Self.reading.contains($0.key) }
            .merging([key: value ?? ""]) { $1 }.filter { !$0.value.isEmpty }
            .sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.encoded($0.value))" }
        return parts.isEmpty ? path : "\(path)?\(parts.joined(separator: "&"))"
    }

    /// Escapes everything but letters, digits and `-._~`.
    ///
    /// URLs allow more, but readers of queries take a plus sign for a space and end a value at `&` and `;`.
    private static func encoded(_ value: String) -> String {
        value.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// The filters of the list that stay when the text of the search changes.
    public var filters: [String: String] { query.filter { $0.key != "q" && !Self.reading.contains($0.key) } }
}
