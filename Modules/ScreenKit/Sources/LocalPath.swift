/// Paths of this product that a request may name as its next place.
public enum LocalPath {
    /// `path` if it stays on this site, else `nil`: no scheme, no host (`//`), no control characters, no
    /// backslash, which browsers read as a slash.
    public static func checked(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/"), !path.hasPrefix("//"), path.utf8.count <= 2000,
            path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        return path
    }
}
