// Declarations of CoreNFC, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

public import Dispatch
public import Foundation
import Synchronization

/// A tag of the kind MIFARE.
///
/// Apple: NFCMiFareTag. iOS 13.0.
public protocol NFCMiFareTag: AnyObject {
    /// Apple: NFCMiFareTag.identifier. iOS 13.0.
    var identifier: Data { get }
}

/// A tag of the kind ISO 7816.
///
/// Apple: NFCISO7816Tag. iOS 13.0.
public protocol NFCISO7816Tag: AnyObject {
    /// Apple: NFCISO7816Tag.identifier. iOS 13.0.
    var identifier: Data { get }
}

/// A tag of the kind ISO 15693.
///
/// Apple: NFCISO15693Tag. iOS 13.0.
public protocol NFCISO15693Tag: AnyObject {
    /// Apple: NFCISO15693Tag.identifier. iOS 13.0.
    var identifier: Data { get }
}

/// A tag of the kind FeliCa.
///
/// Apple: NFCFeliCaTag. iOS 13.0.
public protocol NFCFeliCaTag: AnyObject {
    /// Apple: currentIDm. iOS 13.0.
    var currentIDm: Data { get }
}

/// A tag that the device found.
///
/// Apple: NFCTag. iOS 13.0.
public enum NFCTag {
    case feliCa(any NFCFeliCaTag)
    case iso7816(any NFCISO7816Tag)
    case iso15693(any NFCISO15693Tag)
    case miFare(any NFCMiFareTag)
}

/// The receiver of tags.
///
/// Apple: NFCTagReaderSessionDelegate. iOS 13.0.
public protocol NFCTagReaderSessionDelegate: NSObjectProtocol {
    /// Apple: tagReaderSessionDidBecomeActive(_:). iOS 13.0.
    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession)
    /// Apple: tagReaderSession(_:didDetect:). iOS 13.0.
    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag])
    /// Apple: tagReaderSession(_:didInvalidateWithError:). iOS 13.0.
    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error)
}

/// A reason for which a session ended.
///
/// Apple: NFCReaderError. iOS 11.0.
public struct NFCReaderError: Error, Hashable, Sendable {
    /// Apple: NFCReaderError.Code. iOS 11.0.
    public enum Code: Hashable, Sendable {
        case readerSessionInvalidationErrorUserCanceled, readerSessionInvalidationErrorSessionTimeout
    }
    /// Apple: NFCReaderError.code. iOS 11.0.
    public let code: Code

    init(code: Code) { self.code = code }
}

/// A time in which the device looks for tags.
///
/// Apple: NFCTagReaderSession. iOS 13.0.
public final class NFCTagReaderSession: NSObject {
    /// The kinds of tags to look for.
    ///
    /// Apple: NFCTagReaderSession.PollingOption. iOS 13.0.
    public struct PollingOption: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Apple: iso14443. iOS 13.0.
        public static let iso14443 = PollingOption(rawValue: 1)
        /// Apple: iso15693. iOS 13.0.
        public static let iso15693 = PollingOption(rawValue: 2)
    }
    /// Apple: readingAvailable. iOS 11.0.
    public static var readingAvailable: Bool { RecordedReader.isThere.withLock { $0 } }

    weak var delegate: (any NFCTagReaderSessionDelegate)?
    /// Apple: init(pollingOption:delegate:queue:). iOS 13.0.
    public init?(
        pollingOption: PollingOption, delegate: any NFCTagReaderSessionDelegate, queue: DispatchQueue? = nil
    ) {
        precondition(queue?.label == DispatchQueue.main.label, "the delegate assumes the main queue")
        self.delegate = delegate
    }
    /// Apple: alertMessage. iOS 11.0.
    public var alertMessage = ""
    /// Apple: begin(). iOS 11.0.
    public func begin() { RecordedReader.begin(self) }
    /// Apple: invalidate(). iOS 11.0.
    public func invalidate() { RecordedReader.ended.withLock { $0 += 1 } }
}
