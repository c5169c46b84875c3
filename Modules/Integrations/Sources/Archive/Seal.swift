import Crypto
import FeatureKit
import Foundation

/// The encryption of archives with a passphrase.
///
/// scrypt (RFC 7914) derives the key and AES-256-GCM encrypts the content in chunks. The nonce of each chunk has its
/// number and whether it is the last (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár, 2015). The
/// header is authenticated with each chunk. So no chunk can be changed, removed, moved or cut off.
enum Seal {
    /// The first bytes of an encrypted archive.
    static let mark = Data("PTSEAL01".utf8)
    /// The plaintext bytes of a chunk.
    static let chunk = 64 * 1024
    /// The bytes of a chunk's authentication tag.
    static let tag = 16
    /// The scrypt parameters N = 2^16, r = 8, p = 1: 64 MB and about a quarter of a second.
    static let work: (log: UInt8, blockSize: UInt8, parallelism: UInt8) = (16, 8, 1)
    /// The bytes of the header: mark, parameters, salt, and passphrase check.
    static let headLength = 8 + 3 + 16 + 16

    /// Returns a header with a new salt, and the key that it leads to.
    static func newHead(_ passphrase: String, log: UInt8 = work.log) throws -> (head: Data, key: SymmetricKey) {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        let plain = mark + [log, work.blockSize, work.parallelism] + salt
        let (key, check) = try derive(passphrase, plain)
        return (plain + check, key)
    }

    /// Returns the key for a header. Throws `ArchiveFault.passphraseWrong` or `.damaged`.
    static func key(_ passphrase: String, head: Data) throws -> SymmetricKey {
        guard head.count == headLength else { throw ArchiveFault.damaged }
        let (key, check) = try derive(passphrase, head.prefix(headLength - 16))
        guard check == head.suffix(16) else { throw ArchiveFault.passphraseWrong }
        return key
    }

    /// Derives the key and the check value, which distinguishes a wrong passphrase from damage.
    ///
    /// - Parameter plain: The header without its check value.
    private static func derive(_ passphrase: String, _ plain: Data) throws -> (key: SymmetricKey, check: Data) {
        let numbers = Array(plain.dropFirst(mark.count).prefix(3))
        // Limits the memory that a forged file can claim to 256 MB.
        guard (4...18).contains(numbers[0]), numbers[1] == work.blockSize, numbers[2] == work.parallelism else {
            throw ArchiveFault.damaged
        }
        let bytes = try ScryptHasher.key(
            of: Array(passphrase.precomposedStringWithCanonicalMapping.utf8), Array(plain.suffix(16)),
            .init(
                cost: 1 << Int(numbers[0]), blockSize: Int(numbers[1]), parallelism: Int(numbers[2])), length: 48)
        return (SymmetricKey(data: bytes.prefix(32)), Data(bytes.suffix(16)))
    }

    /// The nonce of a chunk: three zero bytes, the big-endian number, and 1 for the last chunk.
    static func nonce(_ number: UInt64, isLast: Bool) throws -> AES.GCM.Nonce {
        var bytes = [UInt8](repeating: 0, count: 12)
        for index in 0..<8 { bytes[10 - index] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(index))) }
        bytes[11] = isLast ? 1 : 0
        return try AES.GCM.Nonce(data: bytes)
    }
}

/// Encrypts what is written and passes it on.
final class SealingSink: ByteSink {
    private let sink: any ByteSink
    private let key: SymmetricKey
    private let head: Data
    private var waiting = Data()
    private var number: UInt64 = 0

    init(_ sink: any ByteSink, passphrase: String) throws {
        (head, key) = try Seal.newHead(passphrase)
        self.sink = sink
        try sink.write(head)
    }

    func write(_ bytes: Data) throws {
        waiting.append(bytes)
        // The last chunk is known only at the end, so a full chunk may have to wait.
        while waiting.count > Seal.chunk {
            try seal(waiting.prefix(Seal.chunk), isLast: false)
            waiting = Data(waiting.dropFirst(Seal.chunk))
        }
    }

    func finish() throws {
        try seal(waiting, isLast: true)
        try sink.finish()
    }

    private func seal(_ chunk: Data, isLast: Bool) throws {
        let box = try AES.GCM.seal(
            chunk, using: key, nonce: Seal.nonce(number, isLast: isLast), authenticating: head)
        number += 1
        try sink.write(box.ciphertext + box.tag)
    }
}

/// Decrypts an encrypted archive.
final class OpeningSource: ByteSource {
    private let source: any ByteSource
    private let key: SymmetricKey
    private let head: Data
    private var next: Data
    private var opened = Data()
    private var number: UInt64 = 0
    private var hasEnded = false

    /// Reads the header and derives the key.
    ///
    /// - Parameter mark: The bytes of the header that were already read.
    init(_ source: any ByteSource, after mark: Data, passphrase: String) throws {
        head = mark + (try source.read(Seal.headLength - mark.count))
        key = try Seal.key(passphrase, head: head)
        self.source = source
        next = try source.read(Seal.chunk + Seal.tag)
    }

    func read(_ count: Int) throws -> Data {
        while opened.count < count && !hasEnded {
            let chunk = next
            next = try source.read(Seal.chunk + Seal.tag)
            hasEnded = next.isEmpty
            opened.append(try open(chunk, isLast: hasEnded))
        }
        let bytes = Data(opened.prefix(count))
        opened = Data(opened.dropFirst(count))
        return bytes
    }

    private func open(_ chunk: Data, isLast: Bool) throws -> Data {
        guard chunk.count >= Seal.tag else { throw ArchiveFault.damaged }
        do {
            let box = try AES.GCM.SealedBox(
                nonce: Seal.nonce(number, isLast: isLast), ciphertext: chunk.dropLast(Seal.tag),
                tag: chunk.suffix(Seal.tag))
            number += 1
            return try AES.GCM.open(box, using: key, authenticating: head)
        } catch {
            throw ArchiveFault.damaged
        }
    }
}
