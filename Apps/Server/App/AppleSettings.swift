public import Foundation
import Integrations

/// How this server is known at Apple; people may then sign in with Apple.
public struct AppleSettings: Sendable {
    public var servicesId: String
    public var teamId: String
    public var keyId: String
    /// The `.p8` file that Apple gives out once.
    public var keyFile: URL
    /// Where Apple is; another one only in tests.
    public var address: String

    public init(
        servicesId: String, teamId: String, keyId: String, keyFile: URL, address: String? = nil
    ) {
        self.servicesId = servicesId
        self.teamId = teamId
        self.keyId = keyId
        self.keyFile = keyFile
        self.address = address ?? AppleIdentity.address
    }

    /// The values by which it is known; all of them or none.
    static let keys = ["appleServicesId", "appleTeamId", "appleKeyId", "appleKeyFile"]

    /// The provider; a key file that is none stops the start.
    func provider(report: @escaping @Sendable (String) -> Void) throws -> AppleIdentity {
        let text: String
        do {
            text = try String(contentsOf: keyFile, encoding: .utf8)
        } catch {
            throw ServerSettings.Malformed(faults: ["appleKeyFile is '\(keyFile.path)'; that file cannot be read."])
        }
        do {
            return try AppleIdentity(
                .init(servicesId: servicesId, teamId: teamId, keyId: keyId), privateKey: text, at: address
            ) { report("Sign in with Apple: \($0)") }
        } catch is AppleIdentity.MalformedKey {
            throw ServerSettings.Malformed(
                faults: ["appleKeyFile is '\(keyFile.path)'; it must be the .p8 file of a key made at Apple."])
        }
    }
}
