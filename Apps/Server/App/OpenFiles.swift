#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The files and sockets that this process may hold open: each open page is one, each open school several.
public enum OpenFiles {
    /// As many as a server for a thousand schools and their pages holds, with room to spare.
    private static let enough: rlim_t = 65_536

    /// Takes what the machine allows, up to enough: shells often begin with 1,024. Answers how many it is now; `nil`
    /// where the machine does not say, which leaves what it was.
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
