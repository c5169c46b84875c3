public import Foundation
public import Synchronization

/// The NFC reader of the device.
public enum RecordedReader {
    /// What happens when a session begins.
    public enum Event: Sendable {
        case miFare(Data)
        case feliCa(Data)
        case end(NFCReaderError.Code)
    }
    public static let isThere = Mutex(true)
    public static let next = Mutex(Event.end(.readerSessionInvalidationErrorSessionTimeout))
    public static let prompts = Mutex<[String]>([])
    /// The number of sessions that the app ended.
    public static let ended = Mutex(0)

    static func begin(_ session: NFCTagReaderSession) {
        let prompt = session.alertMessage
        prompts.withLock { $0.append(prompt) }
        session.delegate?.tagReaderSessionDidBecomeActive(session)
        switch next.withLock({ $0 }) {
        case .miFare(let bytes): session.delegate?.tagReaderSession(session, didDetect: [.miFare(Tag(bytes))])
        case .feliCa(let bytes): session.delegate?.tagReaderSession(session, didDetect: [.feliCa(Tag(bytes))])
        case .end(let code):
            session.delegate?.tagReaderSession(session, didInvalidateWithError: NFCReaderError(code: code))
        }
    }

    private final class Tag: NFCMiFareTag, NFCFeliCaTag {
        let identifier: Data
        var currentIDm: Data { identifier }

        init(_ identifier: Data) { self.identifier = identifier }
    }
}
