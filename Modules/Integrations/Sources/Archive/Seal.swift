import Crypto
import FeatureKit
import Foundation

/// Seals bytes to a passphrase: scrypt (RFC 7914) makes the key, AES-256-GCM seals chunk after chunk. Number
/// and end of each chunk are in its nonce (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár,
/// 2015), and the head is bound to all of them, so that none can be altered, left out, moved or cut off.
enum Seal {
    static let mark = Data("PTSEAL01".utf8)
    static let chunk = 64 * 1024
    static let tag = 16
    /// 64 MB and about a quarter of a second: N = 2^16, r = 8, p = 1.
    static let work: (log: UInt8, blockSize: UInt8, parallelism: UInt8) = (16, 8, 1)
    static let headLength = 8 + 3 + 16 + 16

    /// The key of a passphrase and the head that leads to it again.
    static func newHead(_ passphrase: String, log: UInt8 = work.log) throws -> (head: Data, key: SymmetricKey) {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        let plain = mark + [log, work.blockSize, work.parallelism] + salt
        let (key, check) = try derive(passphrase, plain)
        return (plain + check, key)
    }

    static func key(_ passphrase: String, head: Data) throws -> SymmetricKey {
        guard head.count == headLength else { throw ArchiveFault.damaged }
        let (key, check) = try derive(passphrase, head.prefix(headLength - 16))
        guard check == head.suffix(16) else { throw ArchiveFault.passphraseWrong }
        return key
    }

    /// - Parameter plain: the head without its last part, which tells a wrong passphrase from damage.
    private static func derive(_ passphrase: String, _ plain: Data) throws -> (key: SymmetricKey, check: Data) {
        let numbers = Array(plain.dropFirst(mark.count).prefix(3))
        // Bounds what a file that somebody made can ask of this machine (256 MB).
        guard (4...18).contains(numbers[0]), numbers[1] == work.blockSize, numbers[2] == work.parallelism else {
            throw ArchiveFault.damaged
        }
        let bytes = try ScryptHasher.key(
            of: Array(passphrase.precomposedStringWithCanonicalMapping.utf8), Array(plain.suffix(16)),
            .init(
                cost: 1 << Int(numbers[0]), blockSize: Int(numbers[1]), parallelism: Int(numbers[2])), length: 48)
        return (SymmetricKey(data: bytes.prefix(32)), Data(bytes.suffix(16)))
    }

    static func nonce(_ number: UInt64, isLast: Bool) throws -> AES.GCM.Nonce {
        var bytes = [UInt8](repeating: 0, count: 12)
        for index in 0..<8 { bytes[10 - index] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(index))) }
        bytes[11] = isLast ? 1 : 0
        return try AES.GCM.Nonce(data: bytes)
    }
}

/// Seals what is written and hands it on.
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
        // The last chunk is known only at the end, so one full chunk may have to wait.
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

/// Opens what was sealed.
final class OpeningSource: ByteSource {
    private let source: any ByteSource
    private let key: SymmetricKey
    private let head: Data
    private var next: Data
    private var opened = Data()
    private var number: UInt64 = 0
    private var hasEnded = false

    /// - Parameter mark: what was read of the head already.
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
