/// Computes SHA-256 (FIPS 180-4) for the hash chain, the versions of contents, and the fingerprints of tags.
///
/// The kernel and the client need this one function and no library. Passwords, signatures and the hashes of stored files
/// are the adapters' work; tests without the adapters name stored files with this one.
package struct SHA256: Sendable {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// The bytes that do not fill a block of 64 yet.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    package init() {}

    /// Returns the hash of bytes in lower-case hexadecimal.
    package static func hex(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        bytes.withUnsafeBufferPointer { hash.update($0) }
        return hash.finish()
    }

    /// Adds bytes to the hashed content.
    package mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
        count += UInt64(bytes.count)
        var bytes = bytes
        if !rest.isEmpty {
            let missing = min(64 - rest.count, bytes.count)
            rest.append(contentsOf: bytes[..<missing])
            bytes = UnsafeBufferPointer(rebasing: bytes[missing...])
            guard rest.count == 64 else { return }
            let block = rest
            rest = []
            takeBlocks(block)
        }
        let whole = bytes.count / 64 * 64
        takeBlocks(UnsafeBufferPointer(rebasing: bytes[..<whole]))
        rest.append(contentsOf: bytes[whole...])
    }

    /// Returns the hash of all bytes in lower-case hexadecimal. Nothing can be added afterwards.
    package mutating func finish() -> String {
        // A one bit, zeros, and the length in bits as a big-endian number of 64 (section 5.1.1).
        var last = rest
        last.append(0x80)
        while last.count % 64 != 56 { last.append(0) }
        let bits = count * 8
        for shift in stride(from: 56, through: 0, by: -8) { last.append(UInt8(truncatingIfNeeded: bits >> shift)) }
        takeBlocks(last)
        return hex
    }

    private mutating func takeBlocks(_ blocks: [UInt8]) { blocks.withUnsafeBufferPointer { takeBlocks($0) } }

    private mutating func takeBlocks(_ blocks: UnsafeBufferPointer<UInt8>) {
        guard !blocks.isEmpty else { return }
        var schedule = [UInt32](repeating: 0, count: 64)
        for start in stride(from: 0, to: blocks.count, by: 64) {
            take(UnsafeBufferPointer(rebasing: blocks[start..<start + 64]), &schedule)
        }
    }

    private var hex: String {
        String(unsafeUninitializedCapacity: 64) { text in
            for (place, word) in state.enumerated() {
                for nibble in 0..<8 {
                    let value = UInt8(truncatingIfNeeded: word >> (28 - 4 * UInt32(nibble))) & 0xF
                    text[place * 8 + nibble] = value < 10 ? 0x30 + value : 0x57 + value
                }
            }
            return 64
        }
    }

    /// Processes one block of 64 bytes (section 6.2.2).
    private mutating func take(_ block: UnsafeBufferPointer<UInt8>, _ schedule: inout [UInt32]) {
        schedule.withUnsafeMutableBufferPointer { words in
            for place in 0..<16 {
                let byte = place * 4
                let high = UInt32(block[byte]) << 24 | UInt32(block[byte + 1]) << 16
                words[place] = high | UInt32(block[byte + 2]) << 8 | UInt32(block[byte + 3])
            }
            for place in 16..<64 {
                let (early, late) = (words[place - 15], words[place - 2])
                let first = SHA256.turned(early, 7) ^ SHA256.turned(early, 18) ^ early >> 3
                let second = SHA256.turned(late, 17) ^ SHA256.turned(late, 19) ^ late >> 10
                words[place] = words[place - 16] &+ first &+ words[place - 7] &+ second
            }
            mix(UnsafeBufferPointer(words))
        }
    }

    private mutating func mix(_ words: UnsafeBufferPointer<UInt32>) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        SHA256.constants.withUnsafeBufferPointer { constants in
            for place in 0..<64 {
                let up = SHA256.turned(e, 6) ^ SHA256.turned(e, 11) ^ SHA256.turned(e, 25)
                let choice = e & f ^ ~e & g
                let first = h &+ up &+ choice &+ constants[place] &+ words[place]
                let down = SHA256.turned(a, 2) ^ SHA256.turned(a, 13) ^ SHA256.turned(a, 22)
                let majority = a & b ^ a & c ^ b & c
                (h, g, f, e) = (g, f, e, d &+ first)
                (d, c, b, a) = (c, b, a, first &+ down &+ majority)
            }
        }
        for (place, value) in [a, b, c, d, e, f, g, h].enumerated() { state[place] &+= value }
    }

    private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
