/// The limits for clients: waiting times, connections and body sizes. `docs/operations.md` lists the values.
public struct ServerLimits: Sendable {
    // MARK: Time

    /// The time from the start of a connection to the end of its first request's head.
    public var head = Duration.seconds(15)
    /// The time for the next `leastBytes` of a body, or its end, while the server is ready to read.
    public var body = Duration.seconds(20)
    /// The time from the end of a response to the end of the next request's head.
    public var keepAlive = Duration.seconds(75)
    /// The time for a client to read some of a response that waits for it.
    public var answer = Duration.seconds(60)
    /// The time for the rest of a body after an early response. Many clients read the response only after they have
    /// sent the body.
    public var rest = Duration.seconds(30)
    /// The time for the next `leastBytes` of the rest of such a body.
    public var restProgress = Duration.seconds(5)
    /// The time for clients after the server is asked to stop; then their connections are closed.
    public var stop = Duration.seconds(15)
    /// Bytes per interval below which a client counts as silent.
    public var leastBytes = 1024

    // MARK: Connections

    /// Bytes of a request's head: address and header fields.
    public var headBytes = 32 << 10

    /// The most connections of all clients.
    public var connections = 16_384
    /// The most connections of one client network. Not applied behind a trusted proxy, whose own all connections are.
    public var connectionsPerNetwork = 2048

    // MARK: Bodies

    /// Bytes of a body that are held in memory; beyond them its files go to disk.
    public var bodyInMemory = 1 << 20
    /// Bytes up to which a body is not counted.
    public var uncountedBody = 16 << 10
    /// Bytes of all bodies in memory at once.
    public var memory = 64 << 20
    /// The bytes of request bodies from one client network that are in memory at the same time.
    public var memoryPerNetwork = 16 << 20
    /// Bytes of all bodies on disk at once.
    public var disk = 2 << 30
    /// Bytes of one client network's bodies on disk at once.
    public var diskPerNetwork = 512 << 20

    /// Creates the standard limits.
    public init() {}

    /// Lowers the limits so that a quarter of the file descriptors, at least 32, remains for databases and files.
    /// - Parameter openFiles: the number of descriptors that the process may have.
    public mutating func fit(openFiles: Int) {
        connections = min(connections, max(8, openFiles - max(32, openFiles / 4)))
        connectionsPerNetwork = min(connectionsPerNetwork, max(4, connections / 4))
    }

    /// The interval at which a connection is checked.
    var step: Duration {
        let shortest = [head, body, keepAlive, answer, rest, restProgress, stop].min() ?? head
        return max(.milliseconds(20), shortest / 5)
    }
}
