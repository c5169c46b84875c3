public import CoreNFC
public import Foundation

/// Reads the number of an NFC tag or card.
@MainActor
public final class TagReader: NSObject {
    /// The reason why no tag was read.
    public enum Failure: Error, Hashable, Sendable { case unavailable, failed }

    /// Whether the device can read tags.
    public static var isAvailable: Bool { NFCTagReaderSession.readingAvailable }

    private let prompt: String
    private var session: NFCTagReaderSession?
    private var waiting: CheckedContinuation<String, any Error>?

    /// - Parameter prompt: the text that the system shows while it waits for a tag.
    public init(prompt: String) { self.prompt = prompt }

    /// Returns the number of the tag that the person holds to the device, as hexadecimal digits.
    ///
    /// Throws `CancellationError` if the person cancels, `Failure` if the device cannot read.
    public func read() async throws -> String {
        guard Self.isAvailable, waiting == nil,
            let session = NFCTagReaderSession(pollingOption: [.iso14443, .iso15693], delegate: self, queue: .main)
        else { throw Failure.unavailable }
        session.alertMessage = prompt
        self.session = session
        return try await withCheckedThrowingContinuation { continuation in
            waiting = continuation
            session.begin()
        }
    }

    private func end(_ result: Result<String, any Error>) {
        session = nil
        let continuation = waiting
        waiting = nil
        continuation?.resume(with: result)
    }
}

// The session calls its delegate on the queue that it was given, the main one.
extension TagReader: NFCTagReaderSessionDelegate {
    nonisolated public func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    nonisolated public func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard let number = tags.first.map(\.number) else { return }
        MainActor.assumeIsolated { end(.success(number)) }
        session.invalidate()
    }

    nonisolated public func tagReaderSession(
        _ session: NFCTagReaderSession, didInvalidateWithError error: any Error
    ) {
        let isCanceled = (error as? NFCReaderError)?.code == .readerSessionInvalidationErrorUserCanceled
        MainActor.assumeIsolated { end(.failure(isCanceled ? CancellationError() : Failure.failed)) }
    }
}

extension NFCTag {
    /// The tag's own number as hexadecimal digits.
    fileprivate var number: String {
        let bytes =
            switch self {
            case .miFare(let tag): tag.identifier
            case .iso7816(let tag): tag.identifier
            case .iso15693(let tag): tag.identifier
            case .feliCa(let tag): tag.currentIDm
            @unknown default: Data()
            }
        let digits = Array("0123456789ABCDEF")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
