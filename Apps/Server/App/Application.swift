import FeatureKit
import FeatureRuntime
import Foundation
public import Hummingbird
public import Logging
public import NIOCore
import Persistence
import ServiceLifecycle
import UnixSignals
public import Web

/// Builds the HTTP application of a composed server. `runService` starts it.
public func makeApplication(
    _ composition: ServerComposition, _ settings: ServerSettings, logger: Logger,
    onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
) throws -> Application<RouterResponder<WebContext>> {
    let router = try makeRouter(composition.web, assets: composition.assets)
    return Application(
        router: router,
        server: EventLoopHTTP.builder(composition.web.settings),
        configuration: ApplicationConfiguration(
            address: .hostname(settings.host, port: settings.port), serverName: nil,
            backlog: 1024, reuseAddress: true),
        onServerRunning: onServerRunning, logger: logger)
}

/// Ends the event streams when the server is stopped, because they would keep it open.
///
/// It contains nothing but the hub: a service group prints its services through reflection when it is created, which
/// took a quarter of a second for a whole server.
private struct ClosingService: Service {
    let hub: ChangeHub

    func run() async throws {
        try await gracefulShutdown()
        hub.close()
    }
}

/// Work besides the requests. A transaction that a job has begun is completed when the server stops.
private struct Background: Service {
    let work: @Sendable () async -> Void

    func run() async throws { await cancelWhenGracefulShutdown { await work() } }
}

/// Runs the server until it is stopped (SIGTERM, SIGINT); then completes accepted requests and closes the files.
public func serve(_ settings: ServerSettings, onReady: @escaping @Sendable (Int) -> Void) async throws {
    var logger = Logger(label: "pinktower")
    logger.logLevel = settings.logLevel
    try DataFolder.prepare(settings.dataFolder)
    let folder = try DataFolder.lock(settings.dataFolder)
    defer { withExtendedLifetime(folder) {} }
    var settings = settings
    if let openFiles = OpenFiles.allow() { settings.limits.fit(openFiles: openFiles) }
    let port = settings.port
    let composition = try await ServerComposition.build(settings)
    try composition.web.settings.uploadFolder.sweep()
    if try await composition.lacksOperator(settings) {
        logger.notice(
            "No operator is named: nobody can read the mails that this server keeps. Name one: pinktower operator <address>"
        )
    }
    let application = try makeApplication(composition, settings, logger: logger) { channel in
        onReady(channel.localAddress?.port ?? port)
    }
    do {
        // Services stop in reverse order: the event streams end first, because the server waits for them.
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(service: application), .init(service: Background(work: composition.jobs(logger).run)),
                    .init(service: Background(work: composition.watchOthers)),
                    .init(service: ClosingService(hub: composition.hub)),
                ],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    } catch {
        try await composition.close()
        throw error
    }
    try await composition.close()
}
