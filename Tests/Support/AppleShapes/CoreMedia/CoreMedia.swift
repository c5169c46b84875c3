// Declarations of CoreMedia, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

/// A time of media as a fraction.
///
/// Apple: CMTime. iOS 4.0.
public struct CMTime: Hashable, Sendable {
    let seconds: Double

    /// Apple: init(seconds:preferredTimescale:). iOS 7.0.
    public init(seconds: Double, preferredTimescale: Int32) { self.seconds = seconds }
}
