import Foundation

/// A text as one value of a query string.
enum QueryValue {
    private static let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~/"))

    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}
