import FeatureKit
import Foundation
public import Hummingbird
public import Logging
public import NIOCore
import ServiceLifecycle
public import Web

/// The HTTP application over a composed house. Builds and returns; `runService` serves.
public func makeApplication(
    _ house: ServerHouse, _ settings: ServerSettings, logger: Logger,
    onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
) throws -> Application<RouterResponder<WebContext>> {
    let router = try makeRouter(house.web, assets: house.assets)
    var application = Application(
        router: router,
        configuration: ApplicationConfiguration(
            address: .hostname(settings.host, port: settings.port), serverName: nil,
            backlog: 1024, reuseAddress: true),
        onServerRunning: onServerRunning, logger: logger)
    application.addServices(ClosingService(house: house))
    return application
}

/// Ends the event streams when the server is told to stop, since they would keep it open, and closes the
/// files after the last request.
private struct ClosingService: Service {
    let house: ServerHouse

    func run() async throws {
        try await gracefulShutdown()
        house.hub.close()
    }
}

/// Serves until told to stop (SIGTERM, SIGINT); then finishes what was accepted and closes the files.
public func serve(_ settings: ServerSettings, onReady: @escaping @Sendable (Int) -> Void) async throws {
    var logger = Logger(label: "pinktower")
    logger.logLevel = settings.logLevel
    let house = try await ServerHouse.build(settings)
    let application = try makeApplication(house, settings, logger: logger) { channel in
        onReady(channel.localAddress?.port ?? settings.port)
    }
    do {
        try await application.runService()
    } catch {
        try await house.close()
        throw error
    }
    try await house.close()
}
