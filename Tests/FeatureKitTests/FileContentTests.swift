import Domain
import Foundation
import TestKit
import Testing

@testable import FeatureKit

@Suite("Contents of files")
struct FileContentTests {
    private let folder: TemporaryFolder
    private let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }

    init() throws { folder = try TemporaryFolder() }

    private func both() throws -> [FileContent] {
        let url = folder.file("content")
        try Data(bytes).write(to: url)
        return [.bytes(bytes), .file(url)]
    }

    @Test("content in memory and content on disk are read alike: whole, head, portions, hash and copy")
    func same() throws {
        for (number, content) in try both().enumerated() {
            #expect(try content.bytes() == bytes)
            #expect(try content.head(10) == Array(bytes.prefix(10)) && content.head(400_000) == bytes)
            var portions: [UInt8] = []
            try content.forEachPortion { portions += $0 }
            #expect(portions == bytes)
            #expect(try BlobHash(of: content) == BlobHash(of: bytes))
            let reader = try content.reader()
            #expect(reader.size == bytes.count)
            #expect(try reader.read(at: 131_070, count: 5) == Array(bytes[131_070..<131_075]))
            #expect(try reader.read(at: bytes.count - 2, count: 5) == Array(bytes.suffix(2)))
            #expect(try reader.read(at: bytes.count, count: 5) == [])
            let copy = folder.file("copy \(number)")
            try content.write(to: copy)
            #expect(try Array(Data(contentsOf: copy)) == bytes)
        }
    }

    @Test(
        "the hash of bytes that are added in pieces equals the hash of all of them",
        arguments: [1, 63, 64, 65, 128, 1000])
    func hashes(_ size: Int) {
        let bytes = bytes.prefix(2000)
        var hash = SHA256()
        for start in stride(from: 0, to: bytes.count, by: size) {
            Array(bytes[start..<min(bytes.count, start + size)]).withUnsafeBufferPointer { hash.update($0) }
        }
        #expect(hash.finish() == SHA256.hex(Array(bytes)))
    }
}
