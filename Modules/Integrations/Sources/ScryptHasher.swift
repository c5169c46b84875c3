import Crypto
import CryptoExtras
import Dispatch
public import FeatureKit
import Foundation
import Synchronization

/// Hashes passwords with scrypt (RFC 7914) and tokens with SHA-256.
///
/// A hash has the form `scrypt$<N>$<r>$<p>$<salt>$<key>` with Base64 for the last two. Hashes with earlier parameters
/// stay valid when the parameters are raised.
public struct ScryptHasher: SecretHasher {
    /// The cost of a hash. It needs `128 * cost * blockSize` bytes of memory.
    public struct Parameters: Sendable, Hashable {
        /// The cost of the hash (scrypt's parameter N), a power of two.
        public let cost: Int
        /// The size of the hash's blocks (scrypt's parameter r).
        public let blockSize: Int
        /// The number of parallel computations of the hash (scrypt's parameter p).
        public let parallelism: Int

        /// Creates the parameters of a hash. The defaults (N = 2^15, r = 8, p = 1) need 32 MB and about a tenth of a
        /// second.
        public init(cost: Int = 1 << 15, blockSize: Int = 8, parallelism: Int = 1) {
            self.cost = cost
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// Limits the memory that a forged hash in the database can claim to 512 MB.
        fileprivate var isReasonable: Bool {
            (2...(1 << 20)).contains(cost) && cost & (cost - 1) == 0 && (1...32).contains(blockSize)
                && (1...16).contains(parallelism) && 128 * cost * blockSize <= 512 << 20
        }
    }

    /// A stored hash that does not have the expected form.
    public struct MalformedHash: Error, CustomStringConvertible {
        public let description = "the stored password hash does not have the form scrypt$N$r$p$salt$key"
    }

    private let parameters: Parameters
    private let workers = Workers()

    /// Creates a password hasher. Its parameters apply to new hashes.
    public init(_ parameters: Parameters = Parameters()) {
        precondition(parameters.isReasonable, "scrypt cannot work with \(parameters)")
        self.parameters = parameters
    }

    public func hash(password: String) async throws -> String {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
        let parameters = parameters
        let key = try await workers.run {
            try ScryptHasher.key(of: ScryptHasher.bytes(of: password), salt, parameters, length: 32)
        }
        let numbers = [parameters.cost, parameters.blockSize, parameters.parallelism].map(String.init)
        return (["scrypt"] + numbers + [salt, key].map { Data($0).base64EncodedString() }).joined(separator: "$")
    }

    public func verify(password: String, against hash: String) async throws -> Bool {
        let parts = hash.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 6, parts[0] == "scrypt", let cost = Int(parts[1]), let blockSize = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = Data(base64Encoded: parts[4]),
            let expected = Data(base64Encoded: parts[5]), (16...64).contains(expected.count)
        else { throw MalformedHash() }
        let parameters = Parameters(cost: cost, blockSize: blockSize, parallelism: parallelism)
        guard parameters.isReasonable else { throw MalformedHash() }
        let key = try await workers.run {
            try ScryptHasher.key(
                of: ScryptHasher.bytes(of: password), Array(salt), parameters, length: expected.count)
        }
        // Compares every byte, so that the time does not depend on the first difference.
        return zip(key, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    public func fingerprint(_ token: String) -> String {
        // Called several times per request; `String(_:radix:)` per byte would take longer than the hash.
        String(unsafeUninitializedCapacity: 2 * SHA256.byteCount) { text in
            for (index, byte) in SHA256.hash(data: Array(token.utf8)).enumerated() {
                text[2 * index] = Self.digits[Int(byte >> 4)]
                text[2 * index + 1] = Self.digits[Int(byte & 15)]
            }
            return 2 * SHA256.byteCount
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// The bytes of a password in Unicode form C, so that equal letters of different keyboards match (RFC 8265 section
    /// 4.2).
    private static func bytes(of password: String) -> [UInt8] {
        Array(password.precomposedStringWithCanonicalMapping.utf8)
    }

    /// Derives a key with scrypt (RFC 7914 section 6).
    static func key(of password: [UInt8], _ salt: [UInt8], _ parameters: Parameters, length: Int) throws -> [UInt8]
    {
        try KDF.Scrypt.deriveKey(
            from: password, salt: salt, outputByteCount: length, rounds: parameters.cost,
            blockSize: parameters.blockSize, parallelism: parameters.parallelism
        ).withUnsafeBytes { Array($0) }
    }
}

/// Two threads for hashing.
///
/// Many sign-ins at once neither block Swift's cooperative threads nor use more than twice the memory of one hash.
private final class Workers: Sendable {
    /// The most waiting requests; with more, the last would wait longer than people do.
    private static let longestLine = 100

    private struct State {
        var waiting = 0
        var next = 0
    }
    private let state = Mutex(State())
    private let queues = [DispatchQueue(label: "scrypt.0"), DispatchQueue(label: "scrypt.1")]

    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let queue = try state.withLock { state in
            guard state.waiting < Workers.longestLine else { throw Problem(503, "busy", retryAfter: 5) }
            state.waiting += 1
            state.next += 1
            return queues[state.next % queues.count]
        }
        defer { state.withLock { $0.waiting -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
