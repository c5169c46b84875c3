import Domain
import FeatureKit
public import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// The folder that holds the files of large request bodies while their requests run.
public struct UploadFolder: Sendable {
    let url: URL

    public init(_ url: URL) { self.url = url }

    /// Removes files that a killed server left behind. Only the one server of a data folder may call this, before it
    /// serves. Throws when the folder cannot be changed.
    public func sweep() throws {
        do {
            try FileManager.default.removeItem(at: url)
        } catch CocoaError.fileNoSuchFile, CocoaError.fileReadNoSuchFile {
            // There is no folder yet.
        }
    }
}

/// The files of one request, which `remove` deletes.
final class RequestFiles: Sendable {
    private let folder: UploadFolder
    private let urls = Mutex<[URL]>([])

    init(in folder: UploadFolder) { self.folder = folder }

    /// Creates a file that only the server can read. Throws `Problem` 507 when that fails.
    func make() async throws -> UploadWriter {
        let url = folder.url.appending(path: UUID().uuidString)
        urls.withLock { $0.append(url) }
        let folder = folder
        let descriptor = try await onDisk {
            try FileManager.default.createDirectory(
                at: folder.url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
            return descriptor
        }
        return UploadWriter(url, descriptor)
    }

    func remove() {
        // A missing file is no error: its creation may have failed.
        for url in urls.withLock({ $0 }) { unlink(url.path) }
    }
}

/// Writes one file of a body without blocking other requests.
final class UploadWriter: Sendable {
    let url: URL
    private let descriptor: Int32

    fileprivate init(_ url: URL, _ descriptor: Int32) {
        self.url = url
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Appends bytes. Throws `Problem` 507 when the disk is full or not writable.
    func append(_ bytes: [UInt8]) async throws {
        let descriptor = descriptor
        try await onDisk {
            try bytes.withUnsafeBytes { buffer in
                var rest = buffer
                while !rest.isEmpty {
                    let count = write(descriptor, rest.baseAddress, rest.count)
                    if count < 0 && errno == EINTR { continue }
                    guard count > 0 else { throw CocoaError(.fileWriteUnknown) }
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                }
            }
        }
    }
}

/// Runs blocking disk work on NIO's thread pool.
private func onDisk<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    do {
        return try await NIOThreadPool.singleton.runIfActive(work)
    } catch is CocoaError {
        throw Problem(507, "cannotWrite", retryAfter: 30)
    }
}
