import Foundation

/// A file with a secret of this server.
enum SecretFile {
    /// Reads the file. A missing file is created with `fresh()`.
    ///
    /// The file is readable by its owner alone from its first byte on. Two processes that start at once get the
    /// same secret: that of the first.
    static func read(_ file: URL, making fresh: () -> Data) throws -> Data {
        if !FileManager.default.fileExists(atPath: file.path) { try create(file, fresh()) }
        return try Data(contentsOf: file)
    }

    private static func create(_ file: URL, _ secret: Data) throws {
        let files = FileManager.default
        let folder = file.deletingLastPathComponent()
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let draft = folder.appending(path: ".\(file.lastPathComponent).\(UUID().uuidString)")
        let descriptor = open(draft.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: draft.path])
        }
        // A draft that stays is private too, and nobody reads it.
        defer { try? files.removeItem(at: draft) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: secret)
        try handle.synchronize()
        try handle.close()
        do {
            // A link makes the file complete or absent, and never replaces one that another process has made.
            try files.linkItem(at: draft, to: file)
        } catch  where files.fileExists(atPath: file.path) {}
    }
}
