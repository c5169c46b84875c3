import CQRencode
public import FeatureKit

/// Creates QR codes (ISO/IEC 18004) with libqrencode.
///
/// Uses byte mode with UTF-8, error correction level M, and the smallest version that fits.
public struct LibQRCode: QRCodeEncoder {
    /// The reason why a QR code could not be created.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        case empty
        case tooLong(bytes: Int)
        case outOfMemory

        public var description: String {
            switch self {
            case .empty: "a QR code needs at least one character"
            case .tooLong(let bytes):
                "\(bytes) bytes do not fit into a QR code; with error correction M it holds 2331"
            case .outOfMemory: "there is no memory for a QR code"
            }
        }
    }

    /// Creates an encoder of QR codes, which has no state.
    public init() {}

    public func modules(of text: String) throws -> [[Bool]] {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw Failure.empty }
        // The capacity of version 40 with level M (table 7 of the standard).
        guard bytes.count <= 2331 else { throw Failure.tooLong(bytes: bytes.count) }
        guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else {
            throw Failure.outOfMemory
        }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { throw Failure.outOfMemory }
        // The lowest bit of each byte is the color of the module; the others are flags.
        return (0..<width).map { row in (0..<width).map { column in data[row * width + column] & 1 == 1 } }
    }
}
