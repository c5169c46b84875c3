/// The bytes of a text file converted to UTF-8, with the encoding that was recognized.
public struct TextDecoding {
    /// The text encodings that the conversion recognizes.
    public enum Encoding: Sendable, Hashable { case utf8, utf16, windows1252 }

    /// The reason why bytes are not accepted as text.
    public enum Failure: Error, Sendable, Hashable {
        /// The bytes are UTF-16 without a byte order mark, or cut off within a character.
        case utf16
        /// The bytes are a binary file, not text.
        case binary
    }

    public let bytes: [UInt8]
    public let encoding: Encoding

    /// Recognizes the encoding and converts the text.
    /// - Throws: `Failure` if the bytes are not text.
    public init(_ bytes: [UInt8]) throws(Failure) {
        if let isLittle = Self.utf16Mark(bytes) {
            guard let text = Self.fromUTF16(bytes.dropFirst(2), isLittle: isLittle) else { throw .utf16 }
            (self.bytes, encoding) = (text, .utf16)
            return
        }
        if Self.looksLikeUTF16(bytes) { throw .utf16 }
        if Self.isBinary(bytes) { throw .binary }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if let letters = Self.fromWindows1252(text) {
            (self.bytes, encoding) = (letters, .windows1252)
        } else {
            (self.bytes, encoding) = (text, .utf8)
        }
    }

    // MARK: - UTF-16

    /// Whether the byte order mark is little-endian; `nil` if there is none.
    private static func utf16Mark(_ bytes: [UInt8]) -> Bool? {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFF, 0xFE): true
        case (0xFE, 0xFF): false
        default: nil
        }
    }

    /// Whether the file begins with a Latin letter in UTF-16, one byte of which is zero.
    private static func looksLikeUTF16(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 2 && (bytes[0] == 0) != (bytes[1] == 0)
    }

    private static func fromUTF16(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> [UInt8]? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).lazy.map { index in
            isLittle
                ? UInt16(bytes[index + 1]) << 8 | UInt16(bytes[index])
                : UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
        }
        return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    }

    // MARK: - Binary

    /// Whether the bytes are a file of another program, by its first bytes (PDF, old Excel, gzip, PNG) or by many
    /// zeros.
    ///
    /// A few zeros are accepted here; the reader reports them with their fields.
    private static func isBinary(_ bytes: [UInt8]) -> Bool {
        let signatures: [[UInt8]] = [
            Array("%PDF".utf8), [0xD0, 0xCF, 0x11, 0xE0], [0x1F, 0x8B], [0x89, 0x50, 0x4E, 0x47],
        ]
        let zeros = bytes.count { $0 == 0 }
        return signatures.contains { bytes.starts(with: $0) } || zeros > 16 && zeros * 100 > bytes.count
    }

    // MARK: - Windows-1252

    /// Returns the text as UTF-8 if it is Windows-1252 and cannot be UTF-8; otherwise `nil`.
    ///
    /// A file with at least one valid UTF-8 letter beyond ASCII is damaged UTF-8, whose faults the reader reports
    /// field by field.
    private static func fromWindows1252(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.contains(where: { $0 >= 0x80 }), isNowhereUTF8(bytes) else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            guard byte >= 0x80 else {
                text.append(byte)
                continue
            }
            let scalar = byte < 0xA0 ? special[Int(byte - 0x80)] : UInt32(byte)
            guard scalar != 0, let letter = Unicode.Scalar(scalar) else { return nil }
            text.append(contentsOf: UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter)
        }
        return text
    }

    /// Whether no character beyond ASCII is valid UTF-8.
    private static func isNowhereUTF8(_ bytes: [UInt8]) -> Bool {
        var index = 0
        while index < bytes.count {
            let length =
                switch bytes[index] {
                case 0xC2...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF4: 4
                default: 1
                }
            if length > 1, index + length <= bytes.count,
                bytes[(index + 1)..<(index + length)].allSatisfy({ 0x80...0xBF ~= $0 })
            {
                return false
            }
            index += 1
        }
        return true
    }

    /// The characters 0x80 to 0x9F (WHATWG Encoding, index windows-1252); 0 for undefined ones.
    private static let special: [UInt32] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,
        0x017D,
        0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,
        0x017E, 0x0178,
    ]
}
