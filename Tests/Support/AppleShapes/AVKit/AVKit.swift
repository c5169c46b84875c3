// Declarations of AVKit, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

public import AVFoundation
public import UIKit

/// The system's player for videos.
///
/// Apple: AVPlayerViewController. iOS 8.0.
@MainActor
public final class AVPlayerViewController: UIViewController {
    /// Apple: AVPlayerViewController.player. iOS 8.0.
    public var player: AVPlayer?
    /// Apple: allowsPictureInPicturePlayback. iOS 9.0.
    public var allowsPictureInPicturePlayback = true
    /// Apple: canStartPictureInPictureAutomaticallyFromInline. iOS 14.2.
    public var canStartPictureInPictureAutomaticallyFromInline = false
}
