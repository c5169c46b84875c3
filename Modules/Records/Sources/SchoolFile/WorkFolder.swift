import Domain
public import Foundation

/// A folder in which files are made before anybody may have them. Only the server's own account may look in.
public struct WorkFolder: Sendable {
    public let url: URL

    public init(_ url: URL) { self.url = url }

    /// Where finished files wait for their download.
    func prepared(_ id: UUID) -> URL { url.appending(path: "prepared").appending(path: id.text) }

    /// Gives `work` a folder of its own, which is gone afterwards whatever happens.
    func with<Value>(_ work: (URL) async throws -> Value) async throws -> Value {
        let own = url.appending(path: "work").appending(path: UUID().text)
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

    /// Removes what a crash left, once it is older than any work takes.
    func removeOld(before limit: Date) throws {
        let folder = url.appending(path: "work")
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let file = folder.appending(path: name)
            let made = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
            if let made, made < limit { try remove(file) }
        }
    }
}
