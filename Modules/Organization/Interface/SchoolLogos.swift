public import Domain
public import FeatureKit

/// The logo of a school: a JPEG picture among the school's files, made anew from what was uploaded.
public struct SchoolLogo: Sendable, Hashable {
    public let hash: BlobHash
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int

    public init(hash: BlobHash, width: Int, height: Int) {
        self.hash = hash
        self.width = width
        self.height = height
    }
}

/// Reads the logo of a school, for feature blocks that show or print it.
public protocol SchoolLogos: Sendable {
    /// Returns the logo; `nil` for a school without one.
    func logo(in sql: any SQLReading) throws -> SchoolLogo?
}
