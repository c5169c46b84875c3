import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Integrations

@Suite("Uploaded ZIP files") struct UnzipTests {
    private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

    /// `export/` with a deflated `users.csv`, and a stored `plain.csv`; made by Python's zipfile.
    private static let good = bytes(
        """
        UEsDBBQAAAAAAAAAIVwAAAAAAAAAAAAAAAAHAAAAZXhwb3J0L1BLAwQUAAAACAAAACFc/S+9FyMAAABlAgAAEAAAAGV4cG9y\
        dC91c2Vycy5jc3YLKDq8Mi8/19ovP5eXyzkjJ//wSmvnw1tKDq8c5Y5yqcQFAFBLAwQUAAAAAAAAACFcxRCXJAQAAAAEAAAA\
        CQAAAHBsYWluLmNzdmEsYgpQSwECFAMUAAAAAAAAACFcAAAAAAAAAAAAAAAABwAAAAAAAAAAAAAAgAEAAAAAZXhwb3J0L1BL\
        AQIUAxQAAAAIAAAAIVz9L70XIwAAAGUCAAAQAAAAAAAAAAAAAACAASUAAABleHBvcnQvdXNlcnMuY3N2UEsBAhQDFAAAAAAA\
        AAAhXMUQlyQEAAAABAAAAAkAAAAAAAAAAAAAAIABdgAAAHBsYWluLmNzdlBLBQYAAAAAAwADAKoAAAChAAAAAAA=
        """)

    /// A million zeros.
    private static let zeros = bytes(
        """
        UEsDBBQAAAAIAAAAIVzadaY3CgQAAAAAEAAJAAAAemVyb3MuY3N27cExAQAAAMKgSuufzhC+QAEAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAfAZQSwECFAMU\
        AAAACAAAACFc2nWmNwoEAAAAABAACQAAAAAAAAAAAAAAgAEAAAAAemVyb3MuY3N2UEsFBgAAAAABAAEANwAAADEEAAAAAA==
        """)

    private func unzip(_ bytes: [UInt8], _ limits: UnpackingLimits = UnpackingLimits()) -> Result<
        [UnpackedFile], UnpackingFault
    > {
        Result { () throws(UnpackingFault) in try Unzip().unzip(bytes, limits: limits) }
    }

    /// Replaces the bytes at `offset` after each signature.
    private func bent(_ bytes: [UInt8], after signature: [UInt8], _ offset: Int, _ new: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for start in 0..<(bytes.count - signature.count) where bytes[start..<(start + 4)].elementsEqual(signature) {
            bytes.replaceSubrange((start + offset)..<(start + offset + new.count), with: new)
        }
        return bytes
    }

    private static let directory: [UInt8] = [0x50, 0x4B, 1, 2]
    private static let end: [UInt8] = [0x50, 0x4B, 5, 6]

    @Test("compressed and stored files are read, and folders are skipped")
    func reads() throws {
        let files = try unzip(Self.good).get()
        #expect(files.map(\.name) == ["export/users.csv", "plain.csv"])
        #expect(String(decoding: files[0].bytes, as: UTF8.self).hasPrefix("Prénom;Nom\r\nChloé;Côté\r\n"))
        #expect(files[0].bytes.count == 13 + 40 * 15 && files[1].bytes == Array("a,b\n".utf8))
    }

