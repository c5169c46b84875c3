import Logging
import Synchronization

/// A log handler that records warnings and errors with their metadata.
final class LogRecorder: LogHandler, Sendable {
    let events = Mutex<[(message: String, metadata: Logger.Metadata)]>([])
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .warning }
        set {}
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
    func log(event: LogEvent) {
        events.withLock { $0.append(("\(event.message)", event.metadata ?? [:])) }
    }
}
