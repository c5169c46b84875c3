public import Domain
import Foundation

extension StringCatalog {
    /// Returns the texts of the faults and problems that every feature block may answer with.
    public static func featureKit() throws -> StringCatalog { try StringCatalog(in: .module) }
}
