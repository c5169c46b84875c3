import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Integrations

@Suite("Passwords and tokens")
struct ScryptHasherTests {
    /// Fast parameters of the real function.
    let hasher = ScryptHasher(.init(cost: 16))

    struct Vector: Sendable, CustomTestStringConvertible {
        let password: String
        let salt: String
        let parameters: ScryptHasher.Parameters
        let key: String
        var testDescription: String { "N=\(parameters.cost) r=\(parameters.blockSize) p=\(parameters.parallelism)" }
    }

    /// The vectors of RFC 7914 section 12, except the fourth, which needs a gigabyte.
    static let vectors = [
        Vector(
            password: "", salt: "", parameters: .init(cost: 16, blockSize: 1, parallelism: 1),
            key: """
                77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442\
                fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
                """),
        Vector(
            password: "password", salt: "NaCl", parameters: .init(cost: 1024, blockSize: 8, parallelism: 16),
            key: """
                fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162\
                2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
                """),
        Vector(
            password: "pleaseletmein", salt: "SodiumChloride",
            parameters: .init(cost: 16384, blockSize: 8, parallelism: 1),
            key: """
                7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2\
                d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
                """),
    ]

    @Test("keys are those of RFC 7914", arguments: vectors)
    func vector(_ vector: Vector) throws {
        let key = try ScryptHasher.key(
            of: Array(vector.password.utf8), Array(vector.salt.utf8), vector.parameters, length: 64)
        #expect(key.map { String(format: "%02x", $0) }.joined() == vector.key)
    }

    @Test("only the right password matches a hash with the default parameters")
    func standard() async throws {
        let hasher = ScryptHasher()
        let hash = try await hasher.hash(password: "correct horse")
        #expect(hash.hasPrefix("scrypt$32768$8$1$"))
        #expect(try await hasher.verify(password: "correct horse", against: hash))
        #expect(try await hasher.verify(password: "correct horsf", against: hash) == false)
    }

    @Test("each hash has its own salt")
    func salted() async throws {
        let hashes = [try await hasher.hash(password: "same"), try await hasher.hash(password: "same")]
        #expect(hashes[0] != hashes[1])
        for hash in hashes { #expect(try await hasher.verify(password: "same", against: hash)) }
    }

    @Test("hashes with earlier parameters stay valid")
    func former() async throws {
        let old = try await ScryptHasher(.init(cost: 32, blockSize: 2, parallelism: 3)).hash(password: "old")
        #expect(try await hasher.verify(password: "old", against: old))
        #expect(try await hasher.verify(password: "new", against: old) == false)
    }

    static let longest = String(repeating: "x", count: 500)

    @Test("unusual passwords are distinguished", arguments: ["", " ", "p\u{0}q", "пароль", "🗝️", longest])
    func odd(_ password: String) async throws {
        let hash = try await hasher.hash(password: password)
        #expect(try await hasher.verify(password: password, against: hash))
        #expect(try await hasher.verify(password: "\(password) ", against: hash) == false)
    }

    @Test("a letter is the same in every Unicode composition")
    func composed() async throws {
        let hash = try await hasher.hash(password: "caf\u{E9}")
        #expect(try await hasher.verify(password: "cafe\u{301}", against: hash))
    }

    @Test(
        "a malformed or too costly hash is refused",
        arguments: [
            "", "scrypt", "plain", "scrypt$16$8$1$AA==", "scrypt$15$8$1$AA==$AAAAAAAAAAAAAAAAAAAAAA==",
            "scrypt$1073741824$8$1$AA==$AAAAAAAAAAAAAAAAAAAAAA==", "scrypt$16$-8$1$AA==$AAAAAAAAAAAAAAAAAAAAAA==",
            "scrypt$16$8$1$AA==$", "scrypt$16$8$1$AA==$AA==", "bcrypt$16$8$1$AA==$AAAAAAAAAAAAAAAAAAAAAA==",
            "scrypt$16$8$1$!$AAAAAAAAAAAAAAAAAAAAAA==", "scrypt$1048576$32$16$AA==$AAAAAAAAAAAAAAAAAAAAAA==",
        ])
    func malformed(_ hash: String) async throws {
        await #expect(throws: ScryptHasher.MalformedHash.self) {
            try await hasher.verify(password: "x", against: hash)
        }
    }

    @Test("requests beyond the waiting limit get a busy fault")
    func bounded() async throws {
        let slow = ScryptHasher(.init(cost: 1 << 11))
        let busy = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<400 {
                group.addTask {
                    do {
                        _ = try await slow.hash(password: "x")
                        return false
                    } catch {
                        #expect((error as? Problem)?.code == "busy")
                        return true
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(busy > 0)
        #expect(busy <= 300)
        // The queue empties again.
        _ = try await slow.hash(password: "x")
    }

    @Test("a token's fingerprint is its SHA-256")
    func fingerprint() {
        // FIPS 180-2, appendix B.1, and the empty message.
        #expect(hasher.fingerprint("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(hasher.fingerprint("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }
}
