import FeatureKit
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// New database files. The migrations run once in memory; each file begins with a copy of the result, since hundreds of
/// statements are slower than writing what they make.
enum EmptyDatabase {
    /// The contents of new files, by the identity of their migrations. A server has one; tests have several.
    private static let contents = Mutex<[UInt64: Data]>([:])

    /// Creates a file with mode 0600, in which all migrations are applied. Synced to disk when this returns; an interrupted
    /// call leaves an incomplete file.
    static func make(_ file: URL, _ migrator: Migrator) throws {
        let content = try contents.withLock { $0[migrator.identity] } ?? migrated(migrator)
        contents.withLock { $0[migrator.identity] = content }
        try PrivateFiles.makeFile(file)
        do {
            let handle = try FileHandle(forWritingTo: file)
            try handle.write(contentsOf: content)
            try handle.synchronize()
            try handle.close()
        } catch let error as CocoaError {
            throw DatabaseFault.cannotWrite("a new database could not be written (\(error.code.rawValue))")
        }
    }

    private static func migrated(_ migrator: Migrator) throws -> Data {
        do {
            let database = try DatabaseQueue()
            defer { do { try database.close() } catch { assertionFailure("\(error)") } }
            return try database.writeWithoutTransaction { database in
                try migrator.migrate(database)
                var size: Int64 = 0
                guard let bytes = sqlite3_serialize(database.sqliteConnection, "main", &size, 0) else {
                    throw DatabaseFault.other("the content of a new database could not be read")
                }
                defer { sqlite3_free(bytes) }
                return Data(bytes: bytes, count: Int(size))
            }
        } catch {
            throw DatabaseFault.translating(error)
        }
    }
}
