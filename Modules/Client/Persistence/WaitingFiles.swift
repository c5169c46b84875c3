import Domain
import Foundation

/// A file of a form that waits for the network, as a copy on the device.
struct WaitingFile: Codable, Sendable, Hashable {
    /// The name of the copy, and the id under which it is sent in parts.
    let id: UUID
    /// The name of the form's field.
    let field: String
    /// The name that the server stores.
    let name: String
    let mediaType: String
    /// The size in bytes.
    let size: Int
}

/// The copies of files of forms that wait, in a folder of the account.
///
/// A copy is made before its command is stored, and deleted after the command left the queue. What a crash in between leaves
/// behind is deleted at the next start.
struct WaitingFiles: Sendable {
    let folder: URL

    func place(of file: WaitingFile) -> URL { folder.appending(path: file.id.text) }

    /// The size of a file in bytes. Throws if it cannot be read.
    static func size(of file: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Copies the files of a form. Copies nothing if one cannot be read, or the device is full.
    func add(_ files: [(field: String, file: FormFile)], newId: () -> UUID) throws -> [WaitingFile] {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var copies: [WaitingFile] = []
        do {
            for (field, file) in files {
                let copy = WaitingFile(
                    id: newId(), field: field, name: file.name, mediaType: file.mediaType,
                    size: try Self.size(of: file.content))
                copies.append(copy)
                try FileManager.default.copyItem(at: file.content, to: place(of: copy))
                // What a person sends is for nobody else on the device.
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: place(of: copy).path)
            }
        } catch {
            remove(copies)
            throw error
        }
        return copies
    }

    func remove(_ files: [WaitingFile]) {
        for file in files {
            // A copy that cannot be deleted now is deleted at the next start.
            try? FileManager.default.removeItem(at: place(of: file))
        }
    }

    /// Deletes all copies but those of some files.
    func removeAll(except files: [WaitingFile]) throws {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        let known = Set(files.map(\.id.text))
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !known.contains(name) {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }
}
