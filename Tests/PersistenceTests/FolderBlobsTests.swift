import Domain
import FeatureKit
import Foundation
import Persistence
import TestKit
import Testing

/// The promises of `SchoolBlobs`, shown on a folder.
@Suite("Files of a school on disk")
struct FolderBlobsTests {
    private let folder: TemporaryFolder
    private let clock = FixedClock()
    private let blobs: FolderBlobs
    private let school = UUID()
    private let photo = [UInt8]("a photo".utf8)

    init() throws {
        folder = try TemporaryFolder()
        blobs = FolderBlobs(in: folder.url.appending(path: "blobs"), clock: clock)
    }

    private var names: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
                .filter { $0.count > 64 || $0.contains("unfinished") }
        }
    }

    @Test("a stored file is complete and named by the hash of its content")
    func puts() async throws {
        let hash = try await blobs.blobs(of: school).put(photo)
        // As `sha256sum` computes it.
        #expect(hash.text == "d4e24d749a4fe2f161af2de913c0402b04e3ae287dafd0f9dbfa4a5c56c69285")
        let file = try #require(try await blobs.blobs(of: school).file(hash))
        #expect(try [UInt8](Data(contentsOf: file)) == photo)
        let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(rights == 0o600)
    }

    @Test("a store names its files with the hash function that it was given")
    func hashes() async throws {
        let blobs = FolderBlobs(in: folder.url.appending(path: "blobs"), clock: clock) { content in
            BlobHash(of: try content.bytes() + [0])
        }
        let hash = try await blobs.blobs(of: school).put(photo)
        #expect(hash == BlobHash(of: photo + [0]))
        #expect(try await blobs.blobs(of: school).file(hash) != nil)
    }

    @Test("thirty concurrent puts of the same content make one file and leave no draft")
    func putsOnce() async throws {
        let (store, photo) = (blobs.blobs(of: school), photo)
        let hashes = try await withThrowingTaskGroup(of: BlobHash.self) { group in
            for _ in 0..<30 { group.addTask { try await store.put(photo) } }
            return try await group.reduce(into: Set<BlobHash>()) { $0.insert($1) }
        }
        #expect(hashes == [BlobHash(of: photo)])
        #expect(try names.count == 1)
        #expect(try await blobs.all(of: school) == hashes)
    }

    @Test("a school's store cannot reach the files of another school")
    func isolatesSchools() async throws {
        let hash = try await blobs.blobs(of: school).put(photo)
        let other = UUID()
        #expect(try await blobs.blobs(of: other).file(hash) == nil)
        #expect(try await blobs.all(of: other).isEmpty)
        _ = try await blobs.blobs(of: other).put(photo)
        try await blobs.removeAll(of: other)
        try await blobs.removeAll(of: other)
        #expect(try await blobs.blobs(of: school).file(hash) != nil)
        #expect(try await blobs.blobs(of: other).file(hash) == nil)
    }

    @Test("old files are removed on request, except those that were put again meanwhile")
    func ages() async throws {
        let store = blobs.blobs(of: school)
        let (old, again) = (try await store.put(photo), try await store.put([UInt8]("again".utf8)))
        let begin = clock.now
        clock.advance(by: 3600)
        _ = try await store.put([UInt8]("again".utf8))
        #expect(try await blobs.remove([old, again], of: school, unlessPutSince: begin) == 0)
        #expect(try await blobs.remove([old, again], of: school, unlessPutSince: begin + 60) == 1)
        #expect(try await blobs.all(of: school) == [again])
        #expect(try await blobs.remove([old], of: school, unlessPutSince: clock.now + 60) == 0)
    }

    @Test("a folder that cannot be written is a fault of the disk")
    func full() async throws {
        try Data("in the way".utf8).write(to: folder.file("blobs"))
        await #expect(throws: DatabaseFault.self) { _ = try await blobs.blobs(of: school).put(photo) }
    }

    @Test(
        "only a hash is a valid name",
        arguments: ["", "..", "../../etc/passwd", String(repeating: "A", count: 64)])
    func refuses(_ text: String) {
        #expect(BlobHash(text) == nil)
    }

    @Test("a media type is recognized by the first bytes")
    func types() {
        #expect(MediaType([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(MediaType([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) == .png)
        #expect(MediaType(Array("RIFF....WEBPVP8 ".utf8)) == .webP)
        #expect(MediaType(Array("RIFF....WAVEfmt ".utf8)) == .wav)
        #expect(MediaType([0x1A, 0x45, 0xDF, 0xA3, 0x01]) == .webM)
        #expect(MediaType(Array("OggS".utf8)) == .ogg)
        #expect(MediaType(Array("....ftypM4A ".utf8)) == .mp4)
        #expect(MediaType(Array("<svg xmlns=".utf8)) == nil && MediaType(Array("GIF89a".utf8)) == nil)
        #expect(MediaType([UInt8]()) == nil)
        for text in ["WEBVTT", "WEBVTT\n\n00:00", "\u{FEFF}WEBVTT - Water", "WEBVTT\r\n"] {
            #expect(MediaType(Array(text.utf8)) == .webVTT)
        }
        #expect(MediaType(Array("WEBVTTS".utf8)) == nil && MediaType(Array(" WEBVTT".utf8)) == nil)
    }
}
