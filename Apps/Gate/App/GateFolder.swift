public import Client
import Domain
public import Foundation

/// The data folder of a gate: the address of its server, its session, and its lists with the passages.
public struct GateFolder: Sendable {
    public let url: URL

    /// Creates the folder if it is missing, readable by this user only.
    public init(_ url: URL) throws {
        self.url = url
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// The session of the gate.
    public var session: SessionFile { SessionFile(url.appending(path: "session")) }
    /// The lists and passages of the gate.
    public var storage: ClientStorage { ClientStorage(folder: url) }

    private var serverFile: URL { url.appending(path: "server") }

    /// Returns the address of the server with which the gate was paired; `nil` before.
    public func server() throws -> URL? {
        guard FileManager.default.fileExists(atPath: serverFile.path) else { return nil }
        return try Self.address(String(contentsOf: serverFile, encoding: .utf8))
    }

    func save(server: URL) throws {
        try Data(server.absoluteString.utf8).write(to: serverFile, options: .atomic)
    }

    /// Returns the address in a text, such as `school.example` or the link of a pairing code; `nil` for none.
    public static func address(_ text: String) -> URL? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let parts = URLComponents(string: text.contains("://") ? text : "https://\(text)"),
            parts.scheme == "https" || parts.scheme == "http", let host = parts.host, !host.isEmpty
        else { return nil }
        var address = URLComponents()
        (address.scheme, address.host, address.port) = (parts.scheme, host, parts.port)
        return address.url
    }

    /// Locks the folder for this process; `nil` if another one uses it.
    func lock() throws -> FolderLock? { try FolderLock(url.appending(path: "lock")) }
}

/// A lock on a folder. It ends with the process at the latest.
final class FolderLock {
    private let descriptor: Int32

    /// Returns `nil` if another process has the lock.
    init?(_ file: URL) throws {
        descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }
}
