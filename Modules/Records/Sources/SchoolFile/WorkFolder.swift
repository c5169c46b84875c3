import Domain
public import Foundation

/// A folder for unfinished and prepared files, readable by the server's account only.
public struct WorkFolder: Sendable {
    /// The location of the work folder on disk.
    public let url: URL

    /// Uses the folder at `url`, which is created when it is needed.
    public init(_ url: URL) { self.url = url }

    /// The place of a finished file until its download.
    func prepared(_ id: UUID) -> URL { url.appending(path: "prepared").appending(path: id.text) }

    private var works: URL { url.appending(path: "work") }

    /// The lock file of a work folder, which is locked while any process works in it.
    private func lock(of name: String) -> URL { works.appending(path: "\(name).lock") }

    /// Runs `work` with a new folder that is removed afterwards.
    func with<Value>(_ work: (URL) async throws -> Value) async throws -> Value {
        let name = UUID().text
        let own = works.appending(path: name)
        try make(works)
        let descriptor = open(lock(of: name).path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else { throw BackupRefusal.noSpace }
        // Closing the descriptor releases the lock.
        defer {
            unlink(lock(of: name).path)
            close(descriptor)
        }
        try make(own)
        let value: Value
        do {
            value = try await work(own)
        } catch {
            try remove(own)
            throw error
        }
        try remove(own)
        return value
    }

    /// Creates a folder and its parents for the server's account only.
    func make(_ folder: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BackupRefusal.noSpace
        }
    }

    /// Removes a file or folder, if it exists.
    func remove(_ file: URL) throws {
        do {
            try FileManager.default.removeItem(at: file)
        } catch CocoaError.fileNoSuchFile {
            // Another process has removed it.
        }
    }

    /// Removes work folders that a crash left, which are those without a lock.
    func removeAbandoned() throws {
        guard FileManager.default.fileExists(atPath: works.path) else { return }
        for name in try FileManager.default.contentsOfDirectory(atPath: works.path) where UUID(text: name) != nil {
            let descriptor = open(lock(of: name).path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
            try remove(works.appending(path: name))
            unlink(lock(of: name).path)
        }
    }

    /// Removes all prepared files except `known`, and drafts of earlier versions.
    func removePrepared(except known: Set<UUID>) throws {
        let folder = url.appending(path: "prepared")
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where UUID(text: name).map({ !known.contains($0) }) ?? true {
            try remove(folder.appending(path: name))
        }
    }
}
