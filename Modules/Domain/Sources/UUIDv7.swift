public import Foundation

extension UUID {
    /// Creates a version 7 UUID (RFC 9562 section 5.7).
    ///
    /// It begins with 48 bits of Unix milliseconds, followed by random bits, so that ids sort by their time of
    /// creation.
    public static func v7(at instant: Date, random: some RandomNumberGenerator) -> UUID {
        var random = random
        return v7(at: instant, using: &random)
    }

    /// Creates a version 7 UUID with a generator that the caller stores.
    public static func v7(at instant: Date, using random: inout some RandomNumberGenerator) -> UUID {
        let milliseconds = UInt64(max(0, instant.timeIntervalSince1970 * 1000))
        let high = random.next() as UInt64
        let low = random.next() as UInt64
        func byte(_ value: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
        return UUID(
            uuid: (
                byte(milliseconds, 40), byte(milliseconds, 32), byte(milliseconds, 24),
                byte(milliseconds, 16), byte(milliseconds, 8), byte(milliseconds, 0),
                byte(high, 0) & 0x0F | 0x70, byte(high, 8),
                byte(low, 0) & 0x3F | 0x80, byte(low, 8), byte(low, 16), byte(low, 24),
                byte(low, 32), byte(low, 40), byte(low, 48), byte(low, 56)
            ))
    }

    /// The time at which a version 7 UUID was created, in whole milliseconds; `nil` for other versions.
    public var instant: Date? {
        guard uuid.6 >> 4 == 7 else { return nil }
        let bytes = [uuid.0, uuid.1, uuid.2, uuid.3, uuid.4, uuid.5]
        let milliseconds = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// The lower-case text, as ids are written in URLs, JSON and the database.
    ///
    /// A page writes hundreds of ids, and Foundation's `uuidString` is slow because it uses C's formatted printing.
    public var text: String {
        withUnsafeBytes(of: uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { text in
                // Plain loops, because generic iterators take most of the time in a build without optimization, and tests
                // write millions of ids.
                var next = 0
                var place = 0
                while place < 16 {
                    if place == 4 || place == 6 || place == 8 || place == 10 {
                        text[next] = UInt8(ascii: "-")
                        next += 1
                    }
                    let byte = bytes[place]
                    text[next] = UUID.digit(byte >> 4)
                    text[next + 1] = UUID.digit(byte & 15)
                    next += 2
                    place += 1
                }
                return next
            }
        }
    }

    /// Reads the 36 characters of an id in lower or upper case; `nil` for any other spelling.
    public init?(text: String) {
        var text = text
        let parsed: UUID? = text.withUTF8 { characters in
            guard characters.count == 36 else { return nil }
            var id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
            let isRead = withUnsafeMutableBytes(of: &id) { bytes in
                var next = 0
                var place = 0
                while place < 16 {
                    if place == 4 || place == 6 || place == 8 || place == 10 {
                        guard characters[next] == UInt8(ascii: "-") else { return false }
                        next += 1
                    }
                    guard let high = UUID.value(characters[next]), let low = UUID.value(characters[next + 1])
                    else { return false }
                    bytes[place] = high << 4 | low
                    next += 2
                    place += 1
                }
                return true
            }
            return isRead ? UUID(uuid: id) : nil
        }
        guard let parsed else { return nil }
        self = parsed
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// The value of a hexadecimal digit; `nil` for any other character.
    ///
    /// Comparisons, because a pattern such as `"0"..."9"` calls a function that is not inlined: it took a third of the time
    /// in which a list of 5,000 rows was read.
    private static func value(_ digit: UInt8) -> UInt8? {
        let number = digit &- UInt8(ascii: "0")
        if number < 10 { return number }
        let letter = (digit | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}
