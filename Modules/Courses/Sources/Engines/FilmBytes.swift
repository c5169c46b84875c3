import Foundation

/// Whether a container holds a film that browsers play, told by its bytes alone: sound comes in the same containers.
enum FilmBytes {
    /// How far from its beginning a WebM tells its tracks; some programs leave room before them for an index.
    private static let webMHead = 64 << 10
    /// The first pages of an Ogg name its streams (RFC 3533 section 4).
    private static let oggHead = 4 << 10

    /// MP4 (ISO/IEC 14496-12): a box `moov` with a track whose handler is `vide`. Pictures in the same container (HEIC,
    /// AVIF) have no such box. Phones write it first or, as often, last.
    static func areMP4(_ bytes: [UInt8]) -> Bool {
        var place = 0
        // A box begins with its size, which counts these eight bytes too, and its name.
        while place + 8 <= bytes.count {
            let short = number(bytes[place..<place + 4])
            let isLong = short == 1
            guard !isLong || place + 16 <= bytes.count else { return false }
            // 0 says "to the file's end"; what claims to go beyond it ends there as well.
            let given = isLong ? number(bytes[place + 8..<place + 16]) : short
            let rest = bytes.count - place
            let size = given == 0 || given > UInt64(rest) ? rest : Int(given)
            guard size >= (isLong ? 16 : 8) else { return false }
            if bytes[place + 4..<place + 8].elementsEqual("moov".utf8) {
                return hasPictures(bytes[place..<place + size])
            }
            place += size
        }
        return false
    }

    /// `hdlr`, four bytes of version and flags, four of nothing, then what the track is for (section 8.4.3).
    private static func hasPictures(_ moov: ArraySlice<UInt8>) -> Bool {
        places(of: "hdlr", in: moov).contains { moov[$0...].dropFirst(12).starts(with: "vide".utf8) }
    }

    /// WebM with one of its codecs for pictures; Matroska with another is none that browsers play.
    static func areWebM(_ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(webMHead)
        return !places(of: "webm", in: ebmlHeader(head)).isEmpty
            && ["V_VP8", "V_VP9", "V_AV1"].contains { !places(of: $0, in: head).isEmpty }
    }

    /// What says of which kind a file is: after four bytes of its name the header tells its size, and the noughts at the
    /// beginning of that size in how many bytes (RFC 8794 sections 4 and 8.1).
    private static func ebmlHeader(_ head: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = head.dropFirst(4).first, first > 0 else { return [] }
        let length = first.leadingZeroBitCount + 1
        let size =
            number(head.dropFirst(5).prefix(length - 1)) | UInt64(first & (0xFF >> length)) << (8 * (length - 1))
        return head.dropFirst(4 + length).prefix(Int(min(size, UInt64(head.count))))
    }

    /// Ogg with a stream of Theora (its specification, section 6.1).
    static func areOgg(_ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(oggHead)
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
