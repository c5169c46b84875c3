import DesignSystem
import FeatureKit
import Foundation

/// Compares the content of a file with the extension of its name.
enum FileSignature {
    /// The number of first bytes that are read: more than the names of the first files of an Office document.
    private static let headBytes = 4096
    /// The number of last bytes that are read: the names in the directory of a ZIP file (APPNOTE 6.3.10, section 4.3.12).
    private static let tailBytes = 64 << 10
    /// The first bytes of a compound file, as Word, Excel and PowerPoint wrote until 2003 (MS-CFB section 2.2).
    private static let compound: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]
    private static let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    /// The marks of the pictures of phones in the container of MP4 files (ISO 23008-12, section 10.2).
    private static let heicBrands = ["heic", "heix", "hevc", "heim", "mif1", "msf1"]
    /// The first parts of a QuickTime film.
    private static let movieParts = ["ftyp", "moov", "mdat", "wide", "free", "skip"]

    /// Whether the page shows files with this extension as a picture or as PDF pages.
    static func isShown(_ name: String) -> Bool {
        ["pdf", "jpg", "jpeg", "png", "webp"].contains(ending(name))
    }

    private static func ending(_ name: String) -> String { name.split(separator: ".").last?.lowercased() ?? "" }

    /// Whether the content is what the extension says. Throws if the content cannot be read.
    ///
    /// `false` for extensions whose kind is `PTFileKind.other`, since nothing is known about them.
    static func fits(_ name: String, _ content: FileContent) throws -> Bool {
        let head = try content.head(headBytes)
        func has(_ mark: String, at place: Int = 0) -> Bool { head.dropFirst(place).starts(with: mark.utf8) }
        func mentions(_ text: String) throws -> Bool {
            let reader = try content.reader()
            let tail = try reader.read(at: max(0, reader.size - tailBytes), count: tailBytes)
            return [head, tail].contains { Data($0).range(of: Data(text.utf8)) != nil }
        }
        func office(_ part: String) throws -> Bool { try head.starts(with: zip) && mentions(part) }
        func openDocument(_ kind: String) throws -> Bool {
            try head.starts(with: zip) && mentions("application/vnd.oasis.opendocument.\(kind)")
        }
        let type = MediaType(head)
        switch ending(name) {
        case "pdf": return has("%PDF-")
        case "jpg", "jpeg": return type == .jpeg
        case "png": return type == .png
        case "webp": return type == .webP
        case "gif": return has("GIF87a") || has("GIF89a")
        case "heic": return has("ftyp", at: 4) && heicBrands.contains { has($0, at: 8) }
        case "svg": return try isText(head) && mentions("<svg")
        case "txt", "md", "csv": return isText(head)
        case "rtf": return has("{\\rtf")
        case "doc": return head.starts(with: compound) || has("{\\rtf")
        case "xls", "ppt": return head.starts(with: compound)
        case "docx": return try office("word/")
        case "xlsx": return try office("xl/")
        case "pptx": return try office("ppt/")
        case "odt": return try openDocument("text")
        case "ods": return try openDocument("spreadsheet")
        case "odp": return try openDocument("presentation")
        case "pages", "numbers", "key", "zip": return head.starts(with: zip)
        // MPEG audio begins with a frame of eleven set bits, or with a tag.
        case "mp3", "aac":
            return has("ID3") || (head.first == 0xFF && head.dropFirst().first.map { $0 >= 0xE0 } ?? false)
        case "m4a": return type == .mp4
        case "wav": return type == .wav
        case "ogg": return type == .ogg
        case "mp4", "mov": return movieParts.contains { has($0, at: 4) }
        case "webm", "mkv": return type == .webM
        case "gz": return head.starts(with: [0x1F, 0x8B])
        case "7z": return head.starts(with: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C])
        case "tar": return has("ustar", at: 257)
        default: return false
        }
    }

    /// Whether bytes are text: no format that is known here, and no zero byte except in UTF-16.
    private static func isText(_ head: [UInt8]) -> Bool {
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return true }
        guard MediaType(head) == nil || MediaType(head) == .webVTT else { return false }
        let marks = [Array("%PDF-".utf8), zip, compound]
        return !head.contains(0) && !marks.contains { head.starts(with: $0) }
    }
}
