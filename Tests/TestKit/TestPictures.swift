import Domain
public import FeatureKit
import Foundation

/// Small pictures as cameras and programs make them.
public enum TestPictures {
    /// A JPEG of 24 x 16 pixels, its left half red, its right half blue.
    ///
    /// The camera was held on its side (orientation 6). The metadata contains the maker and the place, 45.5 N, 73.6
    /// W.
    public static let photo = decoded(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/4QCsRXhpZgAATU0AKgAAAAgAAwEPAAIAAAALAAAAMgESAAMAAAABAAYAAIglAAQAAAABAAAA\
        PgAAAABQaG9uZU1ha2VyAAAABAABAAIAAAACTgAAAAACAAUAAAADAAAAdAADAAIAAAACVwAAAAAEAAUAAAADAAAAjAAAAAAAAAAt\
        AAAAAQAAAB4AAAABAAAADAAAAAEAAABJAAAAAQAAACIAAAABAAAAAQAAAAH/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYI\
        DAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQU\
        FBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAQABgDAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAEC\
        AwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRol\
        JicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2\
        t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL\
        /8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2\
        Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPE\
        xcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDwKvzI/uM5Tx1/y4/8D/8AZa/pjwY/5mH/AHC/\
        9yH89+LX/MD/ANxP/cZylf0wfz2erV/mef6EHKeOv+XH/gf/ALLX9MeDH/Mw/wC4X/uQ/nvxa/5gf+4n/uM5Sv6YP57P/9k=
        """)
    /// A transparent PNG of 20 x 10 pixels.
    public static let png = decoded(
        """
        iVBORw0KGgoAAAANSUhEUgAAABQAAAAKCAYAAAC0VX7mAAAAEElEQVR4nGNgGAWjYBQQBgADKgABa0qr8gAAAABJRU5ErkJggg==
        """)
    /// A lossless WebP of 24 x 16 pixels.
    public static let webP = decoded(
        """
        UklGRioAAABXRUJQVlA4TB0AAAAvF8ADAA8wHvdQvRXy/EcLhASEB/6v1S2I6H8kMwA=
        """)
    public static let gif = decoded(
        """
        R0lGODdhGAAQAIEAAMgeHh4eyAAAAAAAACwAAAAAGAAQAEAIPwABCBxIUGCAgwgTHizIEIDChwEaFoSoUCJBigktDsSIUKNBjhE9\
        ggypcaRHhyBPmhSZkiVHlS1LxrS4UibHgAA7
        """)

    private static func decoded(_ text: String) -> [UInt8] {
        guard let data = Data(base64Encoded: text) else { preconditionFailure("the picture is no Base64") }
        return Array(data)
    }
}

/// A substitute that takes every JPEG for a photo of 1600 x 1200 pixels.
///
/// Its results begin like a JPEG and contain the size and the hash of the original.
public struct TestImages: ImageShrinking {
    public init() {}

    public func shrink(
        _ content: FileContent, to sizes: [Int], upTo limit: Int
    ) async throws(ImageFault) -> [ShrunkImage] {
        let bytes: [UInt8]
        do {
            bytes = try content.bytes()
        } catch {
            throw .damaged
        }
        guard MediaType(bytes) == .jpeg else { throw .notAnImage }
        return sizes.map { size in
            ShrunkImage(
                bytes: [0xFF, 0xD8, 0xFF, 0xE0] + Array("\(size) of \(BlobHash(of: bytes))".utf8),
                width: size, height: size * 3 / 4)
        }
    }
}
