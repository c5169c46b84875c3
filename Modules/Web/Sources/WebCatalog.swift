public import Domain
import Foundation

/// The texts of this adapter's own pages.
public enum WebCatalog {
    public static func own() throws -> StringCatalog { try StringCatalog(in: .module) }
}
