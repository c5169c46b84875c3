// Declarations of AVFoundation, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

public import CoreMedia
public import Foundation
import Synchronization

/// An object that plays media.
///
/// Apple: AVPlayer. iOS 4.0.
@MainActor
public final class AVPlayer: NSObject {
    let url: URL
    var position: CMTime?

    /// Apple: init(url:). iOS 4.0.
    public init(url: URL) { self.url = url }

    /// Whether the video may be shown on another screen, such as over AirPlay.
    ///
    /// Apple: allowsExternalPlayback. iOS 6.0.
    public var allowsExternalPlayback = true
    /// Apple: seek(to:). iOS 4.0.
    public func seek(to time: CMTime) { position = time }
}

/// The app's use of sound.
///
/// Apple: AVAudioSession. iOS 3.0.
public final class AVAudioSession: NSObject, Sendable {
    /// A kind of use of sound.
    ///
    /// Apple: AVAudioSession.Category. iOS 3.0.
    public struct Category: Hashable, Sendable {
        let name: String
        /// Apple: playback. iOS 3.0.
        public static let playback = Category(name: "playback")
        /// Apple: record. iOS 3.0.
        public static let record = Category(name: "record")
    }
    /// Apple: sharedInstance(). iOS 3.0.
    public static func sharedInstance() -> AVAudioSession { AVAudioSession() }
    /// Apple: setCategory(_:). iOS 3.0.
    public func setCategory(_ category: Category) throws {
        RecordedSound.categories.withLock { $0.append(category.name) }
    }
}

/// The app's permission to use the microphone.
///
/// Apple: AVAudioApplication. iOS 17.0.
public final class AVAudioApplication: NSObject {
    /// Apple: requestRecordPermission(completionHandler:). iOS 17.0.
    public static func requestRecordPermission() async -> Bool { RecordedSound.isAllowed.withLock { $0 } }
}

/// The form of sound.
///
/// Apple: AVAudioFormat. iOS 8.0.
public final class AVAudioFormat: NSObject {}

/// The moment of a piece of sound.
///
/// Apple: AVAudioTime. iOS 8.0.
public final class AVAudioTime: NSObject {}

/// A piece of sound.
///
/// Apple: AVAudioPCMBuffer. iOS 8.0.
public final class AVAudioPCMBuffer: NSObject {}

/// The microphone of an engine.
///
/// Apple: AVAudioInputNode. iOS 8.0.
public final class AVAudioInputNode: NSObject {
    var tap: ((AVAudioPCMBuffer, AVAudioTime) -> Void)?

    /// Apple: outputFormat(forBus:). iOS 8.0.
    public func outputFormat(forBus bus: Int) -> AVAudioFormat { AVAudioFormat() }
    /// Apple: installTap(onBus:bufferSize:format:block:). iOS 8.0.
    public func installTap(
        onBus bus: Int, bufferSize: UInt32, format: AVAudioFormat?,
        block tapBlock: @escaping (AVAudioPCMBuffer, AVAudioTime) -> Void
    ) { tap = tapBlock }
    /// Apple: removeTap(onBus:). iOS 8.0.
    public func removeTap(onBus bus: Int) { tap = nil }
}

/// Nodes that handle sound.
///
/// Apple: AVAudioEngine. iOS 8.0.
public final class AVAudioEngine: NSObject {
    /// Apple: inputNode. iOS 8.0.
    public let inputNode = AVAudioInputNode()

    /// Apple: prepare(). iOS 8.0.
    public func prepare() {}
    /// Apple: start(). iOS 8.0.
    public func start() throws {
        if RecordedSound.isBroken.withLock({ $0 }) { throw CocoaError(.featureUnsupported) }
        // The microphone delivers one piece of sound.
        inputNode.tap?(AVAudioPCMBuffer(), AVAudioTime())
    }
    /// Apple: stop(). iOS 8.0.
    public func stop() {}
}
