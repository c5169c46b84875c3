import CZBar
import Dispatch
public import FeatureKit

/// Reads QR codes with libzbar, one picture at a time. The picture itself is decoded by libgd within its limits; libzbar
/// gets pixels only.
public struct ZBarCodes: QRCodeDecoder {
    /// The longer side, in pixels, to which a picture is scaled down: a code of a badge fills a fifth of it.
    static let side = 1024

    private let queue = DispatchQueue(label: "codes")

    /// Creates a reader of QR codes, which has no state.
    public init() {}

    public func texts(in picture: FileContent) async throws(ImageFault) -> [String] {
        let result: Result<[String], ImageFault> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(ImageFault) in
                        Self.texts(in: try GDImages.gray(picture, side: Self.side))
                    })
            }
        }
        return try result.get()
    }

    private static func texts(in picture: GrayImage) -> [String] {
        guard let scanner = zbar_image_scanner_create(), let image = zbar_image_create() else { return [] }
        defer {
            zbar_image_destroy(image)
            zbar_image_scanner_destroy(scanner)
        }
        // Only QR codes are read, since badges have no bar codes and the background may show some.
        zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
        // The bytes as they are: libzbar would guess the encoding and take UTF-8 for Shift JIS.
        zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1)
        // "Y800": one byte of brightness for each pixel.
        zbar_image_set_format(image, 0x3030_3859)
        zbar_image_set_size(image, UInt32(picture.width), UInt32(picture.height))
        return picture.bytes.withUnsafeBytes { buffer in
            // Without a cleanup function libzbar neither changes nor frees the pixels.
            zbar_image_set_data(image, buffer.baseAddress, UInt(buffer.count), nil)
            guard zbar_scan_image(scanner, image) > 0 else { return [] }
            var texts: [String] = []
            var symbol = zbar_image_first_symbol(image)
            while let found = symbol {
                if let data = zbar_symbol_get_data(found) {
                    let bytes = UnsafeRawBufferPointer(
                        start: data, count: Int(zbar_symbol_get_data_length(found)))
                    texts.append(String(decoding: bytes, as: UTF8.self))
                }
                symbol = zbar_symbol_next(found)
            }
            return texts
        }
    }
}
