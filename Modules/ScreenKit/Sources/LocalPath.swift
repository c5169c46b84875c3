/// Checks paths that a request names as the next page.
public enum LocalPath {
    /// Returns the path if it stays on this site, else `nil`.
    ///
    /// Refused are schemes, hosts (`//`), control characters, and backslashes, which browsers read as slashes.
    public static func checked(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/"), !path.hasPrefix("//"), path.utf8.count <= 2000,
            path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        return path
    }
}
