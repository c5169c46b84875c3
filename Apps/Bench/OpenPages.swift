import ArgumentParser
import AsyncHTTPClient
import Foundation

/// Many open event streams.
struct OpenPages {
    /// The received data of all streams.
    let pieces: AsyncStream<String>
    // Needs its own client: `HTTPClient.shared` has at most eight connections per host.
    private let client: HTTPClient
    private let readers: [Task<Void, any Error>]

    /// The number of connections opened at once; a listening socket queues only some hundreds.
    private static let queue = 50

    /// Opens `count` streams, of the sessions in turn, and returns once all are open.
    static func open(_ count: Int, of sessions: [Session]) async throws -> OpenPages {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = count
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let (pieces, feed) = AsyncStream.makeStream(of: String.self)
        let (opened, door) = AsyncThrowingStream.makeStream(of: Void.self)
        var arrivals = opened.makeAsyncIterator()
        var readers: [Task<Void, any Error>] = []
        for number in 0..<count {
            if number >= queue { _ = try await arrivals.next() }
            let session = sessions[number % sessions.count]
            readers.append(
                Task {
                    do {
                        try await session.follow(through: client, opened: { door.yield() }) { piece in
                            feed.yield(piece)
                            return true
                        }
                    } catch {
                        door.finish(throwing: error)
                        throw error
                    }
                })
        }
        for _ in 0..<min(queue, count) { _ = try await arrivals.next() }
        return OpenPages(pieces: pieces, client: client, readers: readers)
    }

    func close() async throws {
        readers.forEach { $0.cancel() }
        for reader in readers { _ = await reader.result }
        try await client.shutdown()
    }
}