    @Test("our own ZIP files are read, which have their sizes after the data, from a disk or from memory")
    func own() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "x.zip")
        let parts = [
            ArchivePart("a.csv", .bytes(Data("a\n1\n".utf8))), ArchivePart("b/empty.csv", .bytes(Data())),
            ArchivePart("long.csv", .bytes(Data(repeating: 0x61, count: 1 << 20))),
        ]
        try await FileArchives().zip(parts, into: file)
        let bytes = try Data(contentsOf: file)
        #expect(try Zip().zip(parts) == bytes, "the same files give the same bytes")
        #expect(bytes.count < 4096, "it is compressed")
        let files = try unzip(Array(bytes)).get()
        #expect(files.map(\.name) == parts.map(\.name) && files.map(\.bytes.count) == [4, 0, 1 << 20])
        #expect(files[0].bytes == Array("a\n1\n".utf8))
        #expect(throws: ArchiveFault.cannotWrite) { try Zip().zip([ArchivePart("../a.csv", .bytes(Data()))]) }
    }

    @Test("a ZIP file that cannot be written leaves nothing")
    func full() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "x.zip")
        let noise = Data((0..<(1 << 20)).map { _ in UInt8.random(in: 0...255) })
        await #expect(throws: ArchiveFault.cannotWrite) {
            try await FileArchives(capacity: 1 << 19).zip([ArchivePart("a.bin", .bytes(noise))], into: file)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test("a ZIP file that is truncated or has a wrong checksum is damaged")
    func damaged() {
        for count in stride(from: 0, to: Self.good.count - 1, by: 3) {
            #expect(unzip(Array(Self.good.prefix(count))) == .failure(.damaged), "cut after \(count)")
        }
        #expect(unzip([]) == .failure(.damaged) && unzip(Array("PK".utf8)) == .failure(.damaged))
        // One byte of the checksum in the directory.
        #expect(unzip(bent(Self.good, after: Self.directory, 16, [0xFF])) == .failure(.damaged))
    }

    @Test("a small file cannot expand beyond the limit")
    func bombs() {
        #expect(unzip(Self.zeros, UnpackingLimits(bytes: 1 << 20)).map(\.count) == .success(1))
        #expect(
            unzip(Self.zeros, UnpackingLimits(bytes: (1 << 20) - 1)) == .failure(.tooLarge(limit: (1 << 20) - 1)))
        // The directory states a smaller size.
        #expect(unzip(bent(Self.zeros, after: Self.directory, 24, [10, 0, 0, 0])) == .failure(.damaged))
        // Many entries share one content.
        let entry =
            Self.zeros.firstRange(of: Self.directory).map { Self.zeros[$0.lowerBound..<(Self.zeros.count - 22)] }
            ?? []
        let body = Self.zeros.prefix(Self.zeros.count - 22 - entry.count)
        let copies = 30
        var many = Array(body)
        for _ in 0..<copies { many += entry }
        many += Self.zeros.suffix(22)
        let size = entry.count * copies
        many = bent(
            many, after: Self.end, 8,
            [UInt8(copies), 0, UInt8(copies), 0, UInt8(size & 0xFF), UInt8(size >> 8), 0, 0])
        #expect(unzip(many) == .failure(.damaged))
        #expect(unzip(many, UnpackingLimits(files: 29)) == .failure(.tooManyFiles(limit: 29)))
    }

    @Test("encrypted, split and unusually compressed files have their own faults")
    func refused() {
        #expect(unzip(bent(Self.good, after: Self.directory, 8, [1, 0])) == .failure(.encrypted))
        #expect(unzip(bent(Self.good, after: Self.directory, 10, [14, 0])) == .failure(.unknownMethod))
        #expect(unzip(bent(Self.good, after: Self.end, 4, [1, 0])) == .failure(.inParts))
        #expect(unzip(bent(Self.good, after: Self.end, 8, [9, 0])) == .failure(.inParts))
    }

    @Test(
        "a name that leads out of the archive is refused",
        arguments: [
            "../../../a.csv", "/xport/user.csv", "..\\..\\../a.csv", "\\xport\\user.csv",
            "C:port/users.csv",
        ])
    func paths(_ name: String) {
        let bytes = Array((name + "....").utf8.prefix(16))
        let path = String(decoding: bytes, as: UTF8.self).replacing("\\", with: "/")
        #expect(unzip(renamed(bytes)) == .failure(.path(path)))
    }

    @Test("backslashes in a name separate folders")
    func backslashes() throws {
        let files = try unzip(renamed(Array("export\\users.csv".utf8))).get()
        #expect(files.contains { $0.name == "export/users.csv" })
    }

    /// The archive with another name of the same length for its first file.
    private func renamed(_ bytes: [UInt8]) -> [UInt8] {
        var bent = Self.good
        for place in bent.indices.dropLast(16)
        where bent[place..<(place + 16)].elementsEqual("export/users.csv".utf8) {
            bent.replaceSubrange(place..<(place + 16), with: bytes)
        }
        return bent
    }
}
