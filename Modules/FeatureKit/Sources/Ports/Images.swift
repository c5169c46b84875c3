/// Makes pictures that people send small enough to be shown.
public protocol ImageShrinking: Sendable {
    /// The picture upright and on white, as JPEG, once for each of the sizes, none larger than it was. Whatever else
    /// the file told (where it was taken, with what, when) is gone, for nothing but the pixels is taken over.
    /// - Parameter sizes: the longer sides in pixels, the largest first.
    func shrink(_ content: FileContent, to sizes: [Int]) async throws(ImageFault) -> [ShrunkImage]
}

extension ImageShrinking {
    /// Shrinks a picture that is in memory.
    public func shrink(_ bytes: [UInt8], to sizes: [Int]) async throws(ImageFault) -> [ShrunkImage] {
        try await shrink(.bytes(bytes), to: sizes)
    }
}

/// A JPEG and how large it is.
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

/// Why a file is no picture for us.
public enum ImageFault: Error, Sendable, Hashable {
    /// Neither JPEG, PNG nor WebP.
    case notAnImage
    /// It begins like one and cannot be read to its end.
    case damaged
    case tooManyPixels
    case tooManyBytes
}

/// What is taken at most.
public enum ImageLimits {
    public static let bytes = 15 << 20
    public static let pixels = 50_000_000
}
