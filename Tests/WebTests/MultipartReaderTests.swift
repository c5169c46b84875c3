import FeatureKit
import Foundation
import Testing

@testable import Web

@Suite("Multipart forms in pieces")
struct MultipartReaderTests {
    /// The events of a body in pieces of a size, with contents joined.
    private func events(_ body: [UInt8], pieces size: Int) throws -> [MultipartReader.Event] {
        var reader = MultipartReader(boundary: "cut")
        var events: [MultipartReader.Event] = []
        for start in stride(from: 0, to: body.count, by: size) {
            for event in try reader.take(body[start..<min(body.count, start + size)]) {
                if case .content(let more) = event, case .content(let before) = events.last {
                    events[events.count - 1] = .content(before + more)
                } else {
                    events.append(event)
                }
            }
        }
        try reader.finish()
        return events
    }

    private static let body = Array(
        """
        overlooked\r\n--cut\r\nContent-Disposition: form-data; name="text"\r\n\r\nOne\r\nline\r\n--cu\r\n--cut\r
        content-disposition: form-data; name="file"; filename="a %22b%22.bin"\r\nContent-Type: image/png\r\n\r\n\
        \r\r\n--\r\n\r\n--cut\r\nContent-Disposition: form-data; name="none"; filename=""\r\n\r\n\r\n--cut--\r\nend
        """.utf8)

    @Test("pieces of any size give the same fields", arguments: [1, 2, 3, 5, 7, 16, 64, 4096])
    func pieces(_ size: Int) throws {
        #expect(
            try events(Self.body, pieces: size) == [
                .begin(.init(name: "text", fileName: nil, contentType: "application/octet-stream")),
                .content(Array("One\r\nline\r\n--cu".utf8)), .end,
                .begin(.init(name: "file", fileName: "a \"b\".bin", contentType: "image/png")),
                .content(Array("\r\r\n--\r\n".utf8)), .end,
                .begin(.init(name: "none", fileName: "", contentType: "application/octet-stream")), .end,
            ])
    }

    @Test("a truncated form is refused, wherever it is cut")
    func cutOff() throws {
        let end = try #require(String(decoding: Self.body, as: UTF8.self).range(of: "--cut--")?.upperBound)
        let whole = String(decoding: Self.body, as: UTF8.self)[..<end].utf8.count
        for count in stride(from: 0, to: whole, by: 3) {
            #expect(throws: Problem.self) { try events(Array(Self.body.prefix(count)), pieces: 64) }
        }
    }

    @Test(
        "a malformed form is refused",
        arguments: [
            "no delimiter", "--cutx\r\n", "--cut\r\nno head ends here\r\n--cut--",
            "--cut\r\nContent-Disposition: form-data\r\n\r\nx\r\n--cut--",
            "--cut\r\nX: \u{FFFD}" + String(repeating: "a", count: 9000) + "\r\n\r\nx\r\n--cut--",
        ])
    func refused(_ body: String) {
        #expect(throws: Problem.self) { try events(Array(body.utf8), pieces: 4096) }
    }

    @Test("a boundary is read from its header, quoted or not, and refused when it is too long or empty")
    func boundaries() {
        #expect(MultipartReader.boundary(of: "multipart/form-data; boundary=abc") == "abc")
        #expect(MultipartReader.boundary(of: "multipart/form-data; charset=utf-8; Boundary=\"a b\"") == "a b")
        #expect(MultipartReader.boundary(of: "multipart/form-data") == nil)
        #expect(MultipartReader.boundary(of: "multipart/form-data; boundary=") == nil)
        let long = String(repeating: "a", count: 71)
        #expect(MultipartReader.boundary(of: "multipart/form-data; boundary=\(long)") == nil)
    }
}
