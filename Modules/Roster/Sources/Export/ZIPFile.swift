import Foundation

/// Writes a ZIP file with uncompressed entries in memory (PKWARE APPNOTE 6.3, method 0).
enum ZIPFile {
    static func make(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        var body: [UInt8] = []
        var directory: [UInt8] = []
        for (name, bytes) in files {
            let start = body.count
            let common = header(name, bytes)
            body += little(0x0403_4b50, 4) + common + Array(name.utf8) + bytes
            // Version made by and needed, the common part, no comment, disk 0, no attributes, and the offset.
            directory += little(0x0201_4b50, 4) + little(20, 2) + common
            directory += little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(start, 4)
            directory += Array(name.utf8)
        }
        let end =
            little(0x0605_4b50, 4) + little(0, 2) + little(0, 2) + little(files.count, 2) + little(files.count, 2)
            + little(directory.count, 4) + little(body.count, 4) + little(0, 2)
        return body + directory + end
    }

    /// The fields that both headers of an entry share: version 2.0, names in UTF-8 (bit 11), method 0, the first date
    /// of the format, checksum, sizes, lengths.
    private static func header(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        little(20, 2) + little(0x0800, 2) + little(0, 2) + little(0, 2) + little(0x0021, 2)
            + little(Int(sum(bytes)), 4) + little(bytes.count, 4) + little(bytes.count, 4)
            + little(name.utf8.count, 2) + little(0, 2)
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The CRC-32 checksum (ISO 3309).
    static func sum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
}
