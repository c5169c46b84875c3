/// What one client may cost: how long it may keep the server waiting, how many connections it may hold and how much it
/// may send at once. `docs/operations.md` lists the values.
public struct ServerLimits: Sendable {
    // MARK: Time

    /// From the beginning of a connection to the end of its first request's head.
    public var head = Duration.seconds(15)
    /// For the next `leastBytes` of a body, or its end, while the server is ready to read them.
    public var body = Duration.seconds(20)
    /// From one answer to the end of the next request's head.
    public var keepAlive = Duration.seconds(75)
    /// For a client to take anything of an answer that waits for it.
    public var answer = Duration.seconds(60)
    /// For the rest of a body that was answered before it was read: without it many clients would not see the answer.
    public var rest = Duration.seconds(30)
    /// For the next `leastBytes` of such a rest.
    public var restProgress = Duration.seconds(5)
    /// For clients when the server is told to stop; afterwards their connections are closed.
    public var stop = Duration.seconds(15)
    /// Bytes of a body below which a client counts as silent.
    public var leastBytes = 1024

    // MARK: Connections

    /// Bytes of a request's head, its address and all its fields.
    public var headBytes = 32 << 10

    /// Of all clients together.
    public var connections = 16_384
    /// Of one network end. With a trusted proxy all connections are the proxy's, and this limit does not apply.
    public var connectionsPerEnd = 2048

    // MARK: Bodies

    /// Bytes of a body that are in memory; beyond them its files are on disk.
    public var bodyInMemory = 1 << 20
    /// Bodies up to this size, in bytes, are not counted.
    public var uncountedBody = 16 << 10
    /// Bytes of bodies that are in memory at once.
    public var memory = 64 << 20
    public var memoryPerEnd = 16 << 20
    /// Bytes of bodies that are on disk at once.
    public var disk = 2 << 30
    public var diskPerEnd = 512 << 20

    public init() {}

    /// Leaves a quarter of the descriptors, and at least 32, to databases and files.
    /// - Parameter openFiles: as many descriptors as the process may have.
    public mutating func fit(openFiles: Int) {
        connections = min(connections, max(8, openFiles - max(32, openFiles / 4)))
        connectionsPerEnd = min(connectionsPerEnd, max(4, connections / 4))
    }

    /// How often a connection is looked at.
    var step: Duration {
        let shortest = [head, body, keepAlive, answer, rest, restProgress, stop].min() ?? head
        return max(.milliseconds(20), shortest / 5)
    }
}
