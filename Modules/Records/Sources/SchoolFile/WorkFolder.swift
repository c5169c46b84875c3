import Domain
public import Foundation

/// A folder in which files are made before anybody may have them. Only the server's own account may look in.
public struct WorkFolder: Sendable {
    public let url: URL

    public init(_ url: URL) { self.url = url }

    /// Where finished files wait for their download.
    func prepared(_ id: UUID) -> URL { url.appending(path: "prepared").appending(path: id.text) }

    private var works: URL { url.appending(path: "work") }

    /// The file beside a folder of work that is locked for as long as the work goes on, by whichever process does it.
    private func lock(of name: String) -> URL { works.appending(path: "\(name).lock") }

    /// Gives `work` a folder of its own, which is gone afterwards whatever happens.
    func with<Value>(_ work: (URL) async throws -> Value) async throws -> Value {
        let name = UUID().text
        let own = works.appending(path: name)
        try make(works)
        let descriptor = open(lock(of: name).path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else { throw KeepingRefusal.noSpace }
        // Closing gives the lock back.
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

    func make(_ folder: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw KeepingRefusal.noSpace
        }
    }

    func remove(_ file: URL) throws {
        do {
            try FileManager.default.removeItem(at: file)
        } catch CocoaError.fileNoSuchFile {
            // Somebody was faster.
        }
    }

    /// Removes the folders of work that a crash left: those that nobody holds the lock of.
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

    /// Removes the prepared files but these, and what earlier versions left unfinished among them.
    func removePrepared(except known: Set<UUID>) throws {
        let folder = url.appending(path: "prepared")
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where UUID(text: name).map({ !known.contains($0) }) ?? true {
            try remove(folder.appending(path: name))
        }
    }
}
