import Foundation

/// A file with a secret of this server.
enum SecretFile {
    /// Reads the file. A missing file is created with `fresh()`, readable by its owner only.
    static func read(_ file: URL, making fresh: () -> Data) throws -> Data {
        if !FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            // A rename makes the file complete or absent, and fails if another process has created it meanwhile.
            let draft = file.appendingPathExtension("new")
            try fresh().write(to: draft)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: draft.path)
            try FileManager.default.moveItem(at: draft, to: file)
        }
        return try Data(contentsOf: file)
    }
}
