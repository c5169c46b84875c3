import FeatureKit
import HTTPTypes
import Hummingbird
import NIOCore
import WebHTML

/// Serves the files that pages load. All are known at start and compressed once.
struct AssetRoutes: Sendable {
    private struct Packed: Sendable {
        let file: Assets.File
        let gzip: [UInt8]?
    }
    private let files: [Packed]

    init(assets: Assets) {
        files = assets.files.map { file in
            let isPicture = file.contentType == "image/png"
            return Packed(file: file, gzip: isPicture ? nil : Gzip.compress(file.bytes, level: 9))
        }
    }

    func add(to router: Router<WebContext>) {
        for packed in files {
            router.get(RouterPath(packed.file.path)) { request, _ in answer(packed, request) }
        }
    }

    private func answer(_ packed: Packed, _ request: Request) -> Response {
        let file = packed.file
        var headers: HTTPFields = [
            .contentType: file.contentType, .eTag: file.etag, .vary: "Accept-Encoding",
            .cacheControl: file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
        ]
        if request.headers[.ifNoneMatch] == file.etag { return Response(status: .notModified, headers: headers) }
        if let gzip = packed.gzip, request.headers[.acceptEncoding]?.contains("gzip") ?? false {
            headers[.contentEncoding] = "gzip"
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: gzip)))
        }
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }
}
