/// The beginnings of video files, and of files that resemble them, in their container formats.
enum Films {
    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(8 + content.count) + Array(name.utf8) + content
    }

    static func number(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// The index of an MP4 file with one track of a kind.
    static func moov(_ kind: String) -> [UInt8] {
        box(
            "moov", box("trak", box("mdia", box("hdlr", [UInt8](repeating: 0, count: 8) + Array(kind.utf8)))))
    }

    static let brand = box("ftyp", Array("isom....".utf8))
    /// An MP4 file as phones write it: the content first, then the index.
    static let mp4 = brand + box("mdat", [1, 2, 3]) + moov("vide")

    /// A Matroska file.
    ///
    /// - Parameter size: encodes the header's size; one byte by default.
    static func matroska(_ kind: String, _ codec: String, size: ((Int) -> [UInt8])? = nil) -> [UInt8] {
        let header = [0x42, 0x82, 0x80 | UInt8(kind.utf8.count)] + Array(kind.utf8)
        return [0x1A, 0x45, 0xDF, 0xA3] + (size?(header.count) ?? [0x80 | UInt8(header.count)]) + header
            + [0x86, 0x80 | UInt8(codec.utf8.count)] + Array(codec.utf8)
    }

    /// A WebM file with the size in eight bytes.
    static let wideWebM = matroska("webm", "V_VP8") { [1, 0, 0, 0] + number($0) }
    /// A Matroska file that was written by a program named webm.
    static let otherByWebM = matroska("matroska", "V_VP9") + Array("webm".utf8)

    static let webM = matroska("webm", "V_VP9")

    static func ogg(_ stream: [UInt8]) -> [UInt8] {
        Array("OggS".utf8) + [UInt8](repeating: 0, count: 24) + stream
    }

    static let captions = Array("WEBVTT\n\n00:00.000 --> 00:05.000\nWater flows.\n".utf8)
}
