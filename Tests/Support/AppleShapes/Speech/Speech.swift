// Declarations of Speech, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

public import AVFoundation
public import Foundation
import Synchronization

/// The person's answer to the question about the recognition of speech.
///
/// Apple: SFSpeechRecognizerAuthorizationStatus. iOS 10.0.
public enum SFSpeechRecognizerAuthorizationStatus: Hashable, Sendable {
    case notDetermined, denied, restricted, authorized
}

/// The system's recognizer for a language.
///
/// Apple: SFSpeechRecognizer. iOS 10.0.
public final class SFSpeechRecognizer: NSObject {
    let language: String

    /// Apple: init(locale:). iOS 10.0.
    public init?(locale: Locale) {
        language = locale.identifier
        guard RecordedSpeech.languages.withLock({ $0[locale.identifier] }) != nil else { return nil }
    }

    /// Apple: supportsOnDeviceRecognition. iOS 13.0.
    public var supportsOnDeviceRecognition: Bool {
        RecordedSpeech.languages.withLock { $0[language] } ?? false
    }

    /// Apple: requestAuthorization(_:). iOS 10.0.
    public static func requestAuthorization(
        _ handler: @escaping @Sendable (SFSpeechRecognizerAuthorizationStatus) -> Void
    ) { handler(RecordedSpeech.isAllowed.withLock { $0 } ? .authorized : .denied) }

    /// Apple: recognitionTask(with:resultHandler:). iOS 10.0.
    public func recognitionTask(
        with request: SFSpeechAudioBufferRecognitionRequest,
        resultHandler: @escaping @Sendable (SFSpeechRecognitionResult?, (any Error)?) -> Void
    ) -> SFSpeechRecognitionTask {
        precondition(request.requiresOnDeviceRecognition, "a recording must not leave the device")
        let (text, isFinal) = RecordedSpeech.heard.withLock { $0 }
        // Without sound there is nothing to recognize.
        if request.pieces > 0 { resultHandler(SFSpeechRecognitionResult(text: text, isFinal: isFinal), nil) }
        return SFSpeechRecognitionTask()
    }
}

/// The sound to recognize.
///
/// Apple: SFSpeechAudioBufferRecognitionRequest. iOS 10.0.
public final class SFSpeechAudioBufferRecognitionRequest: NSObject {
    var pieces = 0
    /// Apple: requiresOnDeviceRecognition. iOS 13.0.
    public var requiresOnDeviceRecognition = false
    /// Apple: shouldReportPartialResults. iOS 10.0.
    public var shouldReportPartialResults = true
    /// Apple: append(_:). iOS 10.0.
    public func append(_ audioPCMBuffer: AVAudioPCMBuffer) { pieces += 1 }
    /// Apple: endAudio(). iOS 10.0.
    public func endAudio() { RecordedSpeech.ended.withLock { $0 += 1 } }
}

/// The text of a recording.
///
/// Apple: SFTranscription. iOS 10.0.
public final class SFTranscription: NSObject {
    /// Apple: formattedString. iOS 10.0.
    public let formattedString: String

    init(text: String) { formattedString = text }
}

/// The text that was recognized so far.
///
/// Apple: SFSpeechRecognitionResult. iOS 10.0.
public final class SFSpeechRecognitionResult: NSObject {
    /// Apple: bestTranscription. iOS 10.0.
    public let bestTranscription: SFTranscription
    /// Apple: isFinal. iOS 10.0.
    public let isFinal: Bool

    init(text: String, isFinal: Bool) {
        bestTranscription = SFTranscription(text: text)
        self.isFinal = isFinal
    }
}

/// A recognition that is under way.
///
/// Apple: SFSpeechRecognitionTask. iOS 10.0.
public final class SFSpeechRecognitionTask: NSObject {
    /// Apple: finish(). iOS 10.0.
    public func finish() {}
}
