import FeatureKit
import Foundation

/// Recognizes content that is compressed already, so that deflating it would cost time and save nothing.
enum PackedContent {
    /// The number of first bytes that are read: enough to meet the first stream of a PDF document.
    static let headBytes = 64 << 10

    /// The first bytes of ZIP files, as which office documents are stored too, gzip, 7z, MP3 with a tag, and GIF.
    private static let marks: [[UInt8]] = [
        [0x50, 0x4B, 0x03, 0x04], [0x1F, 0x8B], [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], Array("ID3".utf8),
        Array("GIF8".utf8),
    ]
    /// The filters of compressed streams in PDF documents (ISO 32000-1, section 7.4).
    private static let filters = ["/FlateDecode", "/DCTDecode", "/JPXDecode", "/JBIG2Decode", "/CCITTFaxDecode"]

    /// Whether a file with these first bytes is compressed.
    static func isPacked(_ head: [UInt8]) -> Bool {
        switch MediaType(head) {
        case .jpeg, .png, .webP, .webM, .ogg, .mp4: return true
        case .wav, .webVTT: return false
        case nil: break
        }
        if marks.contains(where: { head.starts(with: $0) }) { return true }
        guard head.starts(with: "%PDF-".utf8) else { return false }
        let data = Data(head)
        return filters.contains { data.range(of: Data($0.utf8)) != nil }
    }
}
