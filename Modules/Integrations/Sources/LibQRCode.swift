import CQRencode
public import FeatureKit

/// Draws QR codes (ISO/IEC 18004) with libqrencode: bytes of UTF-8, error correction level M, the
/// smallest version that holds them.
public struct LibQRCode: QRCodeEncoder {
    /// Why no code could be drawn.
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

    public init() {}

    public func modules(of text: String) throws -> [[Bool]] {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw Failure.empty }
        // Version 40 with level M, table 7 of the standard.
        guard bytes.count <= 2331 else { throw Failure.tooLong(bytes: bytes.count) }
        guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else {
            throw Failure.outOfMemory
        }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { throw Failure.outOfMemory }
        // The lowest bit of each byte is the module's colour, the others tell what it is for.
        return (0..<width).map { row in (0..<width).map { column in data[row * width + column] & 1 == 1 } }
    }
}
