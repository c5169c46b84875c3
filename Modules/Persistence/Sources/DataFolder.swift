import FeatureKit
public import Foundation
import Synchronization

/// The data folder of a server.
public final class DataFolder: Sendable {
    /// Why a folder cannot be the data folder of this server, as a sentence for the person who starts it.
    public struct Refusal: Error, CustomStringConvertible {
        public let description: String
    }

    private static let lockName = "serving.lock"
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Makes the folder where it is missing, and closes it and all that is in it to other accounts. The schools' own
    /// files were never open to them (`FolderBlobs`).
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

    /// Takes the folder for one serving process, until the answer is let go of; the system gives it back when the
    /// process ends, also by a crash. Throws `Refusal` where another process serves it.
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

/// Finds out whether a folder can be written, by writing.
public final class WriteProbe: Sendable {
    private struct State {
        var last: ContinuousClock.Instant?
        var fault: DatabaseFault?
    }
    private let file: URL
    private let pause: Duration
    private let state = Mutex(State())

    /// - Parameter pause: a result is good for as long, so that asking often costs the disk nothing.
    public init(_ folder: URL, pause: Duration = .seconds(3)) {
        file = folder.appending(path: "probe")
        self.pause = pause
    }

    /// Throws `DatabaseFault.cannotWrite` where the disk is full or cannot be written.
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

    /// Writes a page to the disk and takes it away again.
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
