import Domain
import FeatureKit
public import Foundation
import GRDB

/// The places of a server's databases and files within its data folder.
public enum Persistence {
    /// Returns the file of the server's directory database, the database of accounts, memberships and sessions.
    public static func directoryFile(in folder: URL) -> URL { folder.appending(path: "directory.sqlite") }
    /// Returns the folder with one database file per school.
    public static func schoolsFolder(in folder: URL) -> URL { folder.appending(path: "schools") }

    /// Returns the folder with the files that schools uploaded.
    public static func blobsFolder(in folder: URL) -> URL { folder.appending(path: "blobs") }

    /// Returns the folder of files that are being sent in parts.
    public static func partialFolder(in folder: URL) -> URL { folder.appending(path: "partial") }

    /// Returns the folder of pictures of documents' pages. It can be deleted; the pictures are made again.
    public static func pagesFolder(in folder: URL) -> URL { folder.appending(path: "pages") }

    /// Returns the folder of search indexes. It can be deleted; the indexes are rebuilt.
    public static func searchFolder(in folder: URL) -> URL { folder.appending(path: "search") }

    /// Deletes all databases of a data folder, for development.
    ///
    /// Only PinkTower's databases, the schools' files and the search indexes are deleted. Throws `DatabaseFault.busy`
    /// if a database is in use, and `DatabaseFault.other` if the folder has no directory database, because it is then
    /// not a data folder.
    public static func reset(_ folder: URL) throws {
        let directory = directoryFile(in: folder)
        guard FileManager.default.fileExists(atPath: directory.path) else {
            throw DatabaseFault.other("the folder to reset is not a data folder: it has no directory.sqlite")
        }
        let schools = schoolsFolder(in: folder)
        var files: [URL] = []
        if FileManager.default.fileExists(atPath: schools.path) {
            files = try FileManager.default.contentsOfDirectory(at: schools, includingPropertiesForKeys: nil)
                .filter { file in
                    file.pathExtension == "sqlite"
                        && UUID(text: file.deletingPathExtension().lastPathComponent) != nil
                }
        }
        // The directory is deleted last: while it exists, an interrupted reset can be repeated.
        files.append(directory)
        for file in files { try refuseInUse(file) }
        let folders = [blobsFolder, partialFolder, pagesFolder, searchFolder].map { $0(folder) }
        for made in folders where FileManager.default.fileExists(atPath: made.path) {
            try FileManager.default.removeItem(at: made)
        }
        for file in files {
            for name in [file.path, "\(file.path)-wal", "\(file.path)-shm"]
            where FileManager.default.fileExists(atPath: name) {
                try FileManager.default.removeItem(atPath: name)
            }
        }
    }

    /// Throws `DatabaseFault.busy` if another connection has the file open: only a sole connection can leave WAL mode.
    private static func refuseInUse(_ file: URL) throws {
        do {
            let alone = try DatabaseQueue(path: file.path)
            defer { do { try alone.close() } catch { assertionFailure("\(error)") } }
            try alone.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw DatabaseFault.busy
        } catch {
            throw DatabaseFault.translating(error)
        }
    }
}

/// Operations on directories.
enum Folder {
    /// Makes new names in `folder` survive a power cut (fsync of the directory).
    static func sync(_ folder: URL) throws {
        let descriptor = Foundation.open(folder.path, O_RDONLY)
        guard descriptor >= 0 else {
            throw DatabaseFault.cannotWrite("the data folder cannot be opened (\(errno))")
        }
        defer { Foundation.close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw DatabaseFault.cannotWrite("the data folder cannot be written (\(errno))")
        }
    }
}
