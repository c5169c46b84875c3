public import Foundation

extension UUID {
    /// A version 7 UUID (RFC 9562 section 5.7): 48 bits of Unix milliseconds, then random bits, so
    /// that ids sort by the time they were made.
    public static func v7(at instant: Date, random: some RandomNumberGenerator) -> UUID {
        var random = random
        return v7(at: instant, using: &random)
    }

    /// The same with a generator that the caller keeps.
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

    /// The lower-case spelling, which is how ids are written in URLs, JSON and the database.
    public var text: String { uuidString.lowercased() }
}
