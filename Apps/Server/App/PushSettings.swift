import Domain
public import Foundation
import Integrations

/// How this server is known at Apple's push service, for an app of its own.
public struct AppPushSettings: Sendable {
    public var teamId: String
    public var keyId: String
    /// The `.p8` file that Apple gives out once.
    public var keyFile: URL
    /// The app's bundle id.
    public var topic: String
    /// Apple's service for apps of the App Store, or the one for apps that are being developed.
    public var address: String

    /// The values by which it is known; all of them or none.
    static let keys = ["apnsTeamId", "apnsKeyId", "apnsKeyFile", "apnsTopic"]
    static let addresses = [ApplePushSettings.standardAddress, "https://api.sandbox.push.apple.com"]

    /// What the adapter takes; a key file that cannot be read stops the start.
    fileprivate func read() throws -> ApplePushSettings {
        do {
            return ApplePushSettings(
                teamId: teamId, keyId: keyId, privateKey: try String(contentsOf: keyFile, encoding: .utf8),
                topic: topic, address: address)
        } catch {
            throw ServerSettings.Malformed(faults: ["apnsKeyFile is '\(keyFile.path)'; that file cannot be read."])
        }
    }
}

extension ServerSettings {
    /// What reaches devices. Its key is made once and stays in the data folder beside the other secret.
    func pushSender(clock: any WallClock) throws -> (DevicePush, ServerIdentification) {
        // Whom the operators of push services write to (RFC 8292 section 2.1).
        let contact = isSecure ? publicURL : "mailto:\(mailFrom)"
        let identification = ServerIdentification(
            keyFile: dataFolder.appending(path: "push.key"), contact: contact)
        do {
            let sender = try DevicePush(
                identification, apple: apns?.read(), clock: clock, allowsLoopback: pushToLoopback)
            return (sender, identification)
        } catch is AppleIdentity.MalformedKey {
            throw Malformed(
                faults: [
                    "apnsKeyFile is '\(apns?.keyFile.path ?? "")'; it must be the .p8 file of a key made at Apple."
                ])
        }
    }
}
