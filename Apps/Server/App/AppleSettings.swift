public import Foundation
import Integrations

/// The ids, key file and service address with which this server offers Sign in with Apple.
public struct AppleSettings: Sendable {
    public var servicesId: String
    public var teamId: String
    public var keyId: String
    /// The `.p8` file of the private key, which Apple lets developers download once.
    public var keyFile: URL
    /// The address of Apple's server for signing in; tests set another one.
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

    /// The settings that are needed together.
    static let keys = ["appleServicesId", "appleTeamId", "appleKeyId", "appleKeyFile"]

    /// Returns the provider. Throws `ServerSettings.Malformed` if the key file is unreadable or not a key.
    ///
    /// - Parameter app: the school's app. The same person has another id in another team, so an app of another team cannot
    ///   sign in to the accounts of the web.
    func provider(
        app: AppPushSettings?, report: @escaping @Sendable (String) -> Void
    ) throws -> AppleIdentity {
        let text: String
        do {
            text = try String(contentsOf: keyFile, encoding: .utf8)
        } catch {
            throw ServerSettings.Malformed(faults: ["appleKeyFile is '\(keyFile.path)'; that file cannot be read."])
        }
        do {
            return try AppleIdentity(
                .init(
                    servicesId: servicesId, teamId: teamId, keyId: keyId,
                    appId: app?.teamId == teamId ? app?.topic : nil),
                privateKey: text, at: address
            ) { report("Sign in with Apple: \($0)") }
        } catch is AppleIdentity.MalformedKey {
            throw ServerSettings.Malformed(
                faults: ["appleKeyFile is '\(keyFile.path)'; it must be the .p8 file of a key made at Apple."])
        }
    }
}
