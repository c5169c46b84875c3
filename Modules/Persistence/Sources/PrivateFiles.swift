import FeatureKit
public import Foundation

/// Files and folders that only the server's own account can read, regardless of the process's umask.
public enum PrivateFiles {
    private static let fileMode: mode_t = 0o600
    private static let folderMode: mode_t = 0o700

    /// Creates a folder and its missing parents, with mode 0700. An existing folder gets the mode too.
    public static func makeFolder(_ folder: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: Int(folderMode)])
        } catch let error as CocoaError {
            throw DatabaseFault.cannotWrite("a folder could not be made (\(error.code.rawValue))")
        }
        try setMode(folderMode, folder.path)
    }

    /// Creates an empty file with mode 0600 if there is none. SQLite copies a database's permissions to the files that
    /// it creates beside it.
    static func makeFile(_ file: URL) throws {
        // O_EXCL: opening and closing an existing file would drop the locks that SQLite holds on it in this process.
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, fileMode)
        guard descriptor >= 0 else {
            if errno == EEXIST { return }
            throw DatabaseFault.cannotWrite("a file could not be made (\(errno))")
        }
        Foundation.close(descriptor)
    }

    /// Creates a database file with mode 0600, or sets that mode on an existing one and the files beside it.
    static func makeDatabase(_ file: URL) throws {
        try makeFile(file)
        for end in ["", "-wal", "-shm"] { try setMode(fileMode, file.path + end) }
    }

    /// Removes other accounts' access to a folder and everything in it. Skips symbolic links and files of another
    /// owner.
    ///
    /// - Parameter untouched: Names within the folder whose content is private already.
    public static func close(_ folder: URL, but untouched: Set<String> = []) throws {
        try setMode(folderMode, folder.path)
        for name in try names(in: folder) {
            let inner = folder.appending(path: name)
            var state = stat()
            guard lstat(inner.path, &state) == 0 else { continue }
            switch state.st_mode & S_IFMT {
            case S_IFDIR where untouched.contains(name): try setMode(folderMode, inner.path)
            case S_IFDIR: try close(inner)
            case S_IFREG: try setMode(fileMode, inner.path)
            default: continue
            }
        }
    }

    /// The names in a folder; empty if another process has just removed it.
    private static func names(in folder: URL) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return []
        }
    }

    /// Sets the permissions if they differ. A missing file is ignored: SQLite removes its own files.
    private static func setMode(_ mode: mode_t, _ path: String) throws {
        var state = stat()
        guard lstat(path, &state) == 0 else {
            if errno == ENOENT { return }
            throw DatabaseFault.cannotWrite("the permissions of a file cannot be read (\(errno))")
        }
        guard state.st_mode & 0o777 != mode, state.st_mode & S_IFMT != S_IFLNK else { return }
        guard chmod(path, mode) == 0 || errno == ENOENT || errno == EPERM else {
            throw DatabaseFault.cannotWrite("the permissions of a file cannot be set (\(errno))")
        }
    }
}
