import Domain
import Foundation

/// Sends a large file of a form before it, in parts, so that an upload that was cut goes on where it was (decision 48, tus 1.0.0).
///
/// The file is read part by part. The server counts the bytes that have arrived, so that an upload goes on after the app was
/// ended as well.
struct PartUpload: Sendable {
    /// Smaller files go with their form.
    static let least = 1 << 20
    /// The bytes of one request.
    static let part = 1 << 20

    let api: any APIManager
    let account: UUID
    /// The path of the form's uploads, such as `/api/v1/assignments/{id}/uploads`.
    let path: String
    /// The id of the upload, which stays the same when it goes on.
    let id: UUID
    let name: String
    let content: URL

    private static let headers = ["Tus-Resumable": "1.0.0"]
    private static let offset = "Upload-Offset"

    private struct Start: Encodable {
        let uploadId: String
        let name: String
        let size: Int
    }

    /// Sends what is missing. Throws `APIError`, or the error of the file.
    func run() async throws {
        let size = try WaitingFiles.size(of: content)
        // Beginning twice with the same id is beginning once.
        _ = try await api.send(
            APIRequest(
                .post, path, body: try APIJSON.encode(Start(uploadId: id.text, name: name, size: size)),
                account: account))
        let input = try FileHandle(forReadingFrom: content)
        defer {
            // A file that was only read has nothing to lose.
            try? input.close()
        }
        var done = try await arrived()
        while done < size {
            try Task.checkCancellation()
            try input.seek(toOffset: UInt64(done))
            guard let bytes = try input.read(upToCount: Self.part), !bytes.isEmpty else {
                throw CocoaError(.fileReadCorruptFile)
            }
            do {
                done = try offset(of: try await api.answer(request(.patch, bytes, at: done)))
            } catch APIError.refused(let refusal) where refusal.status == 409 {
                // Another number of bytes has arrived, such as from a request whose answer was lost.
                let now = try await arrived()
                guard now != done else { throw APIError.malformed("an upload that takes no more bytes") }
                done = now
            }
        }
    }

    /// The number of bytes that have arrived at the server.
    private func arrived() async throws -> Int { try offset(of: try await api.answer(request(.head))) }

    private func offset(of answer: APIAnswer) throws -> Int {
        guard let offset = answer.headers[Self.offset.lowercased()].flatMap({ Int($0) }), offset >= 0 else {
            throw APIError.malformed("an upload without its offset")
        }
        return offset
    }

    private func request(_ method: APIRequest.Method, _ bytes: Data? = nil, at offset: Int? = nil) -> APIRequest {
        var request = APIRequest(method, "\(path)/\(id.text)", body: bytes, account: account)
        request.headers = Self.headers
        request.accept = "application/json"
        if let offset {
            request.headers[Self.offset] = String(offset)
            request.contentType = "application/offset+octet-stream"
        }
        return request
    }
}
