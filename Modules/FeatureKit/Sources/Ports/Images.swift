/// The port that makes pictures small enough to be shown in pages.
public protocol ImageShrinking: Sendable {
    /// Returns the picture upright, on white, as JPEG, once for each size, never enlarged.
    ///
    /// Nothing but the pixels is copied, so that metadata such as the place and the time is removed.
    /// - Parameters:
    ///   - sizes: the longer sides in pixels, the largest first.
    ///   - bytes: the largest size of the file that is accepted.
    func shrink(_ content: FileContent, to sizes: [Int], upTo bytes: Int) async throws(ImageFault) -> [ShrunkImage]
}

extension ImageShrinking {
    /// Shrinks a picture of at most `ImageLimits.bytes`, and returns it once for each size.
    public func shrink(_ content: FileContent, to sizes: [Int]) async throws(ImageFault) -> [ShrunkImage] {
        try await shrink(content, to: sizes, upTo: ImageLimits.bytes)
    }

    /// Shrinks a picture that is in memory, and returns it once for each size.
    public func shrink(_ bytes: [UInt8], to sizes: [Int]) async throws(ImageFault) -> [ShrunkImage] {
        try await shrink(.bytes(bytes), to: sizes)
    }
}

/// A JPEG picture and its size in pixels.
public struct ShrunkImage: Sendable, Hashable {
    public let bytes: [UInt8]
    public let width: Int
    public let height: Int

    public init(bytes: [UInt8], width: Int, height: Int) {
        self.bytes = bytes
        self.width = width
        self.height = height
    }
}

/// The reason why a file is not accepted as a picture.
public enum ImageFault: Error, Sendable, Hashable {
    /// The file is neither JPEG, PNG nor WebP.
    case notAnImage
    /// The file begins like a picture and cannot be read to its end.
    case damaged
    case tooManyPixels
    case tooManyBytes
}

/// The limits in bytes and pixels for pictures that are accepted.
public enum ImageLimits {
    /// The largest size of an accepted picture file in bytes, unless a command accepts larger ones.
    public static let bytes = 15 << 20
    /// The largest number of pixels of a picture that is accepted.
    public static let pixels = 50_000_000
}
