import DesignSystem
import Domain
import FeatureKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestKit
import Testing

@Suite("Pages as screens for native apps")
struct ScreenTests {
    private static func document(_ answer: TestResponse) throws -> ScreenDocument {
        try JSON.decode(ScreenDocument.self, from: Data(answer.body.readableBytesView))
    }

    @Test("an app reads a page with the frame around it, and a browser reads it as HTML, in turn")
    func negotiation() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let path = "/classrooms/\(sample.classroomId)"
            for _ in 0..<2 {
                let json = try await tower.get(
                    path, as: sample.founder.bearer, [.accept: "\(ScreenDocument.mediaType);version=1"])
                #expect(json.status == .ok)
                #expect(json.headers[.contentType] == "\(ScreenDocument.mediaType); version=1")
                #expect(json.headers[.vary]?.contains("Accept,") == true)
                #expect(json.headers[.cacheControl] == "no-store")
                let document = try Self.document(json)
                #expect(document.version == 1)
                #expect(document.chrome?.navigation.isEmpty == false)
                #expect(document.seq != nil)
                #expect(document.screen.live.contains { $0.hasPrefix("classroom:") })
                let page = try await tower.page(path, as: sample.founder.browser)
                #expect(page.headers[.contentType]?.hasPrefix("text/html") == true)
                #expect(page.text.contains("<html"))
            }
        }
    }

    @Test("an app of an older version gets text in the place of components that it does not know")
    func olderApp() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let json = try await tower.get(
                "/classrooms/\(sample.classroomId)", as: sample.founder.bearer,
                [.accept: "\(ScreenDocument.mediaType); version=0"])
            let document = try Self.document(json)
            #expect(document.version == 0)
            #expect(!document.screen.body.isEmpty)
            for component in document.screen.body {
                guard case .text = component else {
                    Issue.record("\(component)")
                    continue
                }
            }
        }
    }

    @Test("refusals are problem documents: signed out, forbidden, unknown")
    func refusals() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let parent = try await tower.member(.parent, of: sample)
            let accept: HTTPFields = [.accept: ScreenDocument.mediaType]
            for (path, who, status) in [
                ("/classrooms/\(sample.classroomId)", Tower.As.nobody, 401),
                ("/settings/members", parent.bearer, 403),
                ("/classrooms/\(UUID().text)", sample.founder.bearer, 404),
                ("/nowhere", sample.founder.bearer, 404),
            ] {
                let answer = try await tower.get(path, as: who, accept)
                #expect(answer.status.code == status, "\(path)")
                #expect(answer.headers[.contentType] == "application/problem+json", "\(path)")
            }
        }
    }

    @Test(
        "a hostile header gets a page in one of the two forms",
        arguments: [
            "\(ScreenDocument.mediaType); version=", "\(ScreenDocument.mediaType); version=-9223372036854775809",
            "\(ScreenDocument.mediaType);version=1;version=2", "\(ScreenDocument.mediaType);;;=;",
            ",,,;;;\(ScreenDocument.mediaType)", "*/*;q=0, \(ScreenDocument.mediaType);q=1",
            String(repeating: "a/b;", count: 1000), "=,=;=",
        ])
    func hostile(accept: String) async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let answer = try await tower.get(
                "/classrooms/\(sample.classroomId)", as: sample.founder.bearer, [.accept: accept])
            #expect(answer.status == .ok)
            if answer.headers[.contentType]?.hasPrefix(ScreenDocument.mediaType) == true {
                _ = try Self.document(answer)
            } else {
                #expect(answer.text.contains("<html"))
            }
        }
    }

    @Test("the screen of a class of 30 is at most one and a half times the HTML, both compressed")
    func size() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            for number in 1...30 {
                _ = try await tower.post(
                    "/api/v1/students",
                    ["firstName": "Child \(number)", "lastName": "Ruiz", "classroomId": sample.classroomId],
                    as: sample.founder.bearer)
            }
            let path = "/classrooms/\(sample.classroomId)"
            func bytes(_ accept: String) async throws -> Int {
                let answer = try await tower.get(
                    path, as: sample.founder.bearer, [.accept: accept, .acceptEncoding: "gzip"])
                #expect(answer.headers[.contentEncoding] == "gzip")
                return answer.body.readableBytes
            }
            let (html, json) = try await (bytes("text/html"), bytes(ScreenDocument.mediaType))
            #expect(Double(json) <= 1.5 * Double(html), "\(json) bytes of JSON, \(html) of HTML")
        }
    }
}
