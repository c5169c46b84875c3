public import Domain
import Foundation

/// The texts of the web adapter's own pages.
public enum WebCatalog {
    /// Reads the catalog. Throws when it is missing or malformed.
    public static func own() throws -> StringCatalog { try StringCatalog(in: .module) }
}
