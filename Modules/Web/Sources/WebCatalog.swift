public import Domain
import Foundation

/// The texts of the pages that the web server itself shows, such as that of an error.
public enum WebCatalog {
    /// Reads the string catalog of the web server's own pages. Throws when it is missing or malformed.
    public static func read() throws -> StringCatalog { try StringCatalog(in: .module) }
}
