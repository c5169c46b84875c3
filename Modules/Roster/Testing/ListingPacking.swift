public import FeatureKit
public import Foundation

/// A substitute for a packer that returns the names of the files, one per line, instead of a ZIP file.
public struct ListingPacking: Packing {
    public init() {}

    public func zip(_ parts: [ArchivePart]) throws -> Data {
        Data(parts.map(\.name).joined(separator: "\n").utf8)
    }
}
