/// The limits for clients: waiting times, connections and body sizes. `docs/operations.md` lists the values.
public struct ServerLimits: Sendable {
    // MARK: Time

    /// The time in which a new connection must send the whole head of its first request.
    public var head = Duration.seconds(15)
    /// The time in which a client must send the next `leastBytes` of a body, or its end, while the server is ready
    /// to read.
    public var body = Duration.seconds(20)
    /// The time in which a client must send the head of its next request after a response.
    public var keepAlive = Duration.seconds(75)
    /// The time in which a client must read some of a response that waits for it.
    public var answer = Duration.seconds(60)
    /// The time in which a client must send the rest of a body after an early response. Many clients read the
    /// response only after they have sent the body.
    public var rest = Duration.seconds(30)
    /// The time in which a client must send the next `leastBytes` of a body after an early response.
    public var restProgress = Duration.seconds(5)
    /// The time that clients have to end their requests when the server is asked to stop; then their connections
    /// are closed.
    public var stop = Duration.seconds(15)
    /// The number of bytes of a body per interval below which a client counts as silent.
    public var leastBytes = 1024

    // MARK: Connections

    /// The largest head of a request in bytes: its address and header fields.
    public var headBytes = 32 << 10

    /// The largest number of connections of all clients together.
    public var connections = 16_384
    /// The largest number of connections of one client network. Not applied behind a trusted proxy, because all
    /// connections then come from the proxy.
    public var connectionsPerNetwork = 2048

    // MARK: Bodies

    /// The number of bytes of a body that are held in memory; beyond them its files go to disk.
    public var bodyInMemory = 1 << 20
    /// The largest body in bytes that does not count against the limits of memory and disk.
    public var uncountedBody = 16 << 10
    /// The largest number of bytes of all request bodies that are in memory at the same time.
    public var memory = 64 << 20
    /// The largest number of bytes of one client network's request bodies that are in memory at the same time.
    public var memoryPerNetwork = 16 << 20
    /// The largest number of bytes of all request bodies that are on disk at the same time.
    public var disk = 2 << 30
    /// The largest number of bytes of one client network's request bodies that are on disk at the same time.
    public var diskPerNetwork = 512 << 20

    /// Creates the standard limits for clients.
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
