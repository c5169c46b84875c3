import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// Bytes of a kind, packed for clients that take gzip. What answers a person is never cached.
    static func content(
        _ bytes: [UInt8], type: String, status: Int = 200, for request: Request
    ) -> Response {
        var response = Response(
            status: .init(code: status),
            headers: [
                .contentType: type, .cacheControl: "no-store", .vary: "Accept-Encoding, Cookie, Accept-Language",
            ])
        // Below this a packed answer is hardly smaller than its headers.
        if bytes.count >= 1400, request.headers[.acceptEncoding]?.contains("gzip") ?? false,
            let packed = Gzip.compress(bytes, level: 4)
        {
            response.headers[.contentEncoding] = "gzip"
            response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: packed))
        } else {
            response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        }
        return response
    }

    static func json(_ body: Data, status: Int = 200, type: String = "application/json") -> Response {
        Response(
            status: .init(code: status), headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    static func seeOther(_ path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path, .cacheControl: "no-store"])
    }
}
