/// How a database file is opened. The defaults are those of a server with many schools.
public struct SQLiteConfiguration: Sendable {
    /// Connections that may read at the same time; each is opened when it is first wanted.
    public var readers = 3
    /// How long to wait for another process that holds the file.
    public var busyTimeout: Duration = .seconds(5)
    /// Most memory that one connection keeps pages in.
    public var cacheKilobytes = 512
    /// Largest size of the file in pages of 4 KB; beyond it a write is refused as on a full disk.
    public var maximumPages: Int?
    /// Sleeps before every commit, as a slow disk would. For benchmarks and tests.
    public var commitDelay: Duration?

    public init() {}
}
