import Crypto
public import Domain
public import FeatureKit

extension SystemCryptography {
    /// Computes the hash of a file's content, read in portions. Throws if it cannot be read.
    public static func blobHash(of content: FileContent) throws -> BlobHash {
        // The module is named because Domain has a SHA256 of its own.
        var hash = Crypto.SHA256()
        try content.forEachPortion { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return BlobHash(digest: hash.finalize().hexadecimal)
    }
}
