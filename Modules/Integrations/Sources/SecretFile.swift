import Foundation

/// A secret of this server in a file of its own.
enum SecretFile {
    /// The file's bytes; made for its owner alone where there is none.
    static func read(_ file: URL, making fresh: () -> Data) throws -> Data {
        if !FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            // Whole or not at all, and never over one that another process made meanwhile.
            let draft = file.appendingPathExtension("new")
            try fresh().write(to: draft)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: draft.path)
            try FileManager.default.moveItem(at: draft, to: file)
        }
        return try Data(contentsOf: file)
    }
}
