import Domain
public import Foundation

/// The place on the device where the stores keep their data: one file per account.
public struct ClientStorage: Sendable {
    /// The folder of the files; `nil` keeps everything in memory.
    let folder: URL?

    /// - Parameter folder: A folder of the app alone, which is created if it is missing.
    public init(folder: URL) { self.folder = folder }

    private init() { folder = nil }

    /// The storage of tests and previews, which ends with the stores.
    public static var memory: ClientStorage { ClientStorage() }

    /// The file of an account.
    func file(of account: UUID) -> URL? { folder?.appending(path: "\(account.text).sqlite") }

    /// The copies of an account's files that wait. Without a folder they are in one for temporary files.
    func waitingFiles(of account: UUID) -> WaitingFiles {
        let home = folder ?? FileManager.default.temporaryDirectory.appending(path: "client")
        return WaitingFiles(folder: home.appending(path: "\(account.text).files"))
    }

    /// The file of this device as a gate of a residence.
    func gateFile(in pgId: UUID) -> URL? { folder?.appending(path: "gate-\(pgId.text).sqlite") }

    /// Deletes an account's file with the files that SQLite keeps beside it, and the copies of files that wait.
    func erase(_ account: UUID) throws {
        try waitingFiles(of: account).removeAll(except: [])
        guard let file = file(of: account) else { return }
        for path in [file.path, file.path + "-wal", file.path + "-shm"]
        where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// Returns the random id of this installation, which accompanies its passages (PG-2.19).
    func installationId() throws -> String {
        guard let folder else { return UUID().text }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let file = folder.appending(path: "installation")
        if FileManager.default.fileExists(atPath: file.path) {
            let text = try String(contentsOf: file, encoding: .utf8)
            if UUID(text: text) != nil { return text }
        }
        let id = UUID().text
        try Data(id.utf8).write(to: file, options: .atomic)
        return id
    }
}
