import FeatureKit
import Foundation

/// Writes a ZIP file with uncompressed entries (PKWARE APPNOTE 6.3.10).
///
/// At most 65,535 files and 4 GB in all.
struct ZipWriter {
    let sink: any ByteSink
    private var directory = Data()
    private var offset = 0
    private var count = 0

    init(_ sink: any ByteSink) { self.sink = sink }

    /// Appends an entry. Throws `ArchiveFault.cannotWrite` if a limit is exceeded.
    mutating func add(_ part: ArchivePart) throws {
        guard Tar.isPlain(part.name) else { throw ArchiveFault.cannotWrite }
        var size = 0
        var sum = CRC32()
        try part.forEachPortion { portion in
            size += portion.count
            sum.add(portion)
        }
        guard offset + size < Int(UInt32.max), count < Int(UInt16.max) else { throw ArchiveFault.cannotWrite }
        let name = Data(part.name.utf8)
        // Version, flags, method "stored", and 1 January 1980 as the date: exports carry their own date.
        var common = Data()
        for number in [20, 0, 0, 0, 0x21] { common.append(little: number, 2) }
        common.append(little: Int(sum.value), 4)
        common.append(little: size, 4)
        common.append(little: size, 4)
        common.append(little: name.count, 2)
        common.append(little: 0, 2)
        var head = Data()
        head.append(little: 0x0403_4B50, 4)
        head += common + name
        try sink.write(head)
        var written = 0
        try part.forEachPortion { portion in
            written += portion.count
            try sink.write(portion)
        }
        guard written == size else { throw ArchiveFault.cannotWrite }
        directory.append(little: 0x0201_4B50, 4)
        directory.append(little: 20, 2)
        directory += common
        for number in [0, 0, 0] { directory.append(little: number, 2) }
        directory.append(little: 0, 4)
        directory.append(little: offset, 4)
        directory += name
        offset += head.count + size
        count += 1
    }

    /// Writes the central directory and closes the file.
    func finish() throws {
        var end = Data()
        end.append(little: 0x0605_4B50, 4)
        for number in [0, 0, count, count] { end.append(little: number, 2) }
        end.append(little: directory.count, 4)
        end.append(little: offset, 4)
        end.append(little: 0, 2)
        try sink.write(directory + end)
        try sink.finish()
    }
}

extension Data {
    fileprivate mutating func append(little number: Int, _ width: Int) {
        for index in 0..<width { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}

/// The CRC-32 checksum (ISO 3309), computed with a table.
struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { start in
        (0..<8).reduce(UInt32(start)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
    }
    private var rest: UInt32 = 0xFFFF_FFFF

    var value: UInt32 { ~rest }

    mutating func add(_ bytes: Data) {
        bytes.withUnsafeBytes { buffer in
            Self.table.withUnsafeBufferPointer { table in
                for byte in buffer { rest = rest >> 8 ^ table[Int((rest ^ UInt32(byte)) & 0xFF)] }
            }
        }
    }
}
