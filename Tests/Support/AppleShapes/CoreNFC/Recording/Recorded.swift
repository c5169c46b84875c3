public import Foundation
public import Synchronization

/// The NFC reader of the device.
public enum RecordedReader {
    /// The event after the beginning of a session.
    public enum Event: Sendable {
        case foundMiFare(Data)
        case foundFeliCa(Data)
        case ending(NFCReaderError.Code)
    }
    public static let isThere = Mutex(true)
    public static let next = Mutex(Event.ending(.readerSessionInvalidationErrorSessionTimeout))
    public static let prompts = Mutex<[String]>([])
    /// The number of sessions that the app ended.
    public static let ended = Mutex(0)

    static func begin(_ session: NFCTagReaderSession) {
        let prompt = session.alertMessage
        prompts.withLock { $0.append(prompt) }
        session.delegate?.tagReaderSessionDidBecomeActive(session)
        switch next.withLock({ $0 }) {
        case .foundMiFare(let bytes): session.delegate?.tagReaderSession(session, didDetect: [.miFare(Tag(bytes))])
        case .foundFeliCa(let bytes): session.delegate?.tagReaderSession(session, didDetect: [.feliCa(Tag(bytes))])
        case .ending(let code):
            session.delegate?.tagReaderSession(session, didInvalidateWithError: NFCReaderError(code: code))
        }
    }

    private final class Tag: NFCMiFareTag, NFCFeliCaTag {
        let identifier: Data
        var currentIDm: Data { identifier }

        init(_ identifier: Data) { self.identifier = identifier }
    }
}
