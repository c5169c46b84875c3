import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// A response with bytes of a content type, compressed for clients that accept gzip. Responses to people are never
    /// cached.
    static func content(
        _ bytes: [UInt8], type: String, status: Int = 200, for request: Request
    ) -> Response {
        let packed = wantsPacked(request) ? pack(bytes) : nil
        return content(packed ?? ByteBuffer(bytes: bytes), isPacked: packed != nil, type: type, status: status)
    }

    static func content(_ body: ByteBuffer, isPacked: Bool, type: String, status: Int = 200) -> Response {
        var response = Response(
            status: .init(code: status),
            headers: [
                .contentType: type, .cacheControl: "no-store",
                .vary: "Accept, Accept-Encoding, Cookie, Accept-Language",
            ],
            body: ResponseBody(byteBuffer: body))
        if isPacked { response.headers[.contentEncoding] = "gzip" }
        return response
    }

    static func wantsPacked(_ request: Request) -> Bool {
        request.headers[.acceptEncoding]?.contains("gzip") ?? false
    }

    /// Compresses a body; returns `nil` for bodies below 1,400 bytes, which fit into one packet anyway.
    static func pack(_ bytes: [UInt8]) -> ByteBuffer? {
        bytes.count >= 1400 ? Gzip.compress(bytes, level: 4).map { ByteBuffer(bytes: $0) } : nil
    }

    static func json(_ body: Data, status: Int = 200, type: String = "application/json") -> Response {
        Response(
            status: .init(code: status), headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// A file that the browser saves instead of showing it.
    static func file(_ body: Data, named name: String) -> Response {
        let type =
            name.hasSuffix(".csv")
            ? "text/csv; charset=utf-8"
            : name.hasSuffix(".txt") ? "text/plain; charset=utf-8" : "application/octet-stream"
        var response = json(body, type: type)
        response.headers[.contentDisposition] = ContentDisposition.attachment(name)
        return response
    }

    static func text(_ text: String, status: Int = 200) -> Response {
        Response(
            status: .init(code: status),
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    static func seeOther(_ path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path, .cacheControl: "no-store"])
    }
}
