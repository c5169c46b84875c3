import Domain
import FeatureKit
public import Foundation
import GRDB

/// Where the databases of a server stand within its data folder.
public enum Persistence {
    /// Accounts, memberships and sessions.
    public static func directoryFile(in folder: URL) -> URL { folder.appending(path: "directory.sqlite") }
    /// The folder with one file per school.
    public static func schoolsFolder(in folder: URL) -> URL { folder.appending(path: "schools") }

    /// The folder with the files of each school.
    public static func blobsFolder(in folder: URL) -> URL { folder.appending(path: "blobs") }

    /// The folder with each school's search index, which can be thrown away.
    public static func searchFolder(in folder: URL) -> URL { folder.appending(path: "search") }

    /// Takes all databases out of a data folder, so that a developer starts anew.
    ///
    /// Touches nothing but PinkTower's own databases and the schools' files beside them, and none of them while any is in use. Throws
    /// where the folder has no directory database, because it is not a data folder then.
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
        // The directory goes last: while it is there, an interrupted reset can be repeated.
        files.append(directory)
        for file in files { try refuseInUse(file) }
        for made in [blobsFolder(in: folder), searchFolder(in: folder)]
        where FileManager.default.fileExists(atPath: made.path) {
            try FileManager.default.removeItem(at: made)
        }
        for file in files {
            for name in [file.path, "\(file.path)-wal", "\(file.path)-shm"]
            where FileManager.default.fileExists(atPath: name) {
                try FileManager.default.removeItem(atPath: name)
            }
        }
    }

    /// Taking the file out of WAL needs it alone; any other open connection prevents that.
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

/// Directories as the disk keeps them.
enum Folder {
    /// Makes names that were given within `folder` outlast a power cut (fsync of the directory).
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
