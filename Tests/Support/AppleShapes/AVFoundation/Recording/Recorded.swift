import CoreMedia
public import Foundation
public import Synchronization

/// The sound of the device.
public enum RecordedSound {
    public static let categories = Mutex<[String]>([])
    /// Whether the person allows the microphone.
    public static let isAllowed = Mutex(true)
    public static let isBroken = Mutex(false)
}

extension AVPlayer {
    public var recordedURL: URL { url }
    /// The position in seconds to which the player was moved.
    public var recordedPosition: Double? { position?.recordedSeconds }
}
