import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel

/// Stores the files of messages in the school's files.
///
/// Pictures are encoded again from their pixels, so that they contain no location. Other files are stored unchanged and
/// only offered as downloads.
struct MessageFileIntake: Sendable {
    let images: any ImageShrinking

    static let bodyLimit = 2 * ImageLimits.bytes
    /// The longer sides of a picture and of its thumbnail, in pixels.
    static let sides = [1600, 320]
    /// The longest file name, in characters.
    static let nameLength = 120

    /// Stores files. Throws a fault of the field for a file that is too large or a picture that cannot be read.
    func put(_ files: [UploadedFile], field: String, _ context: RequestContext) async throws -> [MessageFile] {
        var stored: [MessageFile] = []
        for file in files { try await stored.append(put(file, field, context)) }
        return stored
    }

    private func put(_ file: UploadedFile, _ field: String, _ context: RequestContext) async throws -> MessageFile {
        let name = Self.name(file.name)
        guard let type = MediaType(try file.content.head(MediaType.headBytes)), [.jpeg, .png, .webP].contains(type)
        else {
            guard file.size <= ImageLimits.bytes else {
                throw Problem.invalid(
                    field, "message.fileTooLarge", [.text(name), .number(ImageLimits.bytes >> 20)])
            }
            return try await MessageFile(
                name: name, size: file.size, hash: context.files.put(file.content), picture: nil)
        }
        let made: [ShrunkImage]
        do throws(ImageFault) {
            made = try await images.shrink(file.content, to: Self.sides)
        } catch {
            throw Problem.invalid(field, "message.picture", [.text(name)])
        }
        let (picture, small) = (made[0], made[1])
        return try await MessageFile(
            name: name, size: picture.bytes.count, hash: context.files.put(picture.bytes),
            picture: .init(
                thumbnail: context.files.put(small.bytes), width: picture.width, height: picture.height))
    }

    /// A file name without folders and invisible characters.
    static func name(_ given: String) -> String {
        let last = given.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let name = MessageText.cleaned(last).split(whereSeparator: \.isNewline).joined(separator: " ")
        return MessageText.isBlank(name) ? "file" : String(name.suffix(nameLength))
    }
}

/// Reads and writes the files of messages.
enum MessageFileRepository {
    static func insert(_ files: [MessageFile], of messageId: UUID, in sql: any SQLWriting) throws {
        for (position, file) in files.enumerated() {
            try sql.execute(
                """
                INSERT INTO message_files (message_id, position, name, size, sha256, thumbnail_sha256, width, height)
                VALUES (\(messageId), \(position), \(file.name), \(file.size), \(file.hash),
                    \(file.picture?.thumbnail), \(file.picture?.width), \(file.picture?.height))
                """)
        }
    }

    /// The files of some messages, in their order.
    static func files(of messageIds: [UUID], in sql: any SQLReading) throws -> [UUID: [MessageFile]] {
        guard !messageIds.isEmpty else { return [:] }
        return try sql.rows(
            "SELECT * FROM message_files WHERE message_id IN \(list: messageIds) ORDER BY message_id, position"
        ).reduce(into: [:]) { files, row in
            let thumbnail: BlobHash? = try row.optional("thumbnail_sha256")
            let picture = try thumbnail.map {
                try MessageFile.Picture(thumbnail: $0, width: row.get("width"), height: row.get("height"))
            }
            try files[row.get("message_id"), default: []].append(
                MessageFile(
                    name: row.get("name"), size: row.get("size"), hash: row.get("sha256"), picture: picture))
        }
    }
}

/// The download of a message's file. Access is checked on each request.
struct MessageFileDownload: Sendable {
    let service: ConversationService

    static func path(_ hash: BlobHash, of messageId: UUID) -> String {
        "\(MessagesScreens.path)/files/\(messageId.text)/\(hash)"
    }

    var route: DownloadRoute {
        DownloadRoute(
            "\(MessagesScreens.path)/files/{messageId}/{hash}", access: .member(.exchangeMessages)
        ) { parameters, context in
            guard let messageId = parameters["messageId"].flatMap(UUID.init(text:)),
                let hash = parameters["hash"].flatMap(BlobHash.init(_:))
            else { throw Problem.notFound }
            let membership = try context.membership
            let files = try await context.school.read { sql in
                let access = try service.access(of: membership, in: sql)
                _ = try service.message(messageId, access, in: sql)
                return try MessageFileRepository.files(of: [messageId], in: sql)[messageId] ?? []
            }
            guard let file = files.first(where: { $0.hash == hash || $0.picture?.thumbnail == hash }) else {
                throw Problem.notFound
            }
            if file.picture != nil { return try await DownloadedFile(hash, .jpeg, of: context.files) }
            guard let url = try await context.files.file(hash) else { throw Problem.notFound }
            return DownloadedFile(
                .file(url), name: file.name, contentType: "application/octet-stream")
        }
    }
}
