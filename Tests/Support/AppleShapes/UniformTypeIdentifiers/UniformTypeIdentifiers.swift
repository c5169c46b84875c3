// Declarations of UniformTypeIdentifiers, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

/// A type of data.
///
/// Apple: UTType. iOS 14.0.
public struct UTType: Hashable, Sendable {
    let name: String
    /// Apple: UTType.text. iOS 14.0.
    public static var text: UTType { UTType(name: "public.text") }
    /// Apple: UTType.item. iOS 14.0.
    public static var item: UTType { UTType(name: "public.item") }
    /// Apple: UTType.image. iOS 14.0.
    public static var image: UTType { UTType(name: "public.image") }
    /// Apple: UTType.movie. iOS 14.0.
    public static var movie: UTType { UTType(name: "public.movie") }
    /// Apple: UTType.audio. iOS 14.0.
    public static var audio: UTType { UTType(name: "public.audio") }

    /// The types that the tests use; a device knows all of them.
    private static let known: [(name: String, media: String, suffix: String)] = [
        ("public.jpeg", "image/jpeg", "jpg"), ("public.png", "image/png", "png"),
        ("com.adobe.pdf", "application/pdf", "pdf"),
        ("public.comma-separated-values-text", "text/csv", "csv"), ("public.mpeg-4", "video/mp4", "mp4"),
        ("com.apple.m4a-audio", "audio/mp4", "m4a"), ("public.plain-text", "text/plain", "txt"),
    ]

    init(name: String) { self.name = name }

    private init?(_ isMeant: ((name: String, media: String, suffix: String)) -> Bool) {
        guard let found = Self.known.first(where: isMeant) else { return nil }
        name = found.name
    }

    /// Apple: UTType.init(mimeType:conformingTo:). iOS 14.0.
    public init?(mimeType: String) { self.init { $0.media == mimeType } }
    /// Apple: UTType.init(filenameExtension:conformingTo:). iOS 14.0.
    public init?(filenameExtension: String) { self.init { $0.suffix == filenameExtension } }

    /// Apple: preferredMIMEType. iOS 14.0.
    public var preferredMIMEType: String? { Self.known.first { $0.name == name }?.media }
}
