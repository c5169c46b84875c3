public import Synchronization

/// The recognition of speech on the device.
public enum RecordedSpeech {
    /// The languages of the recognizer, and whether each works without a server.
    public static let languages = Mutex(["en": true, "fr": false])
    public static let isAllowed = Mutex(true)
    /// The text that the recognizer hears, and whether it is the last.
    public static let heard = Mutex<(text: String, isFinal: Bool)>(("", false))
    /// The number of recordings that the app ended.
    public static let ended = Mutex(0)
}
