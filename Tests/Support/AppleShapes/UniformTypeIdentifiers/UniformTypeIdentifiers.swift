// Declarations of UniformTypeIdentifiers, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

/// A type of data.
///
/// Apple: UTType. iOS 14.0.
public struct UTType: Hashable, Sendable {
    let name: String
    /// Apple: text. iOS 14.0.
    public static var text: UTType { UTType(name: "public.text") }
}
