/// The hash of a file's content, which identifies the file: SHA-256 (FIPS 180-4) in lower-case hexadecimal.
public struct BlobHash: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    /// The hash as text: 64 lower-case hexadecimal digits.
    public let text: String

    /// Creates a hash from a digest.
    /// - Parameter digest: 64 lower-case hexadecimal digits, as the hash function returns them.
    package init(digest: String) { text = digest }

    /// Reads a hash; `nil` for anything but 64 lower-case hexadecimal digits, so that a hash used as a file name
    /// cannot leave its folder.
    public init?(_ text: String) {
        guard text.utf8.count == 64,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.text = text
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let hash = BlobHash(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a SHA-256")
        }
        self = hash
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    public var description: String { text }
    public static func < (one: BlobHash, other: BlobHash) -> Bool { one.text < other.text }
}
