import AVFoundation
public import Foundation
public import Observation
import Speech

/// Writes down what a person says. The recording stays on the device.
@MainActor @Observable
public final class Dictation {
    /// The text so far.
    public private(set) var text = ""
    public private(set) var isListening = false
    @ObservationIgnored private var recording: Recording?

    public init() {}

    /// Whether the device writes a language down without a server. Without it the page shows its web equivalent.
    public static func isAvailable(in locale: Locale) -> Bool {
        SFSpeechRecognizer(locale: locale)?.supportsOnDeviceRecognition ?? false
    }

    /// Begins to listen. Returns whether the person allows it and the microphone works.
    public func start(in locale: Locale) async -> Bool {
        stop()
        guard Self.isAvailable(in: locale), await Recording.isAllowed() else { return false }
        do {
            recording = try Recording(in: locale) { [weak self] text, isLast in
                Task { @MainActor in self?.receive(text, isLast) }
            }
        } catch {
            return false
        }
        isListening = true
        return true
    }

    /// Ends listening. The text stays.
    public func stop() {
        recording?.stop()
        recording = nil
        isListening = false
    }

    /// Forgets the text.
    public func clear() { text = "" }

    private func receive(_ heard: String?, _ isLast: Bool) {
        if let heard { text = heard }
        if isLast { stop() }
    }
}

/// The microphone and the recognizer of one dictation.
///
/// The system calls its closures on threads of its own, so that nothing here belongs to the main actor.
private final class Recording {
    private let engine = AVAudioEngine()
    private let request = SFSpeechAudioBufferRecognitionRequest()
    private var task: SFSpeechRecognitionTask?
    /// The number of samples that the microphone delivers at once.
    private static let bufferSize: UInt32 = 1024

    /// Begins to listen. Throws the system's error.
    init(in locale: Locale, _ onText: @escaping @Sendable (String?, Bool) -> Void) throws {
        request.requiresOnDeviceRecognition = true
        request.shouldReportPartialResults = true
        try AVAudioSession.sharedInstance().setCategory(.record)
        let input = engine.inputNode
        let request = request
        input.installTap(onBus: 0, bufferSize: Self.bufferSize, format: input.outputFormat(forBus: 0)) {
            buffer, _ in
            request.append(buffer)
        }
        engine.prepare()
        try engine.start()
        task = SFSpeechRecognizer(locale: locale)?.recognitionTask(with: request) { result, error in
            onText(result?.bestTranscription.formattedString, error != nil || result?.isFinal == true)
        }
    }

    /// Whether the person allows the recognition of speech and the microphone. Asks if necessary.
    static func isAllowed() async -> Bool {
        let isAllowed = await withCheckedContinuation { continuation in
            SFSpeechRecognizer.requestAuthorization { continuation.resume(returning: $0 == .authorized) }
        }
        guard isAllowed else { return false }
        return await AVAudioApplication.requestRecordPermission()
    }

    func stop() {
        engine.stop()
        engine.inputNode.removeTap(onBus: 0)
        request.endAudio()
        task?.finish()
    }
}
