/// SHA-256 (FIPS 180-4), so that `sha256sum` can check the lock. Here because the rules of the house
/// keep the cryptography library to the adapter that needs it.
enum SHA256 {
    static func hex(_ text: String) -> String {
        digest(Array(text.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }

    static func digest(_ message: [UInt8]) -> [UInt8] {
        var state = initial
        let bits = UInt64(message.count) * 8
        var padded = message + [0x80]
        // To 56 modulo 64: the last eight bytes of a block hold the length.
        padded += Array(repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        for start in stride(from: 0, to: padded.count, by: 64) {
            compress(padded[start..<start + 64], into: &state)
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let a = words[index - 15]
            let b = words[index - 2]
            let s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3)
            let s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10)
            words.append(words[index - 16] &+ s0 &+ words[index - 7] &+ s1)
        }
        var v = state
        for index in 0..<64 {
            let s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)
            let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
            let first = v[7] &+ s1 &+ choice &+ constants[index] &+ words[index]
            let s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)
            let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
            v = [first &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
        }
        for index in state.indices { state[index] &+= v[index] }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    private static let primes: [Int] = {
        var found: [Int] = []
        var candidate = 2
        while found.count < 64 {
            if found.allSatisfy({ candidate % $0 != 0 }) { found.append(candidate) }
            candidate += 1
        }
        return found
    }()

    /// The first 32 bits of the fractional parts of the primes' square roots.
    private static let initial: [UInt32] = primes.prefix(8).map { fraction(Double($0).squareRoot()) }

    /// The same of their cube roots, found as integers: `floor(cbrt(p) * 2^32)` modulo 2^32.
    private static let constants: [UInt32] = primes.map { prime in
        // The largest r with r^3 <= p * 2^96 lies below 2^35; r^3 needs more than 64 bits, so it is
        // compared by parts of full-width products.
        var low: UInt64 = 0
        var high: UInt64 = 1 << 35
        while high - low > 1 {
            let middle = (low + high) / 2
            if cubeIsAtMost(middle, prime) { low = middle } else { high = middle }
        }
        return UInt32(truncatingIfNeeded: low)
    }

    private static func cubeIsAtMost(_ root: UInt64, _ prime: Int) -> Bool {
        let square = root.multipliedFullWidth(by: root)
        let low = square.low.multipliedFullWidth(by: root)
        let high = square.high &* root &+ low.high
        // p * 2^96 is p * 2^32 in the upper 64 bits, and nothing below.
        let limit = UInt64(prime) << 32
        return high < limit || high == limit && low.low == 0
    }

    private static func fraction(_ root: Double) -> UInt32 {
        UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }
}
