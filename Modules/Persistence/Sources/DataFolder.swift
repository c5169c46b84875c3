import FeatureKit
public import Foundation
import Synchronization

/// The lock on a server's data folder, held by one serving process at a time.
public final class DataFolder: Sendable {
    /// The reason why a folder cannot be this server's data folder, as a sentence for the server's operator.
    public struct Refusal: Error, CustomStringConvertible {
        public let description: String
    }

    private static let lockName = "serving.lock"
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Creates the folder if it is missing and removes other accounts' access to it and its content.
    ///
    /// The folder of school files is skipped: `FolderBlobs` has always created it private. Throws `Refusal` if the path
    /// is not a folder or cannot be written.
    public static func prepare(_ folder: URL) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), !isFolder.boolValue {
            throw Refusal(
                description: "The data folder \(folder.path) is not a folder. Name another one with --data.")
        }
        do {
            try PrivateFiles.makeFolder(folder)
            try PrivateFiles.close(
                folder, but: [Persistence.blobsFolder(in: folder).lastPathComponent])
        } catch {
            throw Refusal(
                description: """
                    The data folder \(folder.path) cannot be used: this account cannot make or write it. Name another \
                    one with --data, or change its owner.
                    """)
        }
    }

    /// Locks the data folder for this process. Throws `Refusal` if another process has locked it.
    ///
    /// The lock lasts as long as the returned object. The operating system releases it when the process ends, also
    /// after a crash.
    public static func lock(_ folder: URL) throws -> DataFolder {
        let file = folder.appending(path: lockName)
        let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Refusal(description: "The data folder \(folder.path) cannot be written (\(errno)).")
        }
        let locked = DataFolder(descriptor: descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw Refusal(
                description: "Another PinkTower serves the data folder \(folder.path) already. Stop it first.")
        }
        return locked
    }
}

/// Checks whether a folder can be written by writing a page of 4 KB to it.
public final class WriteProbe: Sendable {
    private struct State {
        var last: ContinuousClock.Instant?
        var fault: DatabaseFault?
    }
    private let file: URL
    private let pause: Duration
    private let state = Mutex(State())

    /// Creates a probe of a folder, which is not written to before the first check.
    /// - Parameter pause: How long a result is reused, so that frequent checks cost no disk writes.
    public init(_ folder: URL, pause: Duration = .seconds(3)) {
        file = folder.appending(path: "probe")
        self.pause = pause
    }

    /// Throws `DatabaseFault.cannotWrite` if the disk is full or the folder cannot be written.
    public func check() async throws {
        let now = ContinuousClock.now
        let known = state.withLock { state -> DatabaseFault?? in
            guard let last = state.last, last.duration(to: now) < pause else { return nil }
            return .some(state.fault)
        }
        let fault: DatabaseFault?
        if let known {
            fault = known
        } else {
            let file = file
            fault = try await Blocking.run { Self.write(file) }
            state.withLock { $0 = State(last: now, fault: fault) }
        }
        if let fault { throw fault }
    }

    /// Writes one page to the disk and deletes it.
    private static func write(_ file: URL) -> DatabaseFault? {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return .cannotWrite("the data folder cannot be written (\(errno))") }
        defer {
            close(descriptor)
            unlink(file.path)
        }
        let page = [UInt8](repeating: 0, count: 4096)
        guard Foundation.write(descriptor, page, page.count) == page.count, fsync(descriptor) == 0 else {
            return .cannotWrite("the data folder cannot be written (\(errno))")
        }
        return nil
    }
}
