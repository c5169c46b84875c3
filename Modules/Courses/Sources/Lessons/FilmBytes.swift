import FeatureKit
import Foundation

/// Checks the bytes of a file for a video that browsers play. The same containers may hold sound only.
enum FilmBytes {
    /// How far from the beginning of a WebM file its tracks are described. Some programs leave space for an index
    /// before.
    private static let webMHead = 64 << 10
    /// The size of the first pages of an Ogg file, which name its streams (RFC 3533 section 4).
    private static let oggHead = 4 << 10

    /// Whether the file is an MP4 video (ISO/IEC 14496-12): a box `moov` with a track whose handler is `vide`.
    ///
    /// Pictures in the same container (HEIC, AVIF) have no such box. It may be the first or the last box of the file.
    static func areMP4(_ content: FileContent) throws -> Bool {
        let reader = try content.reader()
        // Boxes may be as small as their headers, so adjacent ones are read together.
        var (window, start): (ArraySlice<UInt8>, Int) = ([], 0)
        var place = 0
        // A box begins with its size, which includes these eight bytes, and its name.
        while place + 8 <= reader.size {
            if place + min(16, reader.size - place) > start + window.count {
                (window, start) = (try reader.read(at: place, count: windowBytes)[...], place)
            }
            let head = window.dropFirst(place - start).prefix(16)
            guard head.count >= 8 else { return false }
            let short = number(head.prefix(4))
            let isLong = short == 1
            guard !isLong || head.count == 16 else { return false }
            // The size 0 means "to the end of the file". A size beyond the end is treated likewise.
            let given = isLong ? number(head.dropFirst(8)) : short
            let rest = reader.size - place
            let size = given == 0 || given > UInt64(rest) ? rest : Int(given)
            guard size >= (isLong ? 16 : 8) else { return false }
            if head.dropFirst(4).prefix(4).elementsEqual("moov".utf8) {
                return try hasPictures(reader, from: place, to: place + size)
            }
            place += size
        }
        return false
    }

    /// The number of bytes that are searched at a time.
    private static let windowBytes = 64 << 10

    /// Whether a track is a video: `hdlr`, version and flags, four reserved bytes, then the handler type (section
    /// 8.4.3).
    private static func hasPictures(_ reader: FileContent.Reader, from start: Int, to end: Int) throws -> Bool {
        // Windows overlap by the length of the pattern.
        let length = 16
        for place in stride(from: start, to: end, by: windowBytes) {
            let window = try reader.read(at: place, count: min(windowBytes + length - 1, end - place))[...]
            if places(of: "hdlr", in: window).contains(where: {
                window[$0...].dropFirst(12).starts(with: "vide".utf8)
            }) {
                return true
            }
        }
        return false
    }

    /// Whether the file is WebM with a video codec. Browsers do not play other Matroska files.
    static func areWebM(_ content: FileContent) throws -> Bool {
        let head = try content.head(webMHead)[...]
        return !places(of: "webm", in: ebmlHeader(head)).isEmpty
            && ["V_VP8", "V_VP9", "V_AV1"].contains { !places(of: $0, in: head).isEmpty }
    }

    /// The content of the EBML header, which names the document type.
    ///
    /// After four bytes of id comes the size; its leading zero bits tell its length in bytes (RFC 8794 sections 4 and
    /// 8.1).
    private static func ebmlHeader(_ head: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = head.dropFirst(4).first, first > 0 else { return [] }
        let length = first.leadingZeroBitCount + 1
        let size =
            number(head.dropFirst(5).prefix(length - 1)) | UInt64(first & (0xFF >> length)) << (8 * (length - 1))
        return head.dropFirst(4 + length).prefix(Int(min(size, UInt64(head.count))))
    }

    /// Whether the file is Ogg with a Theora stream (Theora specification, section 6.1).
    static func areOgg(_ content: FileContent) throws -> Bool {
        let head = try content.head(oggHead)[...]
        return places(of: "theora", in: head).contains { $0 > head.startIndex && head[$0 - 1] == 0x80 }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func places(of mark: String, in bytes: ArraySlice<UInt8>) -> [Int] {
        guard let first = mark.utf8.first else { return [] }
        var (found, rest): ([Int], ArraySlice<UInt8>) = ([], bytes)
        while let next = rest.firstIndex(of: first) {
            if bytes[next...].starts(with: mark.utf8) { found.append(next) }
            rest = rest[(next + 1)...]
        }
        return found
    }
}
