import Foundation

/// Percent-encodes a text as a value of a query string.
enum QueryValue {
    private static let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~/"))

    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}
