import Crypto
import CryptoExtras
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Integrations

@Suite("System cryptography")
struct SystemCryptographyTests {
    let cryptography = SystemCryptography(key: Array(repeating: 7, count: 32))
    /// The shared secret of the test vectors.
    let secret = Array("12345678901234567890".utf8)

    @Test("one-time passwords are those of RFC 4226 appendix D")
    func counters() {
        let codes = (UInt64(0)..<10).map { cryptography.oneTimePassword(secret, counter: $0, digits: 6) }
        #expect(
            codes == [
                "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
            ])
    }

    @Test(
        "time-based passwords are those of RFC 6238 appendix B", .requirement("BY-1.23.a"),
        arguments: [
            (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"), (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
        ] as [(UInt64, String)])
    func times(_ seconds: UInt64, _ code: String) {
        #expect(cryptography.oneTimePassword(secret, counter: seconds / 30, digits: 8) == code)
    }

    @Test("a secret can be decrypted only with its key and for its purpose, and each encryption differs")
    func seals() throws {
        let sealed = try cryptography.seal(secret, for: "ana")
        #expect(try cryptography.open(sealed, for: "ana") == secret)
        #expect(try cryptography.seal(secret, for: "ana") != sealed)
        #expect(throws: SystemCryptography.NotOpened.self) { try cryptography.open(sealed, for: "bo") }
        let other = SystemCryptography(key: Array(repeating: 8, count: 32))
        #expect(throws: SystemCryptography.NotOpened.self) { try other.open(sealed, for: "ana") }
        var bytes = try #require(Data(base64Encoded: sealed))
        bytes[20] ^= 1
        for damaged in [bytes.base64EncodedString(), "", "no Base64", String(sealed.prefix(12))] {
            #expect(throws: SystemCryptography.NotOpened.self) { try cryptography.open(damaged, for: "ana") }
        }
    }

    @Test("the hash of a file is the kernel's, for content in memory and on disk", arguments: [0, 1, 64, 300_000])
    func blobHashes(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
        let folder = try TemporaryFolder()
        let file = folder.file("content")
        try Data(bytes).write(to: file)
        #expect(try SystemCryptography.blobHash(of: .bytes(bytes)) == BlobHash(of: bytes))
        #expect(try SystemCryptography.blobHash(of: .file(file)) == BlobHash(of: bytes))
    }

    @Test("the key file is created once for its owner only, and a damaged one is not replaced")
    func keyFile() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "data/secret.key")
        let sealed = try SystemCryptography(keyFile: file).seal(secret, for: "ana")
        #expect(try SystemCryptography(keyFile: file).open(sealed, for: "ana") == secret)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try Data([1, 2, 3]).write(to: file)
        #expect(throws: SystemCryptography.MalformedKey.self) { try SystemCryptography(keyFile: file).prepare() }
        #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
    }

    @Test("servers that start at once share one key, and leave no other file")
    func simultaneousStarts() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "secret.key")
        let key = secret
        let sealed = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 {
                group.addTask { try SystemCryptography(keyFile: file).seal(key, for: "ana") }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for one in sealed { #expect(try SystemCryptography(keyFile: file).open(one, for: "ana") == secret) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["secret.key"])
    }

    @Test("a hash is that of FIPS 180-4")
    func hash() {
        let hash = cryptography.sha256(Array("abc".utf8)).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        #expect(hash.joined() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("malformed keys and signatures are refused without a crash")
    func malformed() {
        for key: SignatureKey in [
            .es256(x: [], y: []), .es256(x: Array(repeating: 0, count: 32), y: Array(repeating: 0, count: 32)),
            .es256(x: Array(repeating: 255, count: 32), y: Array(repeating: 255, count: 32)),
            .rs256(modulus: [], exponent: []), .rs256(modulus: Array(repeating: 0, count: 256), exponent: [0]),
            .rs256(modulus: Array(repeating: 255, count: 256), exponent: [1, 0, 1]),
        ] {
            let signatures: [[UInt8]] = [
                [], [0x30], Array(repeating: 0x30, count: 72), Array(repeating: 0, count: 256),
            ]
            for signature in signatures {
                #expect(!cryptography.isValid(signature, of: [1, 2, 3], key: key))
            }
        }
    }

    @Test("a signature is valid only for its message and key")
    func signatures() throws {
        let message = Array("authenticator data and the hash of what was asked".utf8)
        let key = P256.Signing.PrivateKey()
        let point = Array(key.publicKey.rawRepresentation)
        let es256 = SignatureKey.es256(x: Array(point.prefix(32)), y: Array(point.suffix(32)))
        let signature = Array(try key.signature(for: message).derRepresentation)
        #expect(cryptography.isValid(signature, of: message, key: es256))
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let parts = try rsa.publicKey.getKeyPrimitives()
        let rs256 = SignatureKey.rs256(modulus: Array(parts.modulus), exponent: Array(parts.publicExponent))
        let long = Array(
            try rsa.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5).rawRepresentation)
        #expect(cryptography.isValid(long, of: message, key: rs256))
        for (signature, key) in [(signature, es256), (long, rs256)] {
            #expect(!cryptography.isValid(signature, of: message + [0], key: key))
            for place in signature.indices {
                var damaged = signature
                damaged[place] ^= 1
                #expect(!cryptography.isValid(damaged, of: message, key: key))
                #expect(!cryptography.isValid(Array(signature.prefix(place)), of: message, key: key))
            }
        }
        #expect(!cryptography.isValid(signature, of: message, key: rs256))
        #expect(!cryptography.isValid(long, of: message, key: es256))
        let other = Array(P256.Signing.PrivateKey().publicKey.rawRepresentation)
        #expect(
            !cryptography.isValid(
                signature, of: message, key: .es256(x: Array(other.prefix(32)), y: Array(other.suffix(32)))))
    }
}
