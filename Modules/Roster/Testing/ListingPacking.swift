public import FeatureKit
public import Foundation

/// Packs nothing: in the place of a ZIP file it gives the names of its files, one a line.
public struct ListingPacking: Packing {
    public init() {}

    public func zip(_ parts: [ArchivePart]) throws -> Data {
        Data(parts.map(\.name).joined(separator: "\n").utf8)
    }
}
