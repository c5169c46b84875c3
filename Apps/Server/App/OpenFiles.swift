#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The operating system's limit on the open files and sockets of this process. Each open page needs one, and each open
/// school several.
public enum OpenFiles {
    /// The limit that suffices for a thousand open schools with their pages.
    private static let enough: rlim_t = 65_536

    /// Raises this process's limit on open files as far as the machine allows, at most to `enough`: shells often start
    /// with 1,024.
    /// - Returns: the new limit; `nil` if it cannot be read, which leaves it unchanged.
    @discardableResult
    public static func allow() -> Int? {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        var wanted = limit
        wanted.rlim_cur = max(limit.rlim_cur, min(enough, limit.rlim_max))
        return Int(clamping: setrlimit(resource, &wanted) == 0 ? wanted.rlim_cur : limit.rlim_cur)
    }
}
