public import Foundation

/// A file on the device that a form sends.
public struct FormFile: Sendable, Hashable {
    /// The name that the server stores.
    public let name: String
    /// The media type, such as `image/jpeg`.
    public let mediaType: String
    /// The place of the content on the device.
    public let content: URL

    public init(name: String, mediaType: String, content: URL) {
        self.name = name
        self.mediaType = mediaType
        self.content = content
    }
}

/// The body of a form with files (RFC 7578), written to a file, so that no more than a part of it is in memory.
struct MultipartBody {
    let file: URL
    let contentType: String

    /// The bytes that are copied at once.
    private static let part = 256 * 1024

    /// Writes the body to the folder for temporary files. Throws if a file cannot be read or the device is full.
    init(_ pairs: [(name: String, value: String)], _ files: [(name: String, file: FormFile)]) throws {
        let boundary = "pinktower-\(UUID().uuidString)"
        contentType = "multipart/form-data; boundary=\(boundary)"
        file = FileManager.default.temporaryDirectory.appending(path: "form-\(UUID().uuidString)")
        // What a person sends is for nobody else on the device.
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        do {
            let output = try FileHandle(forWritingTo: file)
            defer {
                // NB: the error of closing a file that was written is the write's own.
                try? output.close()
            }
            func write(_ text: String) throws { try output.write(contentsOf: Data(text.utf8)) }
            for (name, value) in pairs {
                try write("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(name))\"\r\n\r\n")
                try write("\(value)\r\n")
            }
            for (name, sent) in files {
                try write(
                    "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(name))\"; "
                        + "filename=\"\(Self.escaped(sent.name))\"\r\nContent-Type: \(sent.mediaType)\r\n\r\n")
                try Self.copy(sent.content, to: output)
                try write("\r\n")
            }
            try write("--\(boundary)--\r\n")
        } catch {
            remove()
            throw error
        }
    }

    /// Deletes the file.
    func remove() {
        // The system empties the folder for temporary files in any case.
        try? FileManager.default.removeItem(at: file)
    }

    private static func copy(_ content: URL, to output: FileHandle) throws {
        let input = try FileHandle(forReadingFrom: content)
        defer {
            // A file that was only read has nothing to lose.
            try? input.close()
        }
        while let bytes = try input.read(upToCount: part), !bytes.isEmpty { try output.write(contentsOf: bytes) }
    }

    /// Percent-encodes what would end a name in a header, as browsers do (WHATWG HTML section 4.10.21.8).
    private static func escaped(_ text: String) -> String {
        text.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }
}
