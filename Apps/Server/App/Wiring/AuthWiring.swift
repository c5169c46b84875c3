import Auth
import AuthInterface
import Domain
import FeatureKit
import Foundation
import Integrations

extension Wirings {
    static let auth: BlockWiring? = BlockWiring("Auth") { services in
        let ports = services.ports
        services.offer(AuthService.self) {
            AuthService(directory: ports.directory, hasher: ports.hasher, clock: ports.clock, ids: ports.ids)
        }
        services.offer((any Authenticator).self) { try services.require(AuthService.self) }
        services.offer((any AccountReading).self) { try services.require(AuthService.self) }
        services.offer((any AccountMaking).self) { try services.require(AuthService.self) }
        services.offer((any SessionEnding).self) { try services.require(AuthService.self) }
        services.offer((any NarrowSessions).self) { try services.require(AuthService.self) }
        services.offer((any GateCodes).self) {
            GateCodeService(directory: ports.directory, hasher: ports.hasher)
        }
        services.offer(AddressChanges.self) {
            AddressChanges(
                auth: try services.require(), directory: ports.directory, hasher: ports.hasher, ids: ports.ids,
                mailer: ports.mailer, publicURL: ports.publicURL, confirmsMail: ports.confirmsMail)
        }
        services.offer((any AddressChanging).self) { try services.require(AddressChanges.self) }
        services.offer((any ConsentRecording).self) { ConsentLog(directory: ports.directory) }
        services.offer((any AccountAdministration).self) {
            AuthAdministration(auth: try services.require(AuthService.self))
        }
    } build: { services in
        let ports = services.ports
        return try AuthFeature.make(
            auth: services.require(), directory: ports.directory, hasher: ports.hasher, ids: ports.ids,
            mailer: ports.mailer, outbox: ports.outbox, cryptography: ports.cryptography, qr: LibQRCode(),
            publicURL: ports.publicURL, confirmsMail: ports.confirmsMail, addresses: services.require(),
            provider: ports.provider,
            erasing: services.find((any AccountErasing).self), allFeatures: services.allFeatures)
    }
}

private struct AuthAdministration: AccountAdministration {
    let auth: AuthService

    func hasAccounts() async throws -> Bool { try await auth.hasAccounts() }
    func operatorAddress() async throws -> String? { try await auth.serverOperator()?.email }
    func nameOperator(email: String) async throws -> Bool { try await auth.nameOperator(email: email) }
    func removeSecondFactors(email: String) async throws -> Bool {
        try await auth.removeSecondFactors(email: email)
    }
    func fillSessionCache() async throws { try await auth.fillSessionCache() }
    func clearSessionCache() { auth.clearSessionCache() }
}
