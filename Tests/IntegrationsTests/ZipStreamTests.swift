import FeatureKit
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Integrations

@Suite("ZIP files that are made while they are sent")
struct ZipStreamTests {
    private final class Received: Sendable {
        private let state = Mutex((bytes: Data(), largest: 0))

        func append(_ more: Data) {
            state.withLock { state in
                state.bytes.append(more)
                state.largest = max(state.largest, more.count)
            }
        }
        var bytes: Data { state.withLock { $0.bytes } }
        var largest: Int { state.withLock { $0.largest } }
    }

    @Test("names in all scripts and contents arrive unchanged")
    func names() async throws {
        let entries = [
            ZipEntry("Mia Roy/essay.pdf", .bytes(Array("%PDF-1".utf8))),
            ZipEntry("Zoé Müller/été 🌻 #1.txt", .bytes(Array("Sun".utf8))),
            ZipEntry("明/مقال.txt", .bytes([])),
        ]
        let received = Received()
        try await Zip().zip(entries) { received.append($0) }
        let files = try Unzip().unzip(Array(received.bytes), limits: UnpackingLimits())
        #expect(files.map(\.name) == entries.map(\.path))
        #expect(try files.map(\.bytes) == entries.map { try $0.content.bytes() })
    }

    @Test("a large file passes in portions, so that it costs little memory")
    func portions() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("film.mov")
        // Bytes that cannot be compressed.
        var state: UInt64 = 88
        let bytes = (0..<5_000_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        try Data(bytes).write(to: file)
        let received = Received()
        try await Zip().zip([ZipEntry("film.mov", .file(file))]) { received.append($0) }
        #expect(received.largest <= 1 << 20)
        let files = try Unzip().unzip(Array(received.bytes), limits: UnpackingLimits(files: 10, bytes: 1 << 24))
        #expect(files.map(\.bytes) == [bytes])
    }

    @Test("what is compressed already is stored, and text is deflated")
    func stored() async throws {
        let text = Array(String(repeating: "Samarkand ", count: 10_000).utf8)
        func packed(_ beginning: [UInt8]) async throws -> Int {
            let received = Received()
            let bytes = beginning + text
            try await Zip().zip([ZipEntry("a", .bytes(bytes)), ZipEntry("b.txt", .bytes(text))]) {
                received.append($0)
            }
            let files = try Unzip().unzip(Array(received.bytes), limits: UnpackingLimits(files: 10, bytes: 1 << 24))
            #expect(files.map(\.bytes) == [bytes, text])
            return received.bytes.count
        }
        for beginning: [UInt8] in [
            [0xFF, 0xD8, 0xFF], [0x50, 0x4B, 0x03, 0x04], Array("%PDF-1.7 /Filter /FlateDecode ".utf8),
            Array("\0\0\0 ftypqt  ".utf8),
        ] {
            // The second entry is deflated again.
            let size = try await packed(beginning)
            #expect(size > text.count && size < text.count + 5000, "\(beginning)")
        }
        for plain: [UInt8] in [[], Array("%PDF-1.7 1 0 obj ".utf8), Array("RIFF1234WAVE".utf8)] {
            #expect(try await packed(plain) < 10_000)
        }
    }

    @Test("a reader who goes away ends the archive")
    func goneReader() async throws {
        struct Gone: Error {}
        await #expect(throws: Gone.self) {
            try await Zip().zip([ZipEntry("a.txt", .bytes([7]))]) { _ in throw Gone() }
        }
    }
}
