import Foundation

/// Characters that stand unescaped inside one value of a query string.
enum CharacterSetOfQuery {
    static let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~/"))
}
