import Domain
import FeatureKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestKit
import Testing

@Suite("Videos of lessons")
struct LessonFilmTests {
    /// A video as a browser records it; the beginning of the container and the codec's name suffice to recognize it.
    private static let film =
        [0x1A, 0x45, 0xDF, 0xA3, 0x87, 0x42, 0x82, 0x84] + Array("webm\u{6}\u{5}V_VP8 and pictures".utf8)
    private static let captions = Array("WEBVTT\n\n00:00.000 --> 00:05.000\nWater flows.\n".utf8)

    /// Adds a file to the lesson and returns its address on the lesson's page.
    private func add(
        _ name: String, _ bytes: [UInt8], _ tower: Tower, _ sample: Tower.SampleSchool
    ) async throws -> String {
        let head = "--cut\r\nContent-Disposition: form-data; name=\"files\"; filename=\"\(name)\"\r\n\r\n"
        let answer = try await tower.post(
            "/api/v1/courses/lessons/\(sample.lessonId)/files",
            bytes: Data(head.utf8) + Data(bytes) + Data("\r\n--cut--\r\n".utf8),
            type: "multipart/form-data; boundary=cut", as: sample.founder.bearer)
        try #require(answer.status == .created, "\(answer.text)")
        let file = try #require(try answer.json().list("items").last as? [String: Any])
        let id = try #require(file["id"] as? String)
        return "/courses/\(sample.courseId)/lessons/\(sample.lessonId)/media/\(id)"
    }

    @Test("the school's own video is played in parts, on a page whose policy names no other site")
    func plays() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let film = try await add("sea.webm", Self.film, tower, sample)
            let captions = try await add("sea.fr.vtt", Self.captions, tower, sample)
            let page = try await tower.page(
                "/courses/\(sample.courseId)/lessons/\(sample.lessonId)", as: sample.founder.browser)
            #expect(
                page.text.contains("src=\"\(film)\"><track kind=\"captions\" src=\"\(captions)\" srclang=\"fr\""))
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(
                policy.components(separatedBy: "; ").first { $0.hasPrefix("media-src") } == "media-src 'self' blob:"
            )
            let whole = try await tower.get(film, as: sample.founder.browser)
            #expect(whole.status == .ok && Array(whole.body.readableBytesView) == Self.film)
            #expect(whole.headers[.contentType] == "video/webm" && whole.headers[.contentDisposition] == "inline")
            #expect(whole.headers[.acceptRanges] == "bytes" && whole.headers[.xContentTypeOptions] == "nosniff")
            let part = try await tower.get(film, as: sample.founder.browser, [.range: "bytes=4-7"])
            #expect(part.status == .partialContent && Array(part.body.readableBytesView) == Array(Self.film[4...7]))
            let said = try await tower.get(captions, as: sample.founder.browser)
            #expect(said.status == .ok && said.headers[.contentType] == "text/vtt")
            // The file is downloaded from its other address, and never shown from there.
            let home = try await tower.get(
                film.replacingOccurrences(of: "/media/", with: "/files/"), as: sample.founder.browser)
            #expect(home.headers[.contentDisposition] == "attachment; filename=\"sea.webm\"")
        }
    }

    @Test("a person who may not read the lesson cannot load its video, whatever the browser cached")
    func walls() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let film = try await add("sea.webm", Self.film, tower, sample)
            let page = try await add("sea.html", Array("<script>alert(1)</script>".utf8), tower, sample)
            #expect(try await tower.get(page, as: sample.founder.browser).status == .notFound)
            let mark: HTTPFields = [.ifNoneMatch: "\"\(BlobHash(of: Self.film).text)\""]
            #expect(try await tower.get(film, as: sample.founder.browser, mark).status == .notModified)
            let other = try await tower.sampleSchool("Oak School")
            let student = try await tower.member(.student, of: sample)
            for stranger in [other.founder, student] {
                #expect(try await tower.get(film, as: stranger.browser, mark).status == .notFound)
            }
            let signedOut = try await tower.get(film, as: .nobody, mark)
            #expect(signedOut.status != .ok && signedOut.status != .notModified)
        }
    }

    @Test("files that are sent together stay in the order in which they were chosen")
    func order() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let names = (1...6).map { "part-\($0).webm" }
            let parts = names.map { name in
                Data("--cut\r\nContent-Disposition: form-data; name=\"files\"; filename=\"\(name)\"\r\n\r\n".utf8)
                    + Data(Self.film) + Data("\r\n".utf8)
            }
            let answer = try await tower.post(
                "/api/v1/courses/lessons/\(sample.lessonId)/files",
                bytes: parts.reduce(Data(), +) + Data("--cut--\r\n".utf8),
                type: "multipart/form-data; boundary=cut", as: sample.founder.bearer)
            let added = try answer.json().list("items").compactMap { $0 as? [String: Any] }
            #expect(added.compactMap { $0["name"] as? String } == names)
            let page = try await tower.page(
                "/courses/\(sample.courseId)/lessons/\(sample.lessonId)", as: sample.founder.browser)
            let places = names.compactMap { page.text.range(of: $0)?.lowerBound }
            #expect(places.count == names.count && places == places.sorted())
            let first = try #require(added.first?["id"] as? String)
            #expect(page.text.contains("/media/\(first)\""))
        }
    }

    @Test("more than a video and a file at once is refused before it is read to its end")
    func tooMuch() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let answer = try await tower.post(
                "/api/v1/courses/lessons/\(sample.lessonId)/files", bytes: Data(count: 80 << 20),
                type: "multipart/form-data; boundary=cut", as: sample.founder.bearer)
            #expect(answer.status == .contentTooLarge)
        }
    }
}
