import Domain
import FeatureKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestKit
import Testing

@Suite("Uploads that are cut")
struct UploadTests {
    private struct Start: Encodable {
        let uploadId: String
        let name: String
        let size: Int
    }

    private struct HandIn: Encodable {
        let uploads: [String]
    }

    private static func head(
        _ method: String, _ path: String, _ bearer: String, _ lines: [String] = []
    ) -> String {
        let all = ["Host: 127.0.0.1", "Authorization: Bearer \(bearer)", "Tus-Resumable: 1.0.0"] + lines
        return "\(method) \(path) HTTP/1.1\r\n" + all.map { "\($0)\r\n" }.joined() + "\r\n"
    }

    private static func patch(_ path: String, _ bearer: String, at offset: Int, length: Int) -> String {
        head(
            "PATCH", path, bearer,
            [
                "Content-Type: application/offset+octet-stream", "Upload-Offset: \(offset)",
                "Content-Length: \(length)",
            ])
    }

    private static func offset(_ port: Int, _ path: String, _ bearer: String) async throws -> Int? {
        let wire = try Wire(port: port)
        try wire.send(head("HEAD", path, bearer, ["Connection: close"]))
        let text = try await wire.untilClosed()
        return text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("upload-offset:") }
            .flatMap { Int($0.split(separator: " ")[1]) }
    }

    @Test("an upload that is cut at every percent arrives whole")
    func everyPercent() async throws {
        try await Tower.with(live: true) { tower in
            let sample = try await tower.sampleSchool()
            let student = try await tower.student(of: sample)
            let port = try #require(tower.client.port)
            let percent = 3001
            let bytes = (0..<percent * 100).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            let id = UUID().text
            let uploads = "/api/v1/assignments/\(sample.assignmentId)/uploads"
            let begun = try await tower.post(
                uploads, Start(uploadId: id, name: "film.mov", size: bytes.count), as: student.bearer)
            #expect(begun.status == .created, "\(begun.text)")
            let path = "\(uploads)/\(id)"
            for step in 0..<100 {
                let start = step * percent
                // Dropped at the end of the block, with the rest of the body unsent.
                do {
                    let wire = try Wire(port: port)
                    try wire.send(Self.patch(path, student.access, at: start, length: bytes.count - start))
                    try wire.send(Array(bytes[start..<start + percent]))
                }
                try await eventually {
                    let arrived = try await Self.offset(port, path, student.access)
                    return arrived == start + percent
                }
                let arrived = try await Self.offset(port, path, student.access)
                try #require(arrived == start + percent, "after \(step) %")
            }
            let made = try await tower.post(
                "/api/v1/assignments/\(sample.assignmentId)/submissions", HandIn(uploads: [id]), as: student.bearer)
            try #require(made.status == .created, "\(made.text)")
            let file = try #require(try made.json().list("files").first as? [String: Any])
            let fileId = try #require(file["id"] as? String)
            let saved = try await tower.get(
                "/assignments/\(sample.assignmentId)/files/\(fileId)", as: student.bearer)
            #expect(Array(saved.body.readableBytesView) == bytes)
        }
    }

    @Test("parts at another offset, of another version, too long or without rights are refused, and the file stays")
    func refusals() async throws {
        try await Tower.with(live: true) { tower in
            let sample = try await tower.sampleSchool()
            let student = try await tower.student(of: sample)
            let other = try await tower.student(of: sample)
            let port = try #require(tower.client.port)
            let id = UUID().text
            let uploads = "/api/v1/assignments/\(sample.assignmentId)/uploads"
            _ = try await tower.post(uploads, Start(uploadId: id, name: "a.txt", size: 10), as: student.bearer)
            let path = "\(uploads)/\(id)"
            func status(_ head: String, _ body: String) async throws -> (Int, String?) {
                let wire = try Wire(port: port)
                try wire.send(head + body)
                let answer = try await wire.answer()
                return (answer.status, answer.headers["upload-offset"])
            }
            let first = try await status(Self.patch(path, student.access, at: 0, length: 4), "Once")
            #expect(first == (204, "4"))
            let again = try await status(Self.patch(path, student.access, at: 0, length: 4), "Once")
            #expect(again == (409, "4"))
            #expect(try await status(Self.patch(path, student.access, at: 4, length: 7), "too far").0 == 413)
            #expect(try await status(Self.patch(path, other.access, at: 4, length: 4), "mine").0 == 404)
            #expect(try await status(Self.patch(path, sample.founder.access, at: 4, length: 4), "mine").0 == 403)
            #expect(try await status(Self.patch(path, "nonsense", at: 4, length: 4), "mine").0 == 401)
            let old = Self.patch(path, student.access, at: 4, length: 4)
                .replacingOccurrences(of: "Tus-Resumable: 1.0.0", with: "Tus-Resumable: 0.2.2")
            #expect(try await status(old, "past").0 == 412)
            let form = Self.patch(path, student.access, at: 4, length: 4)
                .replacingOccurrences(of: "application/offset+octet-stream", with: "text/plain")
            #expect(try await status(form, "past").0 == 415)
            #expect(try await Self.offset(port, path, student.access) == 4)
            #expect(try await Self.offset(port, path, other.access) == nil)
        }
    }
}
