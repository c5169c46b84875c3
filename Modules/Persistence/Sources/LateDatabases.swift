public import FeatureKit
public import Foundation
import Synchronization

/// Handles to the databases that feature blocks receive before the files are open.
///
/// The tables of a file are known only after all blocks are built, so the composition root calls `set(_:_:)`
/// afterwards. Any use before that throws.
public final class LateDatabases: Database, SchoolDatabases, SchoolFiles {
    private struct Opened {
        let directory: any Database
        let schools: any SchoolDatabases & SchoolFiles
    }
    private struct NotOpen: Error {}
    private let opened = Mutex<Opened?>(nil)

    /// Creates handles that throw until `set(_:_:)` is called.
    public init() {}

    /// Connects these handles, which features got before the databases were open, to the open databases.
    public func set(_ directory: any Database, _ schools: any SchoolDatabases & SchoolFiles) {
        opened.withLock { $0 = Opened(directory: directory, schools: schools) }
    }

    private var live: Opened {
        get throws {
            guard let live = opened.withLock({ $0 }) else { throw NotOpen() }
            return live
        }
    }

    public func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLReading) throws -> Value) async throws
        -> Value
    {
        try await live.directory.read(work)
    }

    public func readInline<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLReading) throws -> Value
    ) async throws -> Value {
        try await live.directory.readInline(work)
    }

    // conformance: allow write - passes a transaction on to the directory; it begins none itself
    public func write<Value: Sendable>(_ work: @escaping @Sendable (any SQLWriting) throws -> Value) async throws
        -> Value
    {
        try await live.directory.write(work)
    }

    public func stamp() async throws -> DatabaseStamp? { try await live.directory.stamp() }

    public func purge(upTo limit: Int?) async throws -> Bool { try await live.directory.purge(upTo: limit) }

    public func school(_ id: UUID) async throws -> any Database { try await live.schools.school(id) }
    public func create(_ id: UUID) async throws -> any Database { try await live.schools.create(id) }

    public func all() async throws -> [UUID] { try await live.schools.all() }
    public func copy(_ id: UUID, to file: URL) async throws { try await live.schools.copy(id, to: file) }
    public func prepare(
        _ file: URL, isTrusted: Bool, _ change: @escaping @Sendable (any SQLWriting) throws -> Void
    ) async throws {
        try await live.schools.prepare(file, isTrusted: isTrusted, change)
    }
    public func put(_ file: URL, as id: UUID, _ work: @escaping @Sendable () async throws -> Void) async throws {
        try await live.schools.put(file, as: id, work)
    }
    public func remove(_ id: UUID) async throws { try await live.schools.remove(id) }
    public func setWritable(_ isWritable: Bool, _ id: UUID) async throws {
        try await live.schools.setWritable(isWritable, id)
    }
    public func contents(of id: UUID, upTo seq: Int64?) async throws -> SchoolContents {
        try await live.schools.contents(of: id, upTo: seq)
    }
}
