import Domain
import FeatureKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Persistence
import ServerApp
import TestKit
import Testing

/// Photos through the whole server: sent, shown, downloaded, restored and erased.
@Suite("Photos in the whole server")
struct PhotoTests {
    private struct Sent {
        let observationId: String
        let hash: String
        let path: String
    }

    private func send(
        _ tower: Tower, _ sample: Tower.SampleSchool, _ bytes: [UInt8] = TestPictures.photo,
        named name: String = "a.jpg"
    ) async throws -> TestResponse {
        var body = Data()
        func add(_ head: String, _ content: Data) {
            body +=
                Data("--cut\r\nContent-Disposition: form-data; \(head)\r\n\r\n".utf8) + content + Data("\r\n".utf8)
        }
        add("name=\"content\"", Data("Built the tower".utf8))
        add("name=\"photos\"; filename=\"\(name)\"", Data(bytes))
        body += Data("--cut--\r\n".utf8)
        return try await tower.post(
            "/api/v1/students/\(sample.studentId)/observations", bytes: body,
            type: "multipart/form-data; boundary=cut", as: sample.founder.bearer)
    }

    private func sent(_ tower: Tower, _ sample: Tower.SampleSchool) async throws -> Sent {
        let answer = try await send(tower, sample)
        try #require(answer.status == .created, "\(answer.text)")
        let id = try answer.json().text("id")
        let photo = try #require(try answer.json().list("attachments").first as? [String: Any])
        let hash = try #require(photo["hash"] as? String)
        return Sent(
            observationId: id, hash: hash, path: "/students/\(sample.studentId)/observations/\(id)/photos/\(hash)")
    }

