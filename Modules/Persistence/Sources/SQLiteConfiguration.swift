/// The settings of a database file. The defaults suit a server with many schools.
public struct SQLiteConfiguration: Sendable {
    /// The number of connections that can read at the same time. Each is opened on first use.
    public var readers = 3
    /// The time that a write waits for another process that locks the file.
    public var busyTimeout: Duration = .seconds(5)
    /// The most memory for cached pages of a connection, in kilobytes.
    public var cacheKilobytes = 512
    /// The largest size of the file in pages of 4 KB. Writes beyond it fail as on a full disk.
    public var maximumPages: Int?
    /// A pause before every commit that imitates a slow disk, for benchmarks and tests.
    public var commitDelay: Duration?

    /// Creates the default settings of a database file.
    public init() {}
}