    @Test(
        "a photo is shown whole and in part, without the metadata of its file",
        .requirement("WW-18.01.f", "PT-2.27.a"))
    func shows() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let photo = try await sent(tower, sample)
            let shown = try await tower.get(photo.path, as: sample.founder.browser)
            #expect(shown.status == .ok && shown.headers[.contentType] == "image/jpeg")
            #expect(shown.headers[.contentDisposition] == "inline")
            #expect(shown.headers[.cacheControl] == "private, no-cache")
            #expect(shown.headers[.xContentTypeOptions] == "nosniff")
            let bytes = Data(shown.body.readableBytesView)
            #expect(MediaType(bytes) == .jpeg && bytes.range(of: Data("Exif".utf8)) == nil)
            #expect(BlobHash(of: Array(bytes)).text == photo.hash)
            let mark = try #require(shown.headers[.eTag])
            let again = try await tower.get(photo.path, as: sample.founder.browser, [.ifNoneMatch: mark])
            #expect(again.status == .notModified && again.body.readableBytes == 0)
            func part(_ range: String) async throws -> TestResponse {
                try await tower.get(photo.path, as: sample.founder.browser, [.range: range])
            }
            let head = try await part("bytes=0-9")
            #expect(head.status == .partialContent && Data(head.body.readableBytesView) == bytes.prefix(10))
            #expect(head.headers[.contentRange] == "bytes 0-9/\(bytes.count)")
            #expect(Data(try await part("bytes=-5").body.readableBytesView) == bytes.suffix(5))
            #expect(Data(try await part("bytes=10-").body.readableBytesView) == bytes.dropFirst(10))
            #expect(try await part("bytes=\(bytes.count)-").status == .rangeNotSatisfiable)
            for odd in ["bytes=9-3", "bytes=a-b", "lines=1-2", "bytes=0-1,3-4"] {
                #expect(try await part(odd).status == .ok, "\(odd)")
            }
            let page = try await tower.page("/students/\(sample.studentId)", as: sample.founder.browser)
            #expect(page.text.contains(photo.path))
        }
    }

    @Test("a person who may not see the child cannot load a photo, whatever the browser cached")
    func walls() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let photo = try await sent(tower, sample)
            let other = try await tower.sampleSchool("Oak School")
            let guide = try await tower.member(.guide, of: sample)
            let mark: HTTPFields = [.ifNoneMatch: "\"\(photo.hash)\""]
            for stranger in [other.founder, guide] {
                #expect(try await tower.get(photo.path, as: stranger.browser, mark).status == .notFound)
            }
            #expect(try await tower.get(photo.path, as: .nobody, mark).status != .ok)
            #expect(try await tower.get(photo.path, as: .nobody, mark).status != .notModified)
            let elsewhere = "/students/\(other.studentId)/observations/\(other.observationId)/photos/\(photo.hash)"
            #expect(try await tower.get(elsewhere, as: other.founder.browser).status == .notFound)
        }
    }

    @Test(
        "hostile files are refused with a sentence in the form",
        arguments: ["<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "GIF89a", "PK\u{3}\u{4}", "\u{FF}"])
    func hostile(_ text: String) async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let answer = try await send(tower, sample, Array(text.utf8), named: "photo.jpg")
            #expect(answer.status.code == 422 && answer.text.contains("photo.jpg"))
            let cut = try await send(tower, sample, Array(TestPictures.photo.prefix(300)), named: "cut.jpg")
            #expect(cut.status.code == 422 && cut.text.contains("cut.jpg"))
        }
    }

    @Test("a backup contains the photos, and a restore brings them back, also beside the original")
    func comesBack() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let photo = try await sent(tower, sample)
            let made = try await tower.post(
                "/api/v1/records/backups", [:] as [String: String], as: sample.founder.bearer
            ).json().text("path")
            let file = Data(try await tower.get(made, as: sample.founder.bearer).body.readableBytesView)
            #expect(file.range(of: Data("files/\(photo.hash)".utf8)) != nil)
            // The school's files are lost.
            try await tower.blobs.removeAll(of: #require(UUID(text: sample.orgId)))
            #expect(try await tower.get(photo.path, as: sample.founder.browser).status == .notFound)
            func restore(
                _ file: Data, _ way: String, as person: Tower.Person
            ) async throws -> TestResponse {
                var body = Data(
                    "--cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n".utf8)
                body += file
                body += Data(
                    "\r\n--cut\r\nContent-Disposition: form-data; name=\"way\"\r\n\r\n\(way)\r\n--cut--\r\n".utf8)
                return try await tower.post(
                    "/api/v1/records/restore", bytes: body, type: "multipart/form-data; boundary=cut",
                    as: person.bearer)
            }
            var damaged = file
            let place = try #require(file.range(of: Data("files/\(photo.hash)".utf8), in: 4096..<file.count))
            damaged[place.lowerBound + 600] ^= 1
            #expect(try await restore(damaged, "replace", as: sample.founder).text.contains("records.damaged"))
            #expect(try await restore(file, "replace", as: sample.founder).status == .ok)
            let founder = try await tower.again(sample.founder)
            #expect(try await tower.get(photo.path, as: founder.browser).status == .ok)
            #expect(try await restore(file, "beside", as: founder).status == .ok)
            let counts = try await tower.composition.schools.all().asyncMap {
                try await tower.blobs.all(of: $0).count
            }
            // A small photo is the same file in both sizes.
            #expect(counts == [1, 1], "in both schools")
        }
    }

    @Test(
        "exports contain the photos, erasing the child deletes them from the disk, and a deleted school leaves none",
        .requirement("PT-2M.27"))
    func goes() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let photo = try await sent(tower, sample)
            let orgId = try #require(UUID(text: sample.orgId))
            func export(_ path: String) async throws -> String {
                let made = try await tower.post(path, [:] as [String: String], as: sample.founder.bearer)
                let file = try await tower.get(made.json().text("path"), as: sample.founder.bearer)
                return String(decoding: Data(file.body.readableBytesView), as: UTF8.self)
            }
            #expect(try await export("/api/v1/records/exports").contains("files/\(photo.hash).jpg"))
            let person = "/api/v1/records/people/\(sample.studentId)"
            #expect(try await export("\(person)/export").contains("files/\(photo.hash).jpg"))
            tower.clock.advance(by: 61)
            let erased = try await tower.post("\(person)/erase", ["name": "Bea Ruiz"], as: sample.founder.bearer)
            #expect(erased.status == .ok, "\(erased.text)")
            #expect(try await tower.blobs.all(of: orgId).isEmpty)
            let left = try await tower.blobs.blobs(of: orgId).put(TestPictures.photo)
            #expect(try await tower.blobs.all(of: orgId) == [left])
            _ = try await tower.post(
                "/api/v1/organization/delete", ["name": "Maple School"], as: sample.founder.bearer)
            tower.clock.advance(by: 31 * 86_400)
            await tower.composition.runJobs()
            #expect(try await tower.blobs.all(of: orgId).isEmpty)
        }
    }
}

extension Tower {
    /// The files of the schools, as the server stores them.
    fileprivate var blobs: FolderBlobs {
        FolderBlobs(in: Persistence.blobsFolder(in: folder.url.appending(path: "data")), clock: clock)
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { try await values.append(transform(element)) }
        return values
    }
}
